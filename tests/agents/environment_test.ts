import { assertEquals } from "@std/assert";
import {
  environmentOf,
  vendorPrefixes,
  withheldCredentials,
} from "../../lib/agents/environment.ts";

const CLAUDE = ["ANTHROPIC_", "CLAUDE_"];
const CODEX = ["OPENAI_", "CODEX_"];
const MODELS = ["ANTHROPIC_", "OPENAI_", "GEMINI_", "OPENROUTER_", "MISTRAL_"]
  .concat(["DEEPSEEK_", "GROQ_", "XAI_", "OLLAMA_"])
  .concat(["GOOGLE_GENERATIVE_AI_", "AWS_BEARER_TOKEN_BEDROCK", "VERTEX"]);

/** Command lines, and whose variables they get. */
const COMMANDS: [command: string, prefixes: readonly string[]][] = [
  ["claude -p", CLAUDE],
  ["/usr/local/bin/claude -p", CLAUDE],
  ["codex exec -", CODEX],
  ["gemini -p x", ["GEMINI_", "GOOGLE_"]],
  ["copilot -s", ["COPILOT_", "GH_", "GITHUB_TOKEN"]],
  ["opencode run", ["OPENCODE_", ...MODELS]],
  ["aider --yes", ["AIDER_", ...MODELS]],
  ["amp -x", ["AMP_"]],
  ["npx claude", CLAUDE],
  ["npx -y @anthropic-ai/claude-code@2.1.330 -p", CLAUDE],
  ["npx --yes @openai/codex exec", CODEX],
  ["npx -p @openai/codex codex exec", CODEX],
  ["npx --package=@openai/codex -- codex", CODEX],
  ["bunx @google/gemini-cli@latest", ["GEMINI_", "GOOGLE_"]],
  ["bunx --bun @github/copilot", ["COPILOT_", "GH_", "GITHUB_TOKEN"]],
  ["npx opencode-ai run", ["OPENCODE_", ...MODELS]],
  ["env claude -p", CLAUDE],
  ["env MODEL=claude X=1 codex exec", CODEX],
  ["/usr/bin/env -i -u FOO A=b npx -y @openai/codex@1 exec", CODEX],
  ["env -- claude", CLAUDE],
  ["sh agents/claude.sh", []],
  ["sh -c claude", []],
  ["python3 claude", []],
  ["npx -y @evil/claude-code", []],
  ["npx -y @evil/claude", []],
  ["npx -y claude-codex", []],
  ["npx", []],
  ["env", []],
  ["env A=claude", []],
  ["constructor", []],
  ["npx __proto__", []],
  ["env -S", []],
];

for (const [command, prefixes] of COMMANDS) {
  Deno.test(`vendorPrefixes() knows whose variables "${command}" gets`, () => {
    assertEquals(vendorPrefixes(command.split(" ")), prefixes);
  });
}

const AGENT = { command: ["./agent"], passEnv: [], env: {} };

Deno.test("environmentOf() gives a vendor's program nothing of another vendor or a cloud", () => {
  const names = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GITHUB_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "AZURE_CLIENT_SECRET",
    "LD_PRELOAD",
    "BASH_ENV",
    "AGENTX_TRUST",
  ];
  const variables = names.map((name) => [name, "x"] as const);
  const passed = (command: string) =>
    Object.keys(environmentOf(variables, { ...AGENT, command: [command] }));
  assertEquals(passed("claude"), ["ANTHROPIC_API_KEY"]);
  assertEquals(passed("codex"), ["OPENAI_API_KEY"]);
  assertEquals(passed("./agent"), []);
});

Deno.test("environmentOf() passes what every program needs", () => {
  const names = ["PATH", "HOME", "LC_ALL", "XDG_RUNTIME_DIR", "HTTPS_PROXY", "SSL_CERT_FILE"];
  const variables = [...names, "DBUS_SESSION_BUS_ADDRESS"].map((name) => [name, "x"] as const);
  assertEquals(environmentOf(variables, AGENT), Object.fromEntries(variables));
});

