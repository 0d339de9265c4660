import { assert, assertEquals, assertThrows } from "@std/assert";
import { AGENT_ALIASES, DOCUMENTED_AGENTS } from "../../lib/base/agent_names.ts";
import { completeConfig, parseContent } from "../../lib/config/content.ts";
import { getConfigValue, setConfigValue, unsetConfigValue } from "../../lib/config/edit.ts";
import { AgentxError } from "../../lib/base/errors.ts";

const PATH = ".agentx/config.json";

const DEFAULTS = {
  mode: "local" as const,
  defaultWorkflow: "feature",
  agents: {},
  clarify: { retryDelaySeconds: 30, maxTurns: 40, maxRunsPerDay: 200 },
  memory: {
    enabled: true,
    ask: "off" as const,
    startTokens: 600,
    maxTokens: 20000,
  },
  gate: { timeout: "5m", alwaysAsk: [], neverAsk: [] },
  inbox: { notify: [], notifyAfterSeconds: 60 },
  evidence: { caches: [] },
  plan: { approve: true },
  remotes: {},
  pipeline: { enforce: "begun" as const },
  loop: { required: false },
  github: { repository: null, post: "escalations" as const, deciders: [] },
};

function parseConfig(text: string, path: string) {
  return completeConfig(parseContent(text, path));
}

function refusal(text: string): AgentxError {
  const error = assertThrows(() => parseConfig(text, PATH), AgentxError);
  assertEquals(error.code, "INVALID_CONFIG");
  return error;
}

Deno.test("config.json: gives the defaults where nothing is said", () => {
  assertEquals(parseConfig("{}", PATH), DEFAULTS);
});

Deno.test("config.json: reads every key of the documents' sample", () => {
  const sample = {
    mode: "github",
    defaultWorkflow: "story",
    agents: {
      architect: {
        command: ["claude", "-p"],
        timeoutSeconds: 60,
        passEnv: ["HTTPS_KEY"],
        env: { MODEL: "small" },
      },
    },
    clarify: { retryDelaySeconds: 5, maxTurns: 12, maxRunsPerDay: 20 },
    memory: {
      enabled: false,
      ask: "off" as const,
      startTokens: 600,
      maxTokens: 1000,
    },
    gate: { timeout: "never", alwaysAsk: ["pricing"], neverAsk: ["naming"] },
    inbox: { notify: [], notifyAfterSeconds: 60 },
    evidence: { caches: [] },
    plan: { approve: true },
    remotes: {},
    pipeline: { enforce: "all" as const },
    loop: { required: true },
    github: { repository: "owner/name", post: "threads" as const, deciders: ["octocat"] },
  };
  assertEquals(parseConfig(JSON.stringify(sample), PATH), {
    ...sample,
    mode: "github",
    agents: {
      architect: {
        command: ["claude", "-p"],
        preset: null,
        acp: null,
        http: null,
        timeoutSeconds: 60,
        passEnv: ["HTTPS_KEY"],
        env: { MODEL: "small" },
        sandbox: null,
        network: true,
      },
    },
  });
});

Deno.test("config.json: completes what a section leaves out", () => {
  const text = '{ "agents": { "engineer": { "preset": "claude" } }, "memory": { "maxTokens": 1 } }';
  const { agents, memory } = parseConfig(text, PATH);
  assertEquals(agents, {
    engineer: {
      command: null,
      preset: "claude",
      acp: null,
      http: null,
      timeoutSeconds: 300,
      passEnv: [],
      env: {},
      sandbox: null,
      network: true,
    },
  });
  assertEquals(memory, {
    enabled: true,
    ask: "off" as const,
    startTokens: 600,
    maxTokens: 1,
  });
});

Deno.test("config.json: gives each caller defaults of its own", () => {
  const engineer = {
    command: ["x"],
    preset: null,
    acp: null,
    http: null,
    timeoutSeconds: 1,
    passEnv: [],
    env: {},
    sandbox: null,
    network: true,
  };
  parseConfig("{}", PATH).agents.engineer = engineer;
  assertEquals(parseConfig("{}", PATH), DEFAULTS);
});

