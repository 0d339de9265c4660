import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const SAYS = (result: string, isError = false) =>
  `cat >/dev/null; cat <<'END'\n${
    JSON.stringify({ type: "result", is_error: isError, result, session_id: "4e55638c-a07c" })
  }\nEND`;

/** A workspace with programs of its own, which every command that lists agents could run by mistake. */
class Desk extends TempWorkspace {
  constructor(agents: Record<string, object>, { isTrusted = true } = {}) {
    super({ isTrusted });
    const env = { PATH: `${this.root}/bin:/usr/bin:/bin` };
    const withPath = Object.entries(agents).map(([role, agent]) => [role, { env, ...agent }]);
    const config = { agents: Object.fromEntries(withPath), clarify: { retryDelaySeconds: 0 } };
    this.write(".agentx/config.json", JSON.stringify(config));
  }

  program(path: string, script: string): void {
    this.write(path, `#!/bin/sh\necho run >>'${this.root}/ran'\n${script}\n`);
    Deno.chmodSync(`${this.root}/${path}`, 0o755);
  }

  /** Installs the program of a preset as npm does. */
  install(name: string, { packageName, version, script }: Record<string, string>): void {
    const folder = `lib/node_modules/${packageName}`;
    this.write(`${folder}/package.json`, JSON.stringify({ name: packageName, version }));
    this.program(`${folder}/bin/${name}.js`, script);
    Deno.mkdirSync(`${this.root}/bin`, { recursive: true });
    Deno.symlinkSync(`../${folder}/bin/${name}.js`, `${this.root}/bin/${name}`);
  }
}

const CLAUDE = { packageName: "@anthropic-ai/claude-code", version: "2.1.197" };

Deno.test("agents lists how each agent is run, in which version, and runs nothing", async () => {
  using desk = new Desk({
    architect: { preset: ["claude", "codex", "http"], http: { url: "https://x.org", model: "m" } },
    reviewer: { command: ["reviewer.sh"] },
    engineer: { timeoutSeconds: 5 },
    tester: { preset: "http", http: { url: "https://x.org", model: "m", keyEnv: "NO_SUCH_KEY" } },
  });
  desk.install("claude", { ...CLAUDE, script: "true" });
  desk.program("bin/reviewer.sh", "true");
  const { agents, kind } = await desk.json(["agents"]);
  assertEquals(kind, "agents.list");
  const rows = agents.map((row: Record<string, unknown>) => {
    const { agent, way, isFound, version, isTrusted, last } = row;
    return [agent, way, isFound, version, isTrusted, last];
  });
  assertEquals(rows, [
    ["architect", "claude", true, "2.1.197", true, null],
    ["architect", "codex", false, null, true, null],
    ["architect", "http", true, null, true, null],
    ["reviewer", "command", true, null, true, null],
    ["engineer", null, false, null, true, null],
    ["tester", "http", false, null, true, null],
  ]);
  assertEquals(agents[0].path, `${desk.root}/bin/claude`);
  assertEquals(desk.has("ran"), false);
});

Deno.test("agents finds the version in the folder of a native install", async () => {
  using desk = new Desk({ architect: { preset: "claude" } });
  desk.program("share/claude/versions/2.1.330/claude", "true");
  Deno.mkdirSync(`${desk.root}/bin`);
  Deno.symlinkSync("../share/claude/versions/2.1.330/claude", `${desk.root}/bin/claude`);
  assertEquals((await desk.json(["agents"])).agents[0].version, "2.1.330");
});

Deno.test("agents says of which agents nobody agreed to", async () => {
  using desk = new Desk({ architect: { preset: "claude" } }, { isTrusted: false });
  desk.install("claude", { ...CLAUDE, script: "true" });
  const { agents } = await desk.json(["agents"]);
  assertEquals([agents[0].isTrusted, desk.has("ran")], [false, false]);
});

Deno.test("agents tells how the last run of each ended", async () => {
  using desk = new Desk({ architect: { preset: ["claude", "codex"] } });
  desk.program("bin/claude", SAYS("API Error: 401 ghp_16C7e42F292c6912E7710c838347Ae178B4a", true));
  desk.program("bin/codex", "echo broken >&2; exit 3");
  await desk.run(ASK);
  const { agents: [claude, codex] } = await desk.json(["agents"]);
  assertEquals([claude.last.outcome, codex.last.outcome], ["failed", "failed"]);
  assert(claude.last.reason.includes("401 [redacted: "), claude.last.reason);
  assert(!desk.read(".agentx/state/agent-results.json").includes("ghp_16C7"));
  desk.program("bin/claude", SAYS("Both."));
  await desk.run(["agents", "test", "architect"]);
  const { out } = await desk.run(["agents"]);
  assert(/architect +claude +yes +- +yes +answered 0s ago/.test(out), out);
  assert(/architect +codex +yes +- +yes +failed \d+s ago: exit code 3: broken/.test(out), out);
});

