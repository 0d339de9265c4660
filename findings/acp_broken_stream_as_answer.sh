#!/usr/bin/env bash
# Gemini CLI 0.61.0 over the Agent Client Protocol ends a turn with "end_turn" where each stream of its model stops before
# the finish reason. The words of all its tries stand one after the other; the only sign is a count of 0 tokens in
# _meta.quota. For a whole stream it counts tokens. Exits non-zero once that changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder" || true' EXIT # Gemini may still write there
npm install --prefix "$folder/tools" --no-audit --no-fund --loglevel=error node@22.23.3 @google/gemini-cli@0.61.0
export PATH="$folder/tools/node_modules/.bin:$PATH" HOME="$folder/home"
mkdir -p "$HOME/.gemini" "$folder/work"
cd "$folder/work"
cat > "$HOME/.gemini/settings.json" << 'EOF'
{ "security": { "auth": { "selectedType": "gemini-api-key" } }, "general": { "enableAutoUpdate": false } }
EOF
cat > "$folder/ask.mjs" << 'EOF'
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
const isWhole = process.argv[2] === "whole";
const content = { role: "model", parts: [{ text: "Half an ans" }] };
const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
const chunk = isWhole
  ? { candidates: [{ content, finishReason: "STOP" }], usageMetadata }
  : { candidates: [{ content }] };
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify(chunk)}\n\n`);
}).listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  const model = { GEMINI_API_KEY: "key", GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: "gemini-2.5-flash" };
  const agent = spawn("gemini", ["--acp"], { env: { ...process.env, ...model }, stdio: ["pipe", "pipe", "ignore"] });
  const send = (id, method, params) => agent.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  let said = "";
  const stop = (text) => { console.log(text); agent.kill("SIGKILL"); process.exit(0); };
  createInterface({ input: agent.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === "session/update" && params.update.sessionUpdate === "agent_message_chunk") said += params.update.content.text;
    if (id === 1) send(2, "session/new", { cwd: process.cwd(), mcpServers: [] });
    if (id === 2) send(3, "session/prompt", { sessionId: result.sessionId, prompt: [{ type: "text", text: "Which database?" }] });
    if (id === 3) stop(error ? `error ${error.code}` : `${result.stopReason}, ${result._meta.quota.token_count.output_tokens} tokens: ${said}`);
  });
  send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  setTimeout(() => stop("no end of the turn"), 120_000);
});
EOF
broken="$(node "$folder/ask.mjs" broken)"
whole="$(node "$folder/ask.mjs" whole)"
printf '%s\n' "broken: $broken" "whole: $whole"
grep -qE '^end_turn, 0 tokens: (Half an ans){2,}$' <<< "$broken"
[ "$whole" = "end_turn, 1 tokens: Half an ans" ]