Deno.test("config.json: keeps keys that it does not know", () => {
  const text = '{ "$schema": "x", "memory": { "colour": "green" } }';
  assertEquals(
    parseConfig(text, PATH),
    {
      ...DEFAULTS,
      $schema: "x",
      memory: { ...DEFAULTS.memory, colour: "green" },
    } as typeof DEFAULTS,
  );
});

const WRONG: [text: string, key: string | null][] = [
  ["[]", null],
  ["null", null],
  ['{ "mode": "remote" }', "mode"],
  ['{ "defaultWorkflow": "../x" }', "defaultWorkflow"],
  ['{ "agents": [] }', "agents"],
  ['{ "agents": { "architect": "claude" } }', "agents.architect"],
  ['{ "agents": { "architect": { "command": "claude -p" } } }', "agents.architect.command"],
  ['{ "agents": { "architect": { "command": [] } } }', "agents.architect.command"],
  ['{ "agents": { "architect": { "command": ["a", 1] } } }', "agents.architect.command.1"],
  ['{ "agents": { "architect": { "preset": 1 } } }', "agents.architect.preset"],
  ['{ "agents": { "architect": { "preset": "claud" } } }', "agents.architect.preset"],
  ['{ "agents": { "architect": { "preset": [] } } }', "agents.architect.preset"],
  ['{ "agents": { "architect": { "preset": ["codex", "x"] } } }', "agents.architect.preset.1"],
  ['{ "agents": { "a": { "http": { "keyEnv": "sk-ant-api03-abc" } } } }', "agents.a.http.keyEnv"],
  ['{ "agents": { "a": { "http": { "url": "ftp://x" } } } }', "agents.a.http.url"],
  ['{ "agents": { "a": { "http": { "url": "https://key@x" } } } }', "agents.a.http.url"],
  ['{ "agents": { "a": { "preset": "claude", "timeoutSeconds": 0 } } }', "agents.a.timeoutSeconds"],
  [
    '{ "agents": { "a": { "preset": "claude", "timeoutSeconds": "9" } } }',
    "agents.a.timeoutSeconds",
  ],
  [
    '{ "agents": { "a": { "preset": "claude", "timeoutSeconds": 2147484 } } }',
    "agents.a.timeoutSeconds",
  ],
  ['{ "agents": { "a": { "preset": "claude", "passEnv": "X" } } }', "agents.a.passEnv"],
  ['{ "agents": { "a": { "preset": "claude", "passEnv": ["A B"] } } }', "agents.a.passEnv.0"],
  [
    '{ "agents": { "a": { "preset": "claude", "passEnv": ["AGENTX_TRUST"] } } }',
    "agents.a.passEnv.0",
  ],
  ['{ "agents": { "a": { "preset": "claude", "env": { "X": 1 } } } }', "agents.a.env.X"],
  ['{ "agents": { "a": { "preset": "claude", "env": { "A=B": "" } } } }', "agents.a.env.A=B"],
  [
    '{ "agents": { "a": { "preset": "claude", "env": { "AGENTX_AGENT": "" } } } }',
    "agents.a.env.AGENTX_AGENT",
  ],
  ['{ "agents": { "Architect": { "preset": "claude" } } }', "agents.Architect"],
  ['{ "agents": { "__proto__": { "preset": "claude" } } }', "agents.__proto__"],
  ['{ "agents": { "constructor": { "preset": "claude" } } }', "agents.constructor"],
  ['{ "agents": { "aux": { "preset": "claude" } } }', "agents.aux"],
  ['{ "agents": { "human": { "preset": "claude" } } }', "agents.human"],
  ['{ "clarify": 30 }', "clarify"],
  ['{ "clarify": { "retryDelaySeconds": -1 } }', "clarify.retryDelaySeconds"],
  ['{ "clarify": { "retryDelaySeconds": 2147484 } }', "clarify.retryDelaySeconds"],
  ['{ "memory": { "enabled": "yes" } }', "memory.enabled"],
  ['{ "memory": { "maxTokens": 1.5 } }', "memory.maxTokens"],
  ['{ "memory": { "maxTokens": -1 } }', "memory.maxTokens"],
  ['{ "memory": null }', "memory"],
  ['{ "gate": { "timeout": 5 } }', "gate.timeout"],
  ['{ "clarify": { "maxTurns": 0 } }', "clarify.maxTurns"],
  ['{ "clarify": { "maxTurns": 1.5 } }', "clarify.maxTurns"],
  ['{ "clarify": { "maxTurns": "many" } }', "clarify.maxTurns"],
  ['{ "gate": { "timeout": "5 minutes" } }', "gate.timeout"],
  ['{ "gate": { "neverAsk": "naming" } }', "gate.neverAsk"],
  ['{ "gate": { "alwaysAsk": [" "] } }', "gate.alwaysAsk.0"],
  ['{ "github": { "repository": "name" } }', "github.repository"],
];
for (const [text, key] of WRONG) {
  Deno.test(`config.json: refuses ${text} with file and key`, () => {
    assertEquals(refusal(text).details, { path: PATH, line: null, key });
  });
}

