/**
 * Agents that are run by presets, on programs that print what the hosts were seen to print.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";

const ID = "4e55638c-a07c-488e-abf4-2f336ea29e7f";

const CLAUDE_SAYS = (result: string, isError = false) =>
  JSON.stringify({ type: "result", is_error: isError, result, session_id: ID });

const CODEX_SAYS = (text: string) =>
  [
    { type: "thread.started", thread_id: ID },
    { type: "item.completed", item: { type: "agent_message", text } },
    { type: "turn.completed" },
  ].map((event) => JSON.stringify(event)).join("\n");

/** Prints what the file holds, whatever is in it. */
function printing(text: string): string {
  return `cat <<'END'\n${text}\nEND`;
}

/** A workspace whose architect has presets, and programs of their names. */
class Presets extends TempWorkspace {
  constructor(preset: string | string[], more: object = {}) {
    super();
    const env = { PATH: `${this.root}/bin:/usr/bin:/bin`, ROOT: this.root };
    const config = {
      clarify: { retryDelaySeconds: 0 },
      agents: { architect: { preset, env, ...more } },
    };
    this.write(".agentx/config.json", JSON.stringify(config));
  }

  /** A script under the name of a program; what it is called with is kept. */
  program(name: string, script: string): void {
    const note = `printf '%s\\n' "$*" >>"$ROOT/${name}.calls"\ncat >"$ROOT/${name}.prompt"`;
    this.write(`bin/${name}`, `#!/bin/sh\n${note}\n${script}\n`);
    Deno.chmodSync(`${this.root}/bin/${name}`, 0o755);
  }

  /** The command lines with which a program was called. */
  calls(name: string): string[] {
    return this.has(`${name}.calls`) ? this.read(`${name}.calls`).trimEnd().split("\n") : [];
  }

  get thread() {
    return this.ledger().clarifications[0].thread;
  }
}

Deno.test("a preset is asked on standard input, and the record says who answered", async () => {
  using temp = new Presets("claude");
  temp.program("claude", printing(CLAUDE_SAYS("Both.")));
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, err.includes("failed")], [0, false], out + err);
  const { body, runner, session } = temp.thread[1];
  assertEquals([body, runner, session], ["Both.", "claude", ID]);
  assert(temp.read("claude.prompt").includes("> PostgreSQL or SQLite?"));
  assert(/\[Round 1\] architect -> engineer {2}\(\S+ \S+, claude\)/.test(out), out);
});

Deno.test("a follow-up goes on with the session of the answer before", async () => {
  using temp = new Presets("claude");
  temp.program("claude", printing(CLAUDE_SAYS("Both.")));
  await temp.run(ASK);
  const { code } = await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  const [first, second, ...more] = temp.calls("claude");
  assertEquals([code, more.length], [0, 0]);
  assert(!first.includes("--resume") && second.endsWith(`--resume ${ID}`), second);
});

Deno.test("a follow-up begins a new session where the one before is gone", async () => {
  using temp = new Presets("claude");
  const gone = 'case "$*" in *--resume*) echo "No conversation found" >&2; exit 1;; esac';
  temp.program("claude", `${gone}\n${printing(CLAUDE_SAYS("Both."))}`);
  await temp.run(ASK);
  const { code } = await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals([code, temp.calls("claude").length, temp.thread.length], [0, 3, 4]);
  assert(temp.read("claude.prompt").includes("> And pooling?"));
});

Deno.test("a follow-up is not put to a session of another host", async () => {
  using temp = new Presets(["claude", "codex"]);
  temp.program("codex", printing(CODEX_SAYS("Both.")));
  await temp.run(ASK);
  assertEquals(temp.thread[1].runner, "codex");
  temp.program("claude", printing(CLAUDE_SAYS("By configuration.")));
  await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals([temp.thread[3].runner, temp.calls("claude").length], ["claude", 1]);
  assert(!temp.calls("claude")[0].includes("--resume"));
});

const LIMIT = CLAUDE_SAYS("API Error: 429 rate limit", true);