Deno.test("agents fits 80 columns, with the names whole", async () => {
  using desk = new Desk({ "customer-coach": { preset: "opencode" } });
  const path = Deno.env.get("PATH")!;
  using _ = { [Symbol.dispose]: () => Deno.env.set("PATH", path) };
  Deno.env.set("PATH", `${desk.root}/bin:${path}`);
  for (const name of ["claude", "codex", "gemini", "copilot"]) {
    desk.install(name, { packageName: `x/${name}`, version: "2.0.0", script: "true" });
  }
  desk.program("bin/opencode", `echo '${"x".repeat(150)}' >&2; exit 3`);
  await desk.run(["agents", "test", "customer-coach"]);
  const { out } = await desk.run(["agents"], { terminal: true, columns: 80 });
  // deno-lint-ignore no-control-regex -- colours take no room
  const lines = out.replace(/\x1b\[\d+m/g, "").split("\n");
  assert(lines.every((line) => line.length <= 80), out);
  assert(/customer-coach +opencode +yes/.test(out), out);
});

Deno.test("agents says who answers where no agent is configured, and what could", async () => {
  using temp = new TempWorkspace();
  const { code, out } = await temp.run(["agents"]);
  assert(code === 0 && out.includes("No agent is configured: humans answer."), out);
  assert(out.includes("agentx config set agents.architect.preset "), out);
});

Deno.test("agents leaves a forged or broken file of results alone", async () => {
  using desk = new Desk({ architect: { preset: "claude" } });
  for (const text of ["{", "[]", '{"architect":{"claude":{"at":"x"}}}', '{"__proto__":5}']) {
    desk.write(".agentx/state/agent-results.json", text);
    assertEquals((await desk.run(["agents"])).code, 8, text);
    assertEquals(desk.read(".agentx/state/agent-results.json"), text);
  }
});

Deno.test("an answer counts where how it came cannot be kept", async () => {
  using desk = new Desk({ architect: { preset: "claude" } });
  desk.program("bin/claude", SAYS("Both."));
  desk.write(".agentx/state/agent-results.json", "{");
  const { code, err } = await desk.run(ASK);
  assertEquals([code, desk.ledger().clarifications[0].thread[1].body], [0, "Both."]);
  assert(err.includes("how architect ended is not kept"), err);
});

Deno.test("agents test shows what was sent and printed, and the answer that was read", async () => {
  using desk = new Desk({ architect: { preset: "claude" } });
  desk.program("bin/claude", SAYS("ready"));
  const { code, out } = await desk.run(["agents", "test", "architect"]);
  assertEquals(code, 0, out);
  for (
    const part of [
      'Answer with the one word "ready".',
      "claude -p --output-format json",
      "CLAUDE_CODE_MAX_RETRIES",
      "Standard output (exit code 0)",
      '"is_error":false',
      "  Answer\n    ready\n",
      ", session 4e55638c-a07c",
    ]
  ) assert(out.includes(part), out);
  const { runs, reply, prompt } = await desk.json(["agents", "test", "architect", "And now?"]);
  assertEquals([prompt, runs.length, reply.text, reply.runner], ["And now?", 1, "ready", "claude"]);
});

Deno.test("agents test shows each run of a list, and exits 1 where none answered", async () => {
  using desk = new Desk({ architect: { preset: ["claude", "codex", "gemini"] } });
  desk.program("bin/claude", "printf '\\033[2Jno\\n' >&2; exit 3");
  desk.program("bin/codex", "sleep 0; exit 4");
  const { code, out } = await desk.run(["agents", "test", "architect"]);
  assertEquals(code, 1);
  assert(out.includes("Standard error\n    \\u{1b}[2Jno\n"), out);
  assert(out.includes("architect failed after "), out);
  const { runs, reply, reason } = await desk.json(["agents", "test", "architect"]);
  const outcomes = runs.map(({ outcome }: { outcome: string }) => outcome);
  assertEquals([outcomes, reply], [["exit code 3", "exit code 4", "not-found"], null]);
  assert(reason.includes('gemini: there is no program "gemini"'), reason);
});

Deno.test("agents test names no value of a variable", async () => {
  using desk = new Desk({ architect: { preset: "claude", env: { MY_SETTING: "hush-hush" } } });
  const { out } = await desk.run(["agents", "test", "architect", "--json"]);
  assert(!out.includes("hush-hush"), out);
});

/** What cannot be tested, and with which exit code that is said. */
const REFUSED: [name: string, argv: string[], code: number][] = [
  ["an agent that is not run", ["engineer"], 4],
  ["an agent that nobody knows", ["architct"], 2],
  ["no name", ["../x"], 2],
  ["nothing", [], 2],
];

for (const [name, argv, code] of REFUSED) {
  Deno.test(`agents test refuses ${name}`, async () => {
    using desk = new Desk({ architect: { preset: "claude" } });
    const ran = await desk.run(["agents", "test", ...argv]);
    assertEquals([ran.code, ran.out], [code, ""], ran.err);
  });
}

Deno.test("agents test runs nothing to which nobody agreed", async () => {
  using desk = new Desk({ architect: { preset: "claude" } }, { isTrusted: false });
  desk.program("bin/claude", SAYS("ready"));
  const { code } = await desk.run(["agents", "test", "architect"]);
  assertEquals([code, desk.has("ran")], [6, false]);
});

Deno.test("agents says how to choose one only where none is chosen", async () => {
  const says = "Choose one with: agentx config set agents.architect.preset";
  using desk = new Desk({ engineer: { timeoutSeconds: 5 } });
  const none = (await desk.run(["agents"])).out;
  assert(none.includes(says), none);
  using chosen = new Desk({ engineer: { timeoutSeconds: 5 }, architect: { preset: "claude" } });
  const { out } = await chosen.run(["agents"]);
  assert(out.includes("Installed here:") && !out.includes("Choose one"), out);
});
