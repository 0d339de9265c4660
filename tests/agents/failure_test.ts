import { assert, assertEquals } from "@std/assert";
import { explainFailure, tailOf, whyFinal } from "../../lib/agents/failure.ts";

const PROLOGUE =
  "OpenAI Codex v0.169.0\n--------\nuser\n> error: unknown option is what I asked\n\n" +
  "warning: Model metadata for `m` not found. Defaulting to fallback metadata.\n";

/** How Gemini CLI prints an error that it did not expect. */
const FRAMES =
  "    at throwErrorIfNotOK (file:///opt/gemini-cli/bundle/chunk-JDPZ4CE3.js:267833:24)\n" +
  "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n" +
  "    at async file:///opt/gemini-cli/bundle/chunk-JDPZ4CE3.js:267596:7\n";
const REFUSED = 'Error when talking to Gemini API _ApiError: {"error":{"message":"no such key"}}';
const UNREACHED = "Error when talking to Gemini API Error: exception TypeError: fetch failed";
const LAST = "An unexpected critical error occurred:[object Object]\n";

/** What the programs print, as it was observed: kind, the line that tells most, and the streams. */
const OBSERVED: [kind: string | undefined, complaint: string, stderr: string, stdout?: string][] = [
  ["login", "Not logged in - Please run /login", "", "Not logged in - Please run /login\n"],
  ["login", "Invalid API key - Fix external API key", "", "Invalid API key - Fix external API key"],
  ["usage", "error: unknown option '--x'", "error: unknown option '--x'\n"],
  [
    undefined,
    "Error: Command failed: agentx ask architect",
    "node:child_process:966\n    throw err;\n    ^\n\nError: Command failed: agentx ask architect\n" +
    "The hub is locked\n\n    at genericNodeError (node:internal/errors:984:15)\n" +
    "    at ask (file:///home/u/agent.mjs:48:10) {\n  status: 5\n}\n\nNode.js v20.20.2\n",
  ],
  [undefined, "the disk is full", "the disk is full\n\nNode.js v22.1.0\n"],
  [
    "server",
    "API Error: 500 Internal server error. It is usually temporary.",
    "",
    "API Error: 500 Internal server error. It is usually temporary.\n",
  ],
  [
    "network",
    "API Error: Unable to connect to API (ConnectionRefused)",
    "",
    "API Error: Unable to connect to API (ConnectionRefused)",
  ],
  [
    "client",
    "ERROR: unexpected status 401 Unauthorized: invalid key, url: http://127.0.0.1/v1",
    `${PROLOGUE}ERROR: Reconnecting... 5/5\n` +
    "ERROR: unexpected status 401 Unauthorized: invalid key, url: http://127.0.0.1/v1\n",
  ],
  [
    "usage",
    "error: unexpected argument '--x' found",
    "error: unexpected argument '--x' found\n\n  tip: use '-- --x'\n\nUsage: codex exec [OPTIONS]\n",
  ],
  [
    "untrusted",
    "Not inside a trusted directory and --skip-git-repo-check was not specified.",
    "Not inside a trusted directory and --skip-git-repo-check was not specified.\n",
  ],
  [
    "untrusted",
    "Gemini CLI is not running in a trusted directory. To proceed, use `--skip-trust`",
    "\x1b[31mGemini CLI is not running in a trusted directory. To proceed, use `--skip-trust`\x1b[0m",
  ],
  [
    "login",
    "Please set an Auth method in settings.json",
    "Please set an Auth method in settings.json",
  ],
  ["login", "Invalid auth method selected.", "Invalid auth method selected.\n"],
  [
    "usage",
    "Unknown arguments: x",
    "Unknown arguments: x\nUsage: gemini [options]\n  -v  version\n",
  ],
  [
    "client",
    "Authentication failed with provider at http://127.0.0.1/v1 (HTTP 401).",
    "\nAuthentication failed with provider at http://127.0.0.1/v1 (HTTP 401).\n  Check your key.\n",
  ],
  [
    "login",
    "Error: No authentication information found.",
    "Error: No authentication information found.\n\nTo authenticate, use one of:\n  - /login\n",
  ],
  [
    "network",
    "Could not connect to local model provider at http://127.0.0.1:9/v1.",
    "\nCould not connect to local model provider at http://127.0.0.1:9/v1.\n  Check the port.\n",
  ],
  [
    "login",
    "ERROR: Missing environment variable: `OPENAI_API_KEY`.",
    `${PROLOGUE}ERROR: Missing environment variable: \`OPENAI_API_KEY\`.\n`,
  ],
  [
    "login",
    "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.",
    "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.\nUpdate it!\n",
  ],
  [
    "client",
    REFUSED,
    `${REFUSED}\n${FRAMES}    at async Turn.run (file:///opt/x.js:1:24) {\n  status: 401\n}\n${LAST}`,
  ],
  ["network", UNREACHED, `${UNREACHED}\n${FRAMES}${LAST}`],
  [
    "network",
    "ERROR: Reconnecting... waiting for network",
    `${PROLOGUE}ERROR: Reconnecting... waiting for network\n`,
  ],
  ["client", "status: 401", "status: 401\n"],
  ...[
    "There's an issue with the selected model (x). It may not exist or you may not have access to it.",
    "The model `x` does not exist or you do not have access to it.",
    "models/x is not found for API version v1beta, or is not supported for generateContent.",
    "Model 'x' not found on provider at http://127.0.0.1/v1 (HTTP 404).",
    "HTTP 404: model: x",
    'HTTP 404: model "x" not found, try pulling it first',
  ].map((line): [string, string, string] => ["model", line, `${line}\n`]),
  [
    undefined,
    "the model stopped, and the file was not found",
    "the model stopped, and the file was not found",
  ],
  ["limit", "HTTP 429 Too Many Requests", "HTTP 429 Too Many Requests"],
  [
    "limit",
    "API Error: Request rejected (429) - slow down",
    "API Error: Request rejected (429) - slow down",
  ],
  [undefined, "no quota", "a\nno quota\n\n"],
  [undefined, "on standard output", "\n", "first\non standard output\n"],
  [undefined, "", "", ""],
];

for (const [kind, complaint, stderr, stdout = ""] of OBSERVED) {
  Deno.test(`explainFailure() finds ${kind ?? "nothing more"} in ${JSON.stringify(complaint)}`, () => {
    assertEquals(explainFailure({ stdout, stderr }), { kind, complaint } as unknown);
  });
}

Deno.test("whyFinal() lets those run again that another run may help", () => {
  const kinds = [
    "usage",
    "missing",
    "login",
    "untrusted",
    "model",
    "client",
    "server",
    "network",
  ] as const;
  const again = kinds.filter((kind) => whyFinal(kind) === undefined);
  assertEquals([again, whyFinal(undefined)], [["server", "network"], undefined]);
});

Deno.test("tailOf() keeps the end, without what only a terminal understands", () => {
  assertEquals(tailOf("\x1b[31mred\x1b[0m\x1b]0;title\x07 a\r\nb\x1b[2K\n\n"), "red a\nb");
  const long = tailOf("x".repeat(100_000) + "end");
  assert(long.startsWith("...x") && long.endsWith("xend") && long.length < 2_000);
});

Deno.test("tailOf() keeps the words of an error whose stack is longer than the tail", () => {
  const tail = tailOf(`${REFUSED}\n${FRAMES.repeat(20)}  at: 10:30\n${LAST}`);
  assertEquals(tail, `${REFUSED}\n  at: 10:30\n${LAST.trim()}`);
});