/** How the first fails, and what is said of it. */
const FIRST_FAILS: [name: string, script: string | undefined, says: string][] = [
  ["is missing", undefined, 'there is no program "claude"'],
  ["is rate-limited", `${printing(LIMIT)}\nexit 1`, "API Error: 429 rate limit"],
  ["reports an error and ends well", printing(LIMIT), "it reported an error: API Error: 429"],
  ["fails", "echo broken >&2; exit 3", "exit code 3: broken"],
  ["prints nothing", "true", "its output ended before its answer was complete"],
  ["prints half an answer", 'printf \'{"type":"result","is_er\'', "its output ended before"],
  ["prints text that is no reply", "echo 'Welcome to Claude'", "its output ended before"],
];

for (const [name, script, says] of FIRST_FAILS) {
  Deno.test(`the second preset answers where the first ${name}`, async () => {
    using temp = new Presets(["claude", "codex"]);
    if (script !== undefined) temp.program("claude", script);
    temp.program("codex", printing(CODEX_SAYS("Both.")));
    const { code, err } = await temp.run(ASK);
    assertEquals([code, temp.thread[1].runner, temp.thread[1].body], [0, "codex", "Both."], err);
    assert(err.includes(`note: claude failed for architect (`) && err.includes(says), err);
    assert(err.includes("); trying codex"), err);
  });
}

Deno.test("all presets are tried once more, and then a person reads why each failed", async () => {
  using temp = new Presets(["claude", "codex"]);
  temp.program("claude", `${printing(LIMIT)}\nexit 1`);
  temp.program("codex", "echo broken >&2; exit 3");
  const { code } = await temp.run(ASK);
  assertEquals([code, temp.calls("claude").length, temp.calls("codex").length], [7, 2, 2]);
  const { type, body } = temp.thread[1];
  const [reason] = body.split("\n");
  assertEquals(type, "escalation");
  assert(reason.includes("claude: exit code 1: API Error: 429 rate limit"), reason);
  assert(reason.includes("; codex: exit code 3: broken"), reason);
  assert(!body.includes("{"), body);
});

Deno.test("no preset is tried again where no second run can help any of them", async () => {
  using temp = new Presets(["claude", "codex"]);
  temp.program("claude", `${printing(CLAUDE_SAYS("API Error: 401 no", true))}\nexit 1`);
  const { code } = await temp.run(ASK);
  assertEquals([code, temp.calls("claude").length], [7, 1]);
  const why = "since claude: the request was refused, codex: there is no such program";
  assert(temp.thread[1].body.includes(why), temp.thread[1].body);
});

Deno.test("the output of a broken run is kept for the person who decides", async () => {
  using temp = new Presets("codex");
  temp.program(
    "codex",
    `${printing(CODEX_SAYS("Postgre").replace(/\n.*completed"}$/, ""))}\nexit 1`,
  );
  await temp.run(ASK);
  const { type, body } = temp.thread[1];
  assertEquals(type, "escalation");
  assert(body.includes("End of its standard output:\n    Postgre"), body);
});

Deno.test("a command wins over a preset, and the record says nothing of who answered", async () => {
  using temp = new Presets("claude", { command: ["sh", "-c", "cat >/dev/null; echo Mine."] });
  temp.program("claude", printing(CLAUDE_SAYS("Both.")));
  await temp.run(ASK);
  assertEquals([temp.thread[1].body, temp.calls("claude")], ["Mine.", []]);
  assertEquals("runner" in temp.thread[1], false);
});

Deno.test("a preset sets what its program needs, unless the settings say otherwise", async () => {
  for (const [settings, retries] of [[{}, "2"], [{ CLAUDE_CODE_MAX_RETRIES: "7" }, "7"]] as const) {
    using temp = new Presets("claude");
    const config = JSON.parse(temp.read(".agentx/config.json"));
    Object.assign(config.agents.architect.env, settings);
    temp.write(".agentx/config.json", JSON.stringify(config));
    temp.program("claude", `echo "$CLAUDE_CODE_MAX_RETRIES" >"$ROOT/retries"; exit 1`);
    await temp.run(ASK);
    assertEquals(temp.read("retries").trim(), retries);
  }
});

