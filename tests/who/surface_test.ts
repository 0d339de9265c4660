/**
 * Who may decide what, by surface (DESIGN section 6): each row of the table, where it can be with real
 * processes and a real terminal.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { type DecisionKind, type Surface, WHO_MAY_DECIDE } from "../../lib/who/surface.ts";
import { type CallError, Calls } from "../../lib/vscode/calls.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { TempBoard } from "../board/temp_board.ts";
import type { FakeIoOptions } from "../cli/fake_io.ts";
import { Pty } from "../pty.ts";
import { AGENTX, ASK, ended, environment, type Ran, TempWorkspace } from "../temp_workspace.ts";
import { SHELL } from "../temp_user.ts";
import { FakeEditor } from "../vscode/fake_vscode.ts";

const DEEDS: readonly DecisionKind[] = ["clarification", "gate", "security", "trust"];

/** What each decision takes, and whether it was done. */
const WORDS: Record<DecisionKind, string[]> = {
  clarification: ["clarify", "resolve", "CLR-42-001", "PostgreSQL."],
  gate: ["answer", "ASK-001", "b"],
  security: ["answer", "ASK-001", "b"],
  trust: ["trust"],
};

/** Runs `agentx` somewhere. */
type Run = (temp: TempWorkspace, words: string[], typed: string) => Promise<Ran>;

/** A workspace in which something waits to be decided. */
async function waitingFor(decision: DecisionKind): Promise<TempWorkspace> {
  const isTrusted = decision === "clarification";
  const temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" }, isTrusted });
  const user = { env: { CI: "" } };
  if (decision === "clarification") await temp.run(ASK, user);
  if (decision === "gate" || decision === "security") {
    const changes = decision === "security" ? DANGEROUS : {};
    assertEquals((await temp.run([...askWords(changes), "--no-wait"], user)).code, 7);
  }
  for (const name of ["AGENTX_TRUST", "CI"]) Deno.env.delete(name);
  return temp;
}

/** How it was decided, in the words of the table. */
async function decided(decision: DecisionKind, run: Run): Promise<string> {
  using temp = await waitingFor(decision);
  const refused = await run(temp, WORDS[decision], decision === "trust" ? "y\n" : "\n");
  const how = await standing(temp, decision);
  if (how !== "no") return how;
  assert(refused.code !== 0, `${decision}: ${refused.out}`);
  await run(temp, WORDS[decision], "I decide\n");
  return await standing(temp, decision) === "no" ? "no" : "word";
}

async function standing(temp: TempWorkspace, decision: DecisionKind): Promise<string> {
  if (decision === "trust") {
    return (await temp.json(["trust", "--print"])).isTrusted ? "yes" : "no";
  }
  if (decision === "clarification") {
    const { status, thread } = temp.ledger().clarifications[0];
    const { from, verified } = thread.at(-1) as { from: string; verified?: boolean };
    if (from !== "human") return from === "agent-x" ? "as agent" : `${from}`;
    return status !== "resolved" ? "no" : verified ? "yes" : "unverified";
  }
  const { interaction } = await temp.json(["ask-user", "--id", "ASK-001", "--no-wait"]);
  if (interaction.outcome !== "human") return "no";
  return interaction.verified ? "yes" : "unverified";
}

/** At a pseudo-terminal, below these words. */
function atTerminal(above: readonly string[], env: Record<string, string> = {}): Run {
  return async (temp, words, typed) => {
    const argv = [...above, ...AGENTX.split(" "), ...words];
    await using pty = new Pty(argv, { cwd: temp.root, env: { ...environment(), ...env } });
    await pty.type(typed);
    return { code: await pty.ended(), out: pty.out, err: "" };
  };
}

/** Below a shell, as a person has one. */
const PERSON = atTerminal(["sh", "-c", '"$@"; exit $?', "sh"]);

function piped(env: Record<string, string>, above: readonly string[] = []): Run {
  const program = [...above, ...AGENTX.split(" ")];
  return (temp, words) => ended(temp.spawn(words, { program, env }));
}