Deno.test("config.json: takes the longest times that a timer can wait, and names them as the bound", () => {
  const config = (seconds: number) =>
    JSON.stringify({
      agents: { a: { preset: "claude", timeoutSeconds: seconds } },
      clarify: { retryDelaySeconds: seconds },
    });
  const { agents, clarify } = parseConfig(config(2_147_483), PATH);
  assertEquals([agents.a.timeoutSeconds, clarify.retryDelaySeconds], [2_147_483, 2_147_483]);
  assert(refusal(config(2_147_484)).message.includes("2147483"));
});

for (const [alias, agent] of AGENT_ALIASES) {
  Deno.test(`config.json: refuses the alias ${alias} as the name of an agent`, () => {
    const text = `{ "agents": { "${alias}": { "preset": "claude" } } }`;
    assertEquals(refusal(text).details, { path: PATH, line: null, key: `agents.${alias}` });
    parseConfig(text.replace(alias, agent), PATH);
  });
}

Deno.test("config.json: takes every documented agent", () => {
  const agents = DOCUMENTED_AGENTS.map((name) => [name, { preset: "claude" }]);
  const config = parseConfig(JSON.stringify({ agents: Object.fromEntries(agents) }), PATH);
  assertEquals(Object.keys(config.agents), [...DOCUMENTED_AGENTS]);
});

Deno.test("config.json: names the line where the text is not JSON", () => {
  const error = refusal('{\n  "mode": "local",\n}\n');
  assertEquals(error.details, { path: PATH, line: 3, key: null });
});

Deno.test("config.json: refuses an empty file and half a file", () => {
  assertEquals(refusal("").details, { path: PATH, line: null, key: null });
  assertEquals(refusal('{ "mode":').details, { path: PATH, line: null, key: null });
});

Deno.test("config.json: cannot be made to touch a prototype", () => {
  parseConfig('{ "__proto__": { "hit": 1 }, "constructor": { "prototype": { "hit": 1 } } }', PATH);
  assertEquals(({} as { hit?: number }).hit, undefined);
});

Deno.test("getConfigValue() finds values and sections, defaults included", () => {
  const config = parseConfig('{ "agents": { "architect": { "preset": "claude" } } }', PATH);
  assertEquals(getConfigValue(config, "agents.architect.timeoutSeconds"), 300);
  assertEquals(getConfigValue(config, "memory"), {
    enabled: true,
    ask: "off" as const,
    startTokens: 600,
    maxTokens: 20000,
  });
  assertEquals(getConfigValue(config, "github.repository"), null);
});

for (const key of ["", "modes", "agents.architect", "mode.length", "constructor", "__proto__.x"]) {
  Deno.test(`getConfigValue() finds no setting ${JSON.stringify(key)}`, () => {
    const config = parseConfig("{}", PATH);
    const error = assertThrows(() => getConfigValue(config, key), AgentxError);
    assertEquals(error.code, "NOT_FOUND");
    assertEquals(error.details, { kind: "setting", id: key });
  });
}

