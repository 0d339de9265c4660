#!/usr/bin/env bash
# pi 1.6.0 connects to a server of mcp.json and shows its tools to no model, unless the entry says "exposure": "direct".
# By default they are reached from scripts of its tool codemode alone. Other hosts declare them; a copied entry works
# in silence and does nothing. Exits non-zero once that changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder/tools" --no-audit --no-fund --loglevel=error \
  node@22.23.3 @earendil-works/pi-coding-agent@1.6.0
export PATH="$folder/tools/node_modules/.bin:$PATH" HOME="$folder/home" PI_OFFLINE=1 PI_SKIP_VERSION_CHECK=1
mkdir -p "$HOME/.pi/agent" "$folder/work"
cd "$folder/work"
cat > "$HOME/.pi/agent/mcp.json" << 'EOF'
{ "mcpServers": {
    "copied": { "command": "true" },
    "declared": { "command": "true", "exposure": "direct" } } }
EOF
pi --version
listed="$(pi mcp list 2>&1 || true)" # no server: the list says how its tools would be reached
echo "$listed"
grep -q '^copied: .*(codemode, global)' <<< "$listed"
grep -q '^declared: .*(direct, global)' <<< "$listed"
