#!/bin/sh
# Codex applies a patch that its model writes as a shell command (apply_patch <<'EOF') itself. It calls the hook of
# PreToolUse before it, and none of PostToolUse after it, as it does after every other shell command. A program that
# learns of edits by PostToolUse alone misses these; with a model that has the tool apply_patch, both hooks are called.
#
# Seen with Codex 0.171.0 in front of a model on loopback. Needs Node and npm. Exits non-zero once that changes.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix tools @openai/codex@0.171.0 > /dev/null
cat > model.mjs <<'JS'
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch";
const commands = ["true", `apply_patch <<'EOF'\n${patch}\nEOF`];
let number = 0;
createServer((request, response) => {
  request.resume().on("end", () => {
    const cmd = commands[number++];
    const item = cmd === undefined
      ? { type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "Done." }] }
      : { type: "function_call", id: `f${number}`, call_id: `c${number}`, name: "exec_command", arguments: JSON.stringify({ cmd }) };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events = [
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.done", item },
      { type: "response.completed", response: { id: "r", usage } },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(""));
  });
}).listen(0, "127.0.0.1", function () { writeFileSync("port", String(this.address().port)); });
JS
node model.mjs &
server=$!
until [ -s port ]; do sleep 0.1; done
mkdir -p home work
echo x > work/a.txt
cat > home/config.toml <<TOML
model = "m"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "http://127.0.0.1:$(cat port)/v1"
wire_api = "responses"
TOML
hook() { printf '"%s":[{"hooks":[{"type":"command","command":"echo %s >>%s/called"}]}]' "$1" "$1" "$folder"; }
printf '{"hooks":{%s,%s}}' "$(hook PreToolUse)" "$(hook PostToolUse)" > home/hooks.json
tools/node_modules/.bin/codex --version
cd work
CODEX_HOME="$folder/home" timeout 60 ../tools/node_modules/.bin/codex exec -s danger-full-access --skip-git-repo-check \
  --dangerously-bypass-hook-trust "go on" < /dev/null > ../out 2>&1 || { cat ../out; exit 1; }
cat a.txt ../called
[ "$(cat a.txt)" = y ]
[ "$(tr '\n' ' ' < ../called)" = "PreToolUse PostToolUse PreToolUse " ]