Deno.test("a forged session in a ledger that could be an option is refused with the ledger", async () => {
  using temp = new Presets("claude");
  temp.program("claude", printing(CLAUDE_SAYS("Both.")));
  await temp.run(ASK);
  const ledger = temp.ledger();
  ledger.clarifications[0].thread[1].session = "--dangerously-skip-permissions";
  temp.write(temp.ledgerPath(42), JSON.stringify(ledger));
  const { code } = await temp.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals([code, temp.calls("claude").length], [8, 1]);
});

const NO_MODEL = CLAUDE_SAYS(
  "There's an issue with the selected model (opus). It may not exist or you may not have access to it.",
  true,
);

/** Refuses each run that names opus. */
const WITHOUT_OPUS = `case "$*" in *"--model opus"*) ${printing(NO_MODEL)}\nexit 1;; esac\n` +
  printing(CLAUDE_SAYS("Both."));

Deno.test("a preset is run with the first model of the role's file that its host has", async () => {
  using temp = new Presets("claude");
  temp.write(".github/agents/architect.agent.md", "---\nmodel: [opus, sonnet]\n---\nYou decide.\n");
  temp.program("claude", WITHOUT_OPUS);
  const { code, err } = await temp.run(ASK);
  assertEquals([code, temp.thread[1].body], [0, "Both."], err);
  const [first, second, ...more] = temp.calls("claude");
  assertEquals(more, []);
  assert(first.includes("--model opus") && second.includes("--model sonnet"), second);
  assert(err.includes("note: architect: the model opus is not available; trying sonnet"), err);
});

Deno.test("a preset is run with the model of its host where there is none of the role's file", async () => {
  using temp = new Presets("claude");
  temp.write(".github/agents/architect.agent.md", "---\nmodel: opus\n---\n");
  temp.program("claude", WITHOUT_OPUS);
  const { code, err } = await temp.run(ASK);
  assertEquals([code, temp.calls("claude").length], [0, 2], err);
  assert(!temp.calls("claude")[1].includes("--model"));
});

Deno.test("the second model of a role answers where the first is at its limit, and the thread names it", async () => {
  using temp = new Presets("claude");
  temp.write(".github/agents/architect.agent.md", "---\nmodel: [opus, sonnet]\n---\n");
  const limited = `case "$*" in *"--model opus"*) ${printing(LIMIT)}\nexit 1;; esac\n`;
  temp.program("claude", limited + printing(CLAUDE_SAYS("Both.")));
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, temp.thread[1].body, temp.thread[1].model], [0, "Both.", "sonnet"], err);
  assertEquals(temp.calls("claude").length, 2);
  assert(err.includes("note: architect: the model opus is at its limit; trying sonnet"), err);
  assert(out.includes("claude sonnet)"), out);
});

Deno.test("a model is no remedy for another failure", async () => {
  using temp = new Presets("claude");
  temp.write(".github/agents/architect.agent.md", "---\nmodel: [opus, sonnet]\n---\n");
  temp.program("claude", "echo broken >&2; exit 3");
  await temp.run(ASK);
  assert(temp.calls("claude").every((call) => call.includes("--model opus")));
});

Deno.test("a model that the repository names is passed on once the user has agreed to it", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const program = `${temp.user.path}/bin/claude`;
  const env = { PATH: `${temp.user.path}/bin:/usr/bin:/bin` };
  temp.user.configure({ agents: { architect: { preset: "claude", env } } });
  Deno.mkdirSync(`${temp.user.path}/bin`);
  const script = `printf '%s\\n' "$*" >>'${program}.calls'\n${printing(CLAUDE_SAYS("Both."))}`;
  Deno.writeTextFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  temp.write(".github/agents/architect.agent.md", "---\nmodel: opus\n---\n");
  const { code, out, err } = await temp.run(ASK);
  assertEquals(code, 0, out + err);
  assert(err.includes("architect does not get its model (opus) before you agree to it"), err);
  assert(!Deno.readTextFileSync(`${program}.calls`).includes("--model"));
  const plan = await temp.run(["trust", "--print"]);
  assert(/These models would be asked, by role:\n +architect: opus/.test(plan.out), plan.out);
});
