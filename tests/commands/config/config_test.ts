import { assert, assertEquals } from "@std/assert";
import { TempGitHub } from "../../github/temp_github.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const CONFIG = ".agentx/config.json";

Deno.test("config set and unset leave the human's settings to the human", async () => {
  using temp = new TempWorkspace();
  for (const change of [["set", "inbox.notify", '["true"]'], ["unset", "inbox.notify"]]) {
    const { code, err } = await temp.run(["config", ...change]);
    const [verb, ...rest] = change;
    const next = `agentx config ${verb} --global inbox.notify${rest.length > 1 ? " VALUE" : ""}\n`;
    assertEquals([code, err.includes(`Cannot ${verb} `), err.includes(next)], [2, true, true], err);
  }
  assertEquals((await temp.run(["config", "set", "gate.timeout", "10m"])).code, 0);
  const env = { CLAUDECODE: "1" };
  for (const change of [["set", "gate.timeout", "1s"], ["unset", "gate.timeout"]]) {
    const { code, err } = await temp.run(["config", ...change], { env });
    assertEquals([code, err.includes("this is an agent's session")], [6, true], err);
  }
  assertEquals((await temp.json(["config", "get", "gate.timeout"])).value, "10m");
});

Deno.test("config set changes one setting and keeps every other key", async () => {
  using temp = new TempWorkspace();
  temp.write(CONFIG, '{"mode":"local","mine":{"x":1},"clarify":{"other":true}}');
  const { code, out } = await temp.run(["config", "set", "clarify.retryDelaySeconds", "5"]);
  assertEquals([code, out], [0, "  clarify.retryDelaySeconds = 5\n"]);
  assertEquals(JSON.parse(temp.read(CONFIG)), {
    mode: "local",
    mine: { x: 1 },
    clarify: { other: true, retryDelaySeconds: 5 },
  });
});

Deno.test("mode github is turned on by a human at a terminal alone, and a file that has it is warned about", async () => {
  await using place = await TempGitHub.make({ isOn: false });
  const { temp } = place;
  temp.write(CONFIG, JSON.stringify({ mode: "github", github: { repository: "acme/shop" } }));
  const turnOn = ["config", "set", "mode", "github"];
  const session = { terminal: true, stdin: "y\n", env: { CLAUDECODE: "1" } };
  assertEquals((await temp.run(turnOn)).code, 6, "nobody is asked");
  assertEquals((await temp.run(turnOn, session)).code, 6, "an agent");
  assertEquals((await temp.run(turnOn, { terminal: true, stdin: "n\n" })).code, 6);
  assertEquals((await temp.run([...turnOn, "--global"], { terminal: true, stdin: "y\n" })).code, 6);
  const { out, err } = await temp.run(["config", "get", "mode"]);
  assertEquals(
    [out.includes("local"), err.includes("mode github is ignored")],
    [true, true],
    out + err,
  );
  temp.write("message", "fix: cache (#9)\n");
  const hook = await temp.run(["git-hooks", "run", "commit-msg", `${temp.root}/message`]);
  assert(hook.code === 6 && hook.err.includes("no issue #9"), hook.err);
  const { findings } = await temp.json(["doctor"]);
  const warned = findings.filter(({ level, message }: Record<string, string>) =>
    level === "warn" && message.includes("mode github")
  );
  assertEquals(warned.length, 1);
  const asked = await temp.run(turnOn, { terminal: true, stdin: "y\n" });
  assert(asked.code === 0, asked.err);
  for (const said of [`${place.host}/acme/shop`, "is public", "Agents need a decision"]) {
    assert(asked.err.includes(said), asked.err);
  }
  assertEquals((await temp.run(["config", "get", "mode"])).err, "");
  for (const end of [["set", "mode", "local"], ["unset", "mode"]]) {
    await temp.run(["config", ...end]);
    temp.write(CONFIG, JSON.stringify({ mode: "github", github: { repository: "acme/shop" } }));
    const again = await temp.run(["config", "get", "mode"]);
    assert(again.err.includes("mode github is ignored"), "a consent ends with the mode");
    assertEquals((await temp.run(turnOn, { terminal: true, stdin: "y\n" })).code, 0);
  }
});