Deno.test("setConfigValue() changes one setting and keeps the rest, unknown keys included", () => {
  const content = { note: "mine", memory: { colour: "green", maxTokens: 5 } };
  assertEquals(setConfigValue(content, "memory.enabled", "false"), {
    note: "mine",
    memory: { colour: "green", maxTokens: 5, enabled: false },
  });
});

Deno.test("setConfigValue() does not change the content it was given", () => {
  const content = { memory: { maxTokens: 5 } };
  setConfigValue(content, "memory.maxTokens", "6");
  assertEquals(content, { memory: { maxTokens: 5 } });
});

Deno.test("setConfigValue() takes a text without quotes", () => {
  assertEquals(setConfigValue({}, "defaultWorkflow", "bug"), { defaultWorkflow: "bug" });
  assertEquals(setConfigValue({}, "gate.timeout", "never"), { gate: { timeout: "never" } });
});

Deno.test("setConfigValue() adds an agent", () => {
  const content = setConfigValue({}, "agents.architect.command", '["claude", "-p"]');
  assertEquals(content, { agents: { architect: { command: ["claude", "-p"] } } });
  assertEquals(setConfigValue(content, "agents.architect.timeoutSeconds", "5"), {
    agents: { architect: { command: ["claude", "-p"], timeoutSeconds: 5 } },
  });
});

const REFUSED: [key: string, valueText: string, value: unknown][] = [
  ["mode", "remote", "remote"],
  ["memory.maxTokens", "-1", -1],
  ["memory.maxTokens", "many", "many"],
  ["memory", "5", 5],
  ["memory.maxToken", "5", 5],
  ["", "5", 5],
  ["mode.x", "5", 5],
  ["agents.pm.preset", "claude", "claude"],
  ["__proto__.hit", "1", 1],
  ["constructor.prototype.hit", "1", 1],
  ["agents.__proto__.preset", "claude", "claude"],
  ["agents.constructor.preset", "claude", "claude"],
];
for (const [key, valueText, value] of REFUSED) {
  Deno.test(`setConfigValue() refuses ${JSON.stringify(key)} = ${valueText}`, () => {
    const error = assertThrows(() => setConfigValue({}, key, valueText), AgentxError);
    assertEquals(error.code, "INVALID_INPUT");
    assertEquals(error.details, { field: key, value });
  });
}

Deno.test("setConfigValue() takes the settings of an agent before its command", () => {
  assertEquals(setConfigValue({}, "agents.architect.timeoutSeconds", "5"), {
    agents: { architect: { timeoutSeconds: 5 } },
  });
});

Deno.test("setConfigValue() takes a command beside a preset, over which it wins", () => {
  const content = { agents: { architect: { preset: "claude" } } };
  assertEquals(setConfigValue(content, "agents.architect.command", '["x"]'), {
    agents: { architect: { preset: "claude", command: ["x"] } },
  });
});

Deno.test("unsetConfigValue() takes one setting out, and a section that becomes empty", () => {
  const architect = { command: ["x"], timeoutSeconds: 5 };
  const content = { mine: 1, agents: { architect } };
  assertEquals(unsetConfigValue(content, "agents.architect.timeoutSeconds"), {
    mine: 1,
    agents: { architect: { command: ["x"] } },
  });
  assertEquals(unsetConfigValue({ agents: { a: { env: {} } }, mode: "local" }, "agents.a.env"), {
    mode: "local",
  });
});

for (const key of ["mode", "agents.b", "agents.architect.command.0", "__proto__", "toString"]) {
  Deno.test(`unsetConfigValue() refuses "${key}", which is not set`, () => {
    const content = { agents: { architect: { command: ["x"] } } };
    const error = assertThrows(() => unsetConfigValue(content, key), AgentxError);
    assertEquals(error.code, "NOT_FOUND");
  });
}