Deno.test("environmentOf() passes to coding agents, and to no other program, what all of them read", () => {
  const names = ["NODE_OPTIONS", "MCP_TIMEOUT", "BASH_DEFAULT_TIMEOUT_MS"]
    .concat(["DO_NOT_TRACK", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER"]);
  const variables = names.map((name) => [name, "x"] as const);
  const passed = (command: string) =>
    Object.keys(environmentOf(variables, { ...AGENT, command: [command] }));
  assertEquals([passed("claude"), passed("./agent")], [names, []]);
});

Deno.test("environmentOf() passes where version managers keep programs, and not their tokens", () => {
  const names = ["NVM_DIR", "VOLTA_HOME", "MISE_DATA_DIR", "PYENV_ROOT", "BUN_INSTALL"];
  const variables = [...names, "MISE_GITHUB_TOKEN"].map((name) => [name, "x"] as const);
  assertEquals(Object.keys(environmentOf(variables, AGENT)), names);
});

/** What a program that is told to use a cloud gets of both. */
const CLOUDS: Record<string, string[]> = {
  CLAUDE_CODE_USE_BEDROCK: ["AWS_PROFILE", "AWS_SECRET_ACCESS_KEY"],
  CLAUDE_CODE_USE_VERTEX: ["GOOGLE_APPLICATION_CREDENTIALS", "CLOUD_ML_REGION"],
};

for (const [told, names] of Object.entries(CLOUDS)) {
  Deno.test(`environmentOf() passes the variables of a cloud only under ${told}`, () => {
    const variables = Object.values(CLOUDS).flat().map((name) => [name, "x"] as const);
    const passed = (value: string, command = "claude") =>
      Object.keys(environmentOf([...variables, [told, value]], { ...AGENT, command: [command] }));
    assertEquals(passed("1"), [...names, told]);
    assertEquals([passed("0"), passed(""), passed("1", "codex")], [[told], [], []]);
  });
}

/** How programs without models of their own are told to use a cloud, and what they get of both. */
const TOLD: [command: string, variable: [string, string] | undefined, names: string[]][] = [
  ["aider --model bedrock/converse/x", undefined, CLOUDS.CLAUDE_CODE_USE_BEDROCK],
  ["aider --model=bedrock/x", undefined, CLOUDS.CLAUDE_CODE_USE_BEDROCK],
  ["env AIDER_MODEL=bedrock/x aider", undefined, CLOUDS.CLAUDE_CODE_USE_BEDROCK],
  ["opencode run -m amazon-bedrock/x", undefined, CLOUDS.CLAUDE_CODE_USE_BEDROCK],
  ["opencode run", ["AWS_BEARER_TOKEN_BEDROCK", "x"], CLOUDS.CLAUDE_CODE_USE_BEDROCK],
  ["aider", ["AIDER_MODEL", "vertex_ai/x"], CLOUDS.CLAUDE_CODE_USE_VERTEX],
  ["aider", ["VERTEXAI_PROJECT", "x"], CLOUDS.CLAUDE_CODE_USE_VERTEX],
  ["opencode run -m google-vertex-anthropic/x", undefined, CLOUDS.CLAUDE_CODE_USE_VERTEX],
  ["opencode run -m openai/x", undefined, []],
  ["aider", ["AIDER_MODEL", "sonnet"], []],
  ["./agent --model bedrock/x", undefined, []],
  ["./agent", ["VERTEXAI_PROJECT", "x"], []],
];

for (const [command, variable, names] of TOLD) {
  const told = variable === undefined ? "" : ` under ${variable.join("=")}`;
  Deno.test(`environmentOf() passes to "${command}"${told} what is of its cloud`, () => {
    const variables = Object.values(CLOUDS).flat().map((name) => [name, "x"] as const);
    const passed = environmentOf([...variables, ...variable ? [variable] : []], {
      ...AGENT,
      command: command.split(" "),
    });
    assertEquals(Object.keys(passed).filter((name) => name !== variable?.[0]), names);
  });
}

Deno.test("withheldCredentials() names few, and no variable that passEnv cannot name", () => {
  const many = Array.from({ length: 30 }, (_, index) => `KEY${index}_TOKEN`);
  const names = ["BAD NAME_TOKEN", "AGENTX_TOKEN", "EDITOR", "AWS_CA_BUNDLE", ...many];
  const variables = names.map((name) => [name, "x"] as const);
  assertEquals(withheldCredentials(variables, AGENT), many.sort().slice(0, 8));
});

Deno.test("environmentOf() keeps from an agent in whose session its caller is", () => {
  const own: [string, string][] = [["CLAUDE_CODE_SESSION_ID", "x"], ["CLAUDE_CONFIG_DIR", "/x"]];
  assertEquals(environmentOf(own, { ...AGENT, command: ["claude"] }), { CLAUDE_CONFIG_DIR: "/x" });
  const codex: [string, string][] = [["CODEX_CI", "1"], ["CODEX_THREAD_ID", "x"]];
  assertEquals(environmentOf(codex, { ...AGENT, command: ["codex"] }), {});
});
