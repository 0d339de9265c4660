#!/bin/sh
# Codex's sandbox workspace-write keeps .git, .agents, .aws and .codex closed in each writable folder, and mounts an empty
# folder where one is missing. If a command still runs when Codex exits, these folders stay: in the folder of the work, in
# TMPDIR and in /tmp. Programs that look upwards for .git then stop there.
#
# Seen with Codex 0.171.0 on Linux in front of a model on loopback; the script has a TMPDIR of its own, and keeps Codex out
# of /tmp. Needs Node and npm. Exits non-zero once that changes.
set -eu
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix tools @openai/codex@0.171.0 > /dev/null
cat > model.mjs <<'JS'
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
const items = [
  { type: "function_call", id: "f", call_id: "c", name: "exec_command", arguments: JSON.stringify({ cmd: "sleep 60", yield_time_ms: 1000 }) },
  { type: "message", role: "assistant", id: "m", content: [{ type: "output_text", text: "Done." }] },
];
createServer((request, response) => {
  request.resume().on("end", () => {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events = [
      { type: "response.created", response: { id: "r" } },
      { type: "response.output_item.done", item: items.shift() },
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
mkdir -p home work temporary
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
tools/node_modules/.bin/codex --version
cd work
CODEX_HOME="$folder/home" TMPDIR="$folder/temporary" timeout 60 ../tools/node_modules/.bin/codex exec -s workspace-write \
  -c sandbox_workspace_write.exclude_slash_tmp=true --skip-git-repo-check "go on" < /dev/null > ../out 2>&1 ||
  { cat ../out; exit 1; }
ls -A . ../temporary
for name in .git .agents .aws .codex; do rmdir "$name" "../temporary/$name"; done