Deno.test("config set takes a command as JSON, and a word as it is", async () => {
  using temp = new TempWorkspace();
  const command = '["claude","-p"]';
  assertEquals((await temp.run(["config", "set", "agents.architect.command", command])).code, 0);
  assertEquals((await temp.run(["config", "set", "defaultWorkflow", "story"])).code, 0);
  const { agents, defaultWorkflow } = JSON.parse(temp.read(CONFIG));
  assertEquals([agents.architect.command, defaultWorkflow], [["claude", "-p"], "story"]);
});

Deno.test("config set makes a config that is not there yet", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/${CONFIG}`);
  assertEquals((await temp.run(["config", "set", "defaultWorkflow", "bug"])).code, 0);
  assertEquals(temp.read(CONFIG), '{\n  "defaultWorkflow": "bug"\n}\n');
});

const REFUSED: Record<string, [key: string, value: string]> = {
  "an unknown setting": ["nonsense", "1"],
  "an unknown setting in a section": ["clarify.nonsense", "1"],
  "a value of another kind": ["clarify.retryDelaySeconds", "soon"],
  "a command that is no list": ["agents.architect.command", "claude -p"],
  "a part of every object": ["__proto__.polluted", "1"],
  "a constructor": ["constructor.prototype", "1"],
};

for (const [name, [key, value]] of Object.entries(REFUSED)) {
  Deno.test(`config set refuses ${name} and writes nothing`, async () => {
    using temp = new TempWorkspace();
    const before = temp.snapshot();
    const { error } = await temp.json(["config", "set", key, value]);
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", key]);
    assertEquals(temp.snapshot(), before);
  });
}

for (const text of ["", "{ mine", '{"mode":"remote"}', "[]", "null", "{}{}"]) {
  Deno.test(`config set and show leave ${JSON.stringify(text)} as it is`, async () => {
    using temp = new TempWorkspace();
    temp.write(CONFIG, text);
    const before = temp.snapshot();
    for (const words of [["set", "defaultWorkflow", "bug"], ["show"], ["get", "mode"]]) {
      const { code, out, err } = await temp.run(["config", ...words, "--json"]);
      const { error } = JSON.parse(err);
      assertEquals([code, out, error.code], [2, "", "INVALID_CONFIG"]);
      assertEquals(error.details.path, `${temp.root}/${CONFIG}`);
    }
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("config get prints a setting, a default and a section", async () => {
  using temp = new TempWorkspace({ config: { gate: { timeout: "never" } } });
  const get = async (key: string) => (await temp.run(["config", "get", key])).out;
  assertEquals(await get("gate.timeout"), '"never"\n');
  assertEquals(await get("memory.maxTokens"), "20000\n");
  const gate = { timeout: "never", alwaysAsk: [], neverAsk: [] };
  assertEquals(await get("gate"), JSON.stringify(gate, null, 2) + "\n");
});

Deno.test("config get refuses what is not set", async () => {
  using temp = new TempWorkspace();
  for (const key of ["agents.architect", "nonsense", "constructor", "__proto__"]) {
    const { code, err } = await temp.run(["config", "get", key, "--json"]);
    assertEquals([code, JSON.parse(err).error.details], [4, { kind: "setting", id: key }]);
  }
});

Deno.test("config get --json has the key and its value", async () => {
  using temp = new TempWorkspace();
  assertEquals(await temp.json(["config", "get", "mode"]), {
    schemaVersion: 1,
    kind: "config.value",
    key: "mode",
    value: "local",
  });
});

Deno.test("config show and get name the variables of an agent, not what they hold", async () => {
  const agents = { architect: { command: ["a"], env: { MODEL_KEY: "opensesame" } } };
  using temp = new TempWorkspace({ config: { agents } });
  for (
    const words of [["show"], ["show", "--json"], ["get", "agents.architect"], ["get", "agents"]]
  ) {
    const { out } = await temp.run(["config", ...words]);
    assertEquals(
      [
        out.includes('"MODEL_KEY": "***"') || out.includes('"MODEL_KEY":"***"'),
        out.includes("opensesame"),
      ],
      [true, false],
      out,
    );
  }
  const { out } = await temp.run(["config", "get", "agents.architect.env.MODEL_KEY"]);
  assertEquals(out.trim(), '"opensesame"');
});

Deno.test("config show prints all settings with their defaults", async () => {
  using temp = new TempWorkspace();
  const { out } = await temp.run(["config", "show"]);
  const shown = JSON.parse(out);
  assertEquals([shown.mode, shown.gate.timeout, shown.memory.enabled], ["local", "5m", true]);
  assertEquals((await temp.json(["config", "show"])).config, shown);
});

Deno.test("config set makes what it shows inert", async () => {
  using temp = new TempWorkspace();
  const { out } = await temp.run(["config", "set", "agents.x.command", '["\\u001b[2J"]']);
  assert(!out.includes("\x1b") && out.includes("\\u001b[2J"));
});

Deno.test("config --global set, get and show are about the user's own file, without a workspace", async () => {
  using temp = new TempWorkspace();
  Deno.removeSync(`${temp.root}/.agentx`, { recursive: true });
  const set = ["config", "--global", "set", "agents.architect.command", '["claude","-p"]'];
  assertEquals((await temp.run(set)).code, 0);
  const path = `${temp.user.path}/config/agentx/config.json`;
  const { agents } = JSON.parse(Deno.readTextFileSync(path));
  assertEquals(agents, { architect: { command: ["claude", "-p"] } });
  const get = ["config", "get", "--global", "agents.architect.command"];
  assertEquals((await temp.run(get)).out, '[\n  "claude",\n  "-p"\n]\n');
  const { config } = await temp.json(["config", "show", "--global"]);
  assertEquals([config.agents.architect.command[0], config.mode], ["claude", "local"]);
  assertEquals(temp.has(CONFIG), false);
});

Deno.test("config set says that it hides a command of the user's own, as doctor does", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ agents: { architect: { command: ["cat"] } } });
  const key = "agents.architect.timeoutSeconds";
  const { code, err } = await temp.run(["config", "set", key, "600"]);
  assertEquals(code, 0, err);
  const hides = "This repository's agents.architect hides the one in your own configuration";
  assert(err.includes(hides), err);
  assert(err.includes(`agentx config set --global ${key} 600\n`), err);
  assert(err.includes(`agentx config unset ${key}\n`), err);
  const other = await temp.run(["config", "set", "agents.engineer.timeoutSeconds", "600"]);
  assertEquals(other.err.includes("hides"), false, other.err);
  const found = async () => {
    const { findings } = await temp.json(["doctor"]);
    return findings.filter(({ message }: { message: string }) => message.startsWith(hides));
  };
  const [{ level, next }] = await found();
  assertEquals(level, "warn");
  assert(next.includes("agentx config unset agents.architect"), next);
  await temp.run(["config", "unset", key]);
  assertEquals(await found(), []);
  assertEquals((await temp.run(["config", "--global", "set", key, "600"])).err, "");
});

Deno.test("config --global set leaves a file that is wrong as it is", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ mode: "remote" });
  const { error } = await temp.json(["config", "--global", "set", "mode", "local"]);
  assertEquals(error.code, "INVALID_CONFIG");
});

Deno.test("config get --global says where there is no home", async () => {
  using temp = new TempWorkspace();
  const home = Deno.env.get("HOME")!;
  Deno.env.delete("XDG_CONFIG_HOME");
  Deno.env.delete("HOME");
  try {
    const { error } = await temp.json(["config", "get", "--global", "mode"]);
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", "--global"]);
    assertEquals(error.message.split("\n").at(-1), "Set HOME to your home folder");
  } finally {
    Deno.env.set("HOME", home);
  }
});

Deno.test("config unset removes a setting, and a section with nothing left in it", async () => {
  using temp = new TempWorkspace();
  temp.write(
    CONFIG,
    '{"mine":1,"clarify":{"retryDelaySeconds":5},"memory":{"enabled":false,"x":2}}',
  );
  const { code, out } = await temp.run(["config", "unset", "clarify.retryDelaySeconds"]);
  assertEquals([code, out], [0, "  clarify.retryDelaySeconds is no longer set\n"]);
  await temp.run(["config", "unset", "memory.enabled"]);
  assertEquals(JSON.parse(temp.read(CONFIG)), { mine: 1, memory: { x: 2 } });
});

Deno.test("config unset refuses what is not set", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat" } });
  await temp.run(["config", "set", "agents.architect.timeoutSeconds", "9"]);
  const before = temp.snapshot();
  for (const key of ["gate.timeout", "nonsense", "agents.engineer", "mode.x", "__proto__.x"]) {
    assertEquals((await temp.run(["config", "unset", key])).code, 4, key);
  }
  assertEquals((await temp.run(["config", "unset"])).code, 2);
  assertEquals((await temp.run(["config", "unset", "--global", "agents.architect"])).code, 4);
  assertEquals(temp.snapshot(), before);
  assertEquals((await temp.run(["config", "unset", "agents.architect"])).code, 0);
});

Deno.test("config says once which setting has no effect", async () => {
  using temp = new TempWorkspace();
  const set = async (key: string, value: string) => await temp.run(["config", "set", key, value]);
  assertEquals((await set("gate.timeout", "never")).err, "");
  assertEquals((await set("memory.maxTokens", "9")).err, "");
  assertEquals((await set("agents.architect.command", '["cat"]')).code, 0);
  const repository = "github.repository has no effect in mode local";
  assertEquals((await set("github.repository", "a/b")).err, `note: ${repository}\n`);
  const { code, err } = await temp.run(["config", "show"]);
  assertEquals([code, err], [0, `note: ${repository}\n`]);
  assertEquals((await temp.run(["config", "get", "memory"])).err, "");
  // deno-lint-ignore no-explicit-any -- what was just printed
  const findings: any[] = (await temp.json(["doctor"])).findings;
  assertEquals(findings.filter(({ message }) => message.includes("no effect")).length, 1);
});

Deno.test("config set takes the time limit of an agent before its command", async () => {
  using temp = new TempWorkspace();
  const set = ["config", "set", "agents.architect.timeoutSeconds", "600"];
  assertEquals((await temp.run(set)).code, 0);
  assertEquals(JSON.parse(temp.read(CONFIG)).agents.architect, { timeoutSeconds: 600 });
});

Deno.test("config unset removes a setting of the repository, or with --global the user's", async () => {
  using temp = new TempWorkspace();
  temp.user.configure({ defaultWorkflow: "bug" });
  const key = "defaultWorkflow";
  const type = async (...flags: string[]) =>
    (await temp.json(["config", "get", key, ...flags])).value;
  await temp.run(["config", "set", "--local", key, "docs"]);
  assertEquals([await type(), await type("--local"), await type("--global")], [
    "docs",
    "docs",
    "bug",
  ]);
  assertEquals((await temp.run(["config", "unset", key])).out, `  ${key} is no longer set\n`);
  assertEquals([await type(), await type("--local")], ["bug", "feature"]);
  assertEquals((await temp.run(["config", "unset", "--global", key])).code, 0);
  assertEquals([await type(), await type("--global")], ["feature", "feature"]);
});

for (const name of ["get", "set", "unset"]) {
  Deno.test(`config ${name} refuses --global together with --local`, async () => {
    using temp = new TempWorkspace();
    const value = name === "set" ? ["local"] : [];
    const { error } = await temp.json(["config", name, "--global", "--local", "mode", ...value]);
    assertEquals([error.code, error.details.field], ["INVALID_INPUT", "--local"]);
  });
}
