#!/usr/bin/env bash
# GitHub Copilot CLI 1.0.102 over the Agent Client Protocol answers a request that its model refused with 401 as a
# finished turn: stopReason "end_turn", and "Error: ..." as words of the agent. opencode 1.18.33 fails the request with
# a JSON-RPC error instead. So the end of a turn is no success. Exits non-zero once that changes.
set -euo pipefail
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
npm install --prefix "$folder/tools" --no-audit --no-fund --loglevel=error \
  node@22.23.3 @github/copilot@1.0.102 opencode-ai@1.18.33
export PATH="$folder/tools/node_modules/.bin:$PATH" HOME="$folder/home"
mkdir -p "$HOME/.config/opencode" "$folder/work"
cd "$folder/work"
cat > "$folder/ask.mjs" << 'EOF'
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const server = createServer((request, response) => {
  response.writeHead(401, { "content-type": "application/json" });
  response.end('{"error":{"message":"this key opens nothing","type":"authentication_error"}}');
}).listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const models = { loopback: { npm: "@ai-sdk/openai-compatible", options: { baseURL: url, apiKey: "key" }, models: { m: {} } } };
  writeFileSync(`${process.env.HOME}/.config/opencode/opencode.json`, JSON.stringify({ model: "loopback/m", small_model: "loopback/m", provider: models }));
  const env = { ...process.env, COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_API_KEY: "key", COPILOT_MODEL: "m", COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false", OPENCODE_DISABLE_MODELS_FETCH: "1" };
  const [program, ...args] = process.argv.slice(2);
  const agent = spawn(program, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const send = (id, method, params) => agent.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
  let said = "";
  const stop = (text) => { console.log(text); agent.kill("SIGKILL"); process.exit(0); };
  createInterface({ input: agent.stdout }).on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === "session/update" && params.update.sessionUpdate === "agent_message_chunk") said += params.update.content.text;
    if (id === 1) send(2, "session/new", { cwd: process.cwd(), mcpServers: [] });
    if (id === 2) send(3, "session/prompt", { sessionId: result.sessionId, prompt: [{ type: "text", text: "Which database?" }] });
    if (id === 3) stop(error ? `error ${error.code}` : `${result.stopReason}: ${said.match(/Error: .*/)?.[0] ?? said}`);
  });
  send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  setTimeout(() => stop("no end of the turn"), 60_000);
});
EOF
copilot="$(node "$folder/ask.mjs" copilot --acp)"
opencode="$(node "$folder/ask.mjs" opencode acp)"
printf '%s\n' "Copilot: $copilot" "opencode: $opencode"
grep -q '^end_turn: Error: Authentication failed' <<< "$copilot"
grep -q '^error -32' <<< "$opencode"
