import { assert, assertEquals } from "@std/assert";
import { readSettings } from "../../lib/config/settings.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

const ARCHITECT = { command: ["claude", "-p"] };

function read(temp: TempWorkspace) {
  const notes: string[] = [];
  const place = { root: temp.root, tree: temp.root };
  return { ...readSettings(place, (message) => notes.push(message)), notes };
}

Deno.test("readSettings() gives the defaults where there is no file", () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx/config.json`);
  const { config, repositoryAgents, notes } = read(temp);
  assertEquals([config.mode, config.agents, repositoryAgents, notes], ["local", {}, {}, []]);
});

Deno.test("readSettings() lays the repository's settings over the user's", () => {
  using temp = new TempWorkspace({ config: { memory: { enabled: false } } });
  temp.user.configure({ memory: { enabled: true, maxTokens: 5 }, gate: { timeout: "never" } });
  const { config } = read(temp);
  assertEquals(config.memory, {
    enabled: false,
    ask: "off",
    startTokens: 600,
    maxTokens: 5,
  });
  assertEquals(config.gate, { timeout: "never", alwaysAsk: [], neverAsk: [] });
});

Deno.test("readSettings() never mixes the repository's agent with the user's", () => {
  using temp = new TempWorkspace({ config: { agents: { architect: { command: ["./mine"] } } } });
  temp.user.configure({
    agents: { architect: { ...ARCHITECT, env: { A: "1" }, passEnv: ["B"] }, tester: ARCHITECT },
  });
  const { config, repositoryAgents } = read(temp);
  const { command, env, passEnv } = config.agents.architect;
  assertEquals([command, env, passEnv], [["./mine"], {}, []]);
  assertEquals(config.agents.tester.command, ARCHITECT.command);
  assertEquals(repositoryAgents, { architect: { command: ["./mine"] } });
});

Deno.test("readSettings() gives the user's command to no part of an agent in the repository", () => {
  using temp = new TempWorkspace({ config: { agents: { architect: { env: { A: "1" } } } } });
  temp.user.configure({ agents: { architect: ARCHITECT } });
  const { command, env } = read(temp).config.agents.architect;
  assertEquals([command, env], [null, { A: "1" }]);
});

Deno.test("readSettings() names the user's file where that is wrong", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ mode: "remote" });
  const { details } = await refusal("INVALID_CONFIG", () => read(temp));
  assertEquals(details.path, `${temp.user.path}/config/agentx/config.json`);
});

for (const [name, configHome] of Object.entries({ root: ".", link: "out", below: "a/b" })) {
  Deno.test(`readSettings() takes no file of the repository for the user's: ${name}`, () => {
    using temp = new TempWorkspace();
    temp.write(".git/HEAD", "ref: refs/heads/main\n");
    temp.write("agentx/config.json", JSON.stringify({ agents: { architect: ARCHITECT } }));
    temp.write("a/b/agentx/config.json", JSON.stringify({ agents: { architect: ARCHITECT } }));
    Deno.symlinkSync(temp.root, `${temp.user.path}/out`);
    const base = name === "link" ? temp.user.path : temp.root;
    Deno.env.set("XDG_CONFIG_HOME", `${base}/${configHome}`);
    const { config, notes } = read(temp);
    assertEquals([config.agents, notes.length], [{}, 1]);
    assert(notes[0].includes("is inside the repository"));
  });
}

Deno.test("readSettings() takes no file from above the workspace in the same checkout", () => {
  using temp = new TempWorkspace();
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  temp.write("package/.agentx/config.json", "{}");
  temp.write("home/agentx/config.json", JSON.stringify({ agents: { architect: ARCHITECT } }));
  Deno.env.set("XDG_CONFIG_HOME", `${temp.root}/home`);
  const place = { root: `${temp.root}/package`, tree: `${temp.root}/package` };
  assertEquals(readSettings(place, () => {}).config.agents, {});
});

Deno.test("readSettings() ignores a relative folder, as the specification of these folders says", () => {
  using temp = new TempWorkspace();
  Deno.env.set("XDG_CONFIG_HOME", "config");
  Deno.env.set("HOME", temp.user.path);
  assertEquals(read(temp).config.agents, {});
});

Deno.test("readSettings() does without a file of the user that nobody may read here", () => {
  using temp = new TempWorkspace({ config: { gate: { timeout: "never" } } });
  temp.user.configure({ mode: "github" });
  const { realPath } = sys;
  sys.realPath = (path) => {
    if (!path.startsWith(temp.user.path)) return realPath(path);
    const details = { operation: "resolve", path, errno: "EACCES" };
    throw new AgentxError("IO_ERROR", `Cannot resolve "${path}": permission denied`, { details });
  };
  try {
    const { config, notes } = read(temp);
    assertEquals([config.mode, config.gate.timeout, notes.length], ["local", "never", 1]);
  } finally {
    sys.realPath = realPath;
  }
});

Deno.test("readSettings() follows a link that the user made of their own file", () => {
  using temp = new TempWorkspace();
  temp.user.configure({ defaultWorkflow: "bug" });
  const path = `${temp.user.path}/config/agentx/config.json`;
  Deno.renameSync(path, `${temp.user.path}/dotfile.json`);
  Deno.symlinkSync(`${temp.user.path}/dotfile.json`, path);
  assertEquals(read(temp).config.defaultWorkflow, "bug");
});

Deno.test("readSettings() names the agents that the user's file has run and the repository's does not", () => {
  const hidden = { timeoutSeconds: 5 };
  const agents = {
    architect: hidden,
    tester: hidden,
    reviewer: hidden,
    engineer: { preset: "http" },
  };
  using temp = new TempWorkspace({ config: { agents } });
  temp.user.configure({
    agents: {
      architect: ARCHITECT,
      tester: { preset: ["claude", "codex"] },
      reviewer: { timeoutSeconds: 9 },
      engineer: ARCHITECT,
    },
  });
  assertEquals(read(temp).hiddenAgents, ["architect", "tester"]);
});

Deno.test("agents.default is the user's own: a repository's does not count, and it is said", () => {
  using temp = new TempWorkspace({ config: { agents: { default: { command: ["./any"] } } } });
  const { config, repositoryAgents, notes } = read(temp);
  assertEquals([config.agents, repositoryAgents], [{}, {}]);
  assert(notes[0].startsWith("agents.default is ignored in this repository's configuration"));
  temp.user.configure({ agents: { default: ARCHITECT } });
  assertEquals(read(temp).config.agents.default.command, ARCHITECT.command);
});