/** In this process, below these processes. */
function below(ancestors: ReturnType<typeof sys.ancestors>): Run {
  return async (temp, words, stdin) => {
    const { ancestors: before } = sys;
    sys.ancestors = () => ancestors;
    try {
      return await temp.run(words, { terminal: true, stdin });
    } finally {
      sys.ancestors = before;
    }
  };
}

/** What a click runs, by the words of a command line. */
const CLICKS: Readonly<Record<string, (words: string[]) => object>> = {
  clarify: ([, , id, conclusion]) => ({ command: "clarify resolve", input: { id, conclusion } }),
  answer: ([, id, answer]) => ({ command: "answer", input: { id, answer } }),
  trust: () => ({ command: "trust" }),
};

/** In a browser, on a board that was started here. */
function atBoard(startedAt: FakeIoOptions, ancestors = [SHELL]): Run {
  return async (temp, words, typed) => {
    const { ancestors: before } = sys;
    sys.ancestors = () => ancestors;
    try {
      await using board = await TempBoard.start(temp, startedAt);
      let reply = await board.act(CLICKS[words[0]](words));
      while (reply.ask) reply = await board.act({ id: reply.ask.id, line: typed });
      const { error, exitCode = 1, result = "" } = reply;
      return { code: exitCode, out: result, err: error?.message ?? "" };
    } finally {
      sys.ancestors = before;
    }
  };
}

/** By a click in an editor that these processes started. */
function inEditor(ancestors = [SHELL]): Run {
  return async (temp, [command, ...rest], typed) => {
    const { ancestors: before } = sys;
    sys.ancestors = () => ancestors;
    try {
      const calls = new Calls(new FakeEditor().port(), () => Promise.resolve(typed.trim()));
      const words = command === "clarify"
        ? ["clarify resolve", ...rest.slice(1)]
        : [command, ...rest];
      const { code } = await calls.run(words as [string], temp.root, { isClick: true });
      return { code, out: "", err: "" };
    } catch (error) {
      return { code: 1, out: "", err: (error as CallError).message };
    } finally {
      sys.ancestors = before;
    }
  };
}

const ROWS: [name: string, surface: Surface, run: Run][] = [
  ["a terminal", "terminal", PERSON],
  [
    "a terminal whose shell cannot be read",
    "unread terminal",
    below([{
      ...SHELL,
      variables: undefined,
    }]),
  ],
  ["a terminal where nothing above can be read", "unread terminal", below([])],
  [
    "a terminal below an agent's process, or its server of terminals",
    "agent",
    atTerminal(["env", "-u", "CLAUDECODE"], { CLAUDECODE: "1" }),
  ],
  [
    "a terminal below a program of a host",
    "agent",
    below([SHELL, { ...SHELL, programs: ["node", "node", "/usr/bin/codex.js"] }]),
  ],
  ["a terminal in an agent's session", "agent", atTerminal([], { CODEX_CI: "1" })],
  ["a pipe in an agent's session", "agent", piped({ GEMINI_CLI: "1" })],
  ["CI", "ci", piped({ CI: "true" })],
  ["a pipe", "pipe", piped({})],
  ["a board that was started at a terminal", "board", atBoard({})],
  [
    "a board of a terminal whose shell cannot be read",
    "unread terminal",
    atBoard({}, [{ ...SHELL, variables: undefined }]),
  ],
  ["a board that was started in a pipe", "pipe", atBoard({ terminal: false })],
  ["a click in an editor", "editor", inEditor()],
  [
    "a click in an editor that an agent started",
    "agent",
    inEditor([SHELL, { ...SHELL, programs: ["codex"] }]),
  ],
  ["an orphan without a terminal", "pipe", piped({}, ["setsid", "--fork", "--wait"])],
];

for (const [name, surface, run] of ROWS) {
  Deno.test(`Who may decide at ${name}`, async () => {
    for (const decision of DEEDS) {
      const { [decision]: ruling } = WHO_MAY_DECIDE[surface];
      const expected = decision === "trust" && ruling === "variable" ? "no" : ruling;
      assertEquals(await decided(decision, run), expected, decision);
    }
  });
}
