/**
 * Every bad input of the issue about the command line: the exit code, the error code, what to do
 * next, and not a byte on the disk.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import type { ErrorCode } from "../../lib/base/errors.ts";
import { sys } from "../../lib/sys/mod.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { ASK, snapshotOf, TempWorkspace } from "../temp_workspace.ts";

/** The example's first question with one flag changed or, for null, left out. */
function ask(flag: string, value: string | null): string[] {
  const words: string[] = [...ASK];
  const index = words.indexOf(flag);
  words.splice(index, 2, ...(value === null ? [] : [flag, value]));
  return words;
}

function question(text: string): string[] {
  return [...ASK.slice(0, -1), text];
}

function follow(...words: string[]): string[] {
  return ["clarify", ...words];
}

interface Bad {
  argv: readonly string[];
  exit: number;
  code: ErrorCode;
  /** Of the details. */
  field?: string;
  stdin?: string;
  env?: Record<string, string>;
  /** Spoils the workspace before. */
  spoil?: (temp: TempWorkspace) => void;
}

function misuse(argv: readonly string[], field: string, more: Partial<Bad> = {}): Bad {
  return { argv, exit: 2, code: "INVALID_INPUT", field, ...more };
}

const LONG = "x".repeat(2_001);

/** CLR-42-001 is there and pending. */
const CASES: Record<string, Bad> = {
  "an unknown requester": misuse(ask("--from", "astronaut"), "from"),
  "a requester that is no name": misuse(ask("--from", "Engineer"), "--from"),
  "a target that is a path": misuse(ask("--to", "../x"), "--to"),
  "an actor that is no name": misuse([...ASK, "--as", "a b"], "--as"),
  "a running agent that is no name": misuse(ASK, "AGENTX_AGENT", {
    env: { AGENTX_AGENT: "$(id)" },
  }),
  "an agent that says it is another": misuse([...ASK, "--as", "human"], "--as", {
    env: { AGENTX_AGENT: "engineer" },
  }),
  "a target outside of the scope": {
    argv: ask("--to", "reviewer"),
    exit: 6,
    code: "SCOPE_VIOLATION",
  },
  "an unknown target": { argv: ask("--to", "astronaut"), exit: 2, code: "INVALID_INPUT" },
  "a requester that may ask nobody": {
    argv: ask("--from", "tester"),
    exit: 6,
    code: "SCOPE_VIOLATION",
  },
  "a question that blocks where it may not": {
    argv: [...ASK, "--workflow", "bug"],
    exit: 6,
    code: "SCOPE_VIOLATION",
  },
  "issue 0": misuse(ask("--issue", "0"), "--issue"),
  "issue -1": misuse(ask("--issue", "-1"), "--issue"),
  "issue 1.5": misuse(ask("--issue", "1.5"), "--issue"),
  "issue ../x": misuse(ask("--issue", "../x"), "--issue"),
  "issue 1e3": misuse(ask("--issue", "1e3"), "--issue"),
  "an issue that is too large": misuse(ask("--issue", "1000000000"), "--issue"),
  "issue 0 in a list": misuse(["clarify", "--issue", "0"], "--issue"),
  "issue ../x in a list": misuse(["clarify", "--issue", "../x"], "--issue"),
  "issue 0 in a state": misuse(["state", "engineer", "--set", "idle", "--issue", "0"], "--issue"),
  "an empty topic": misuse(ask("--topic", ""), "--topic"),
  "a blank topic": misuse(ask("--topic", " \t"), "--topic"),
  "an over-long topic": misuse(ask("--topic", "x".repeat(201)), "--topic"),
  "an empty question": misuse(question(""), "QUESTION"),
  "a blank question": misuse(question(" \n"), "QUESTION"),
  "an over-long question": misuse(question(LONG), "QUESTION"),
  "an over-long question on stdin": misuse(question("-"), "QUESTION", { stdin: LONG }),
  "an empty standard input": misuse(question("-"), "QUESTION"),
  "no question": misuse(ASK.slice(0, -1), "QUESTION"),
  "no --issue": misuse(ask("--issue", null), "--issue"),
  "no --from": misuse(ask("--from", null), "--from"),
  "no --to": misuse(ask("--to", null), "--to"),
  "a flag without its value": misuse([...ASK, "--workflow"], "--workflow"),
  "an unknown flag": misuse([...ASK, "--bloking"], "--bloking"),
  "a flag given twice": misuse([...ASK, "--issue", "43"], "--issue"),
  "a word too many": misuse([...ASK, "one", "two"], "two"),
  "no rounds": misuse([...ASK, "--max-rounds", "0"], "--max-rounds"),
  "more rounds than the workflow allows": misuse([...ASK, "--max-rounds", "9"], "max-rounds"),
  "an unknown workflow": { argv: [...ASK, "--workflow", "x"], exit: 4, code: "NOT_FOUND" },
  "a workflow that is a path": misuse([...ASK, "--workflow", "../x"], "workflow"),
  "a workflow of another type": { argv: ["workflow", "x"], exit: 4, code: "NOT_FOUND" },
  "a bad id to answer": misuse(follow("answer", "CLR-42-x", "x"), "CLR-N-NNN"),
  "an id that is a path": misuse(follow("resolve", "CLR-42-001/../x"), "CLR-N-NNN"),
  "an id of another kind": misuse(follow("escalate", "42"), "CLR-N-NNN"),
  "a bad id to ask again": misuse(follow("ask", "CLR-0-001", "x"), "CLR-N-NNN"),
  "no id": misuse(follow("resolve"), "CLR-N-NNN"),
  "no answer": misuse(follow("answer", "CLR-42-001"), "TEXT"),
  "an empty answer": misuse(follow("answer", "CLR-42-001", ""), "TEXT"),
  "an over-long answer": misuse(follow("answer", "CLR-42-001", LONG), "TEXT"),
  "an over-long conclusion": misuse(follow("resolve", "CLR-42-001", LONG), "TEXT"),
  "an over-long reason": misuse(follow("escalate", "CLR-42-001", LONG), "TEXT"),
  "a wait without unit": misuse(follow("wait", "CLR-42-001", "--timeout", "9"), "--timeout"),
  "an id that is not there": {
    argv: follow("answer", "CLR-42-009", "x"),
    exit: 4,
    code: "NOT_FOUND",
  },
  "a wait for an id that is not there": {
    argv: follow("wait", "CLR-7-001"),
    exit: 4,
    code: "NOT_FOUND",
  },
  "the answer of another agent": {
    argv: follow("answer", "CLR-42-001", "x", "--as", "reviewer"),
    exit: 6,
    code: "INVALID_TRANSITION",
  },
  "a next question before the answer": {
    argv: follow("ask", "CLR-42-001", "x"),
    exit: 6,
    code: "INVALID_TRANSITION",
  },
  "broken TOML": {
    argv: ASK,
    exit: 2,
    code: "INVALID_CONFIG",
    spoil: (temp) => temp.write(".agentx/workflows/feature.toml", '[[steps]]\nid = "x\n'),
  },
  "a broken config": {
    argv: ASK,
    exit: 2,
    code: "INVALID_CONFIG",
    spoil: (temp) => temp.write(".agentx/config.json", '{"agents": []}'),
  },
  "a truncated ledger": {
    argv: ASK,
    exit: 8,
    code: "CORRUPT_STATE",
    spoil: (temp) => temp.write(temp.ledgerPath(42), '{"issueNumber": 42, "clarifi'),
  },
  "an empty ledger": {
    argv: ASK,
    exit: 8,
    code: "CORRUPT_STATE",
    spoil: (temp) => temp.write(temp.ledgerPath(42), ""),
  },
  "a ledger of another program": {
    argv: ASK,
    exit: 8,
    code: "CORRUPT_STATE",
    spoil: (temp) => temp.write(temp.ledgerPath(42), '{"version": 1, "entries": []}'),
  },
  "the ledger of another issue": {
    argv: follow("answer", "CLR-42-001", "x"),
    exit: 8,
    code: "CORRUPT_STATE",
    spoil: (temp) => temp.write(temp.ledgerPath(42), '{"issueNumber":7,"clarifications":[]}'),
  },
  "a ledger that is a folder": {
    argv: ASK,
    exit: 1,
    code: "IO_ERROR",
    spoil: (temp) => {
      Deno.removeSync(`${temp.root}/${temp.ledgerPath(42)}`);
      Deno.mkdirSync(`${temp.root}/${temp.ledgerPath(42)}`);
    },
  },
};

for (const [name, bad] of Object.entries(CASES)) {
  Deno.test(`agentx refuses ${name} and writes nothing`, async () => {
    using temp = new TempWorkspace({ agents: { architect: "echo never" } });
    temp.write(".agentx/config.json", "{}");
    await temp.run(ASK);
    bad.spoil?.(temp);
    const before = withoutLog(temp);
    const { stdin, env } = bad;

    const json = await temp.run([...bad.argv, "--json"], { stdin, env });
    const { error } = JSON.parse(withoutNotes(json.err));
    assertEquals([json.code, json.out, error.code], [bad.exit, "", bad.code]);
    if (bad.field !== undefined) assertEquals(error.details.field, bad.field);

    const text = await temp.run(bad.argv, { stdin, env });
    assertEquals([text.code, text.out], [bad.exit, ""]);
    const [summary, next, ...rest] = withoutNotes(text.err).split("\n");
    assert(/^error: Cannot .+[^.]$/.test(summary), summary);
    assert(/^ {2}\S/.test(next), "it says what to do next");
    assertEquals(rest, [""]);
    assert(text.err.length < 600, "it does not repeat a long text");

    assertEquals(withoutLog(temp), before);
  });
}

/** A workflow that cannot be read is noted before it is known whether it is the one of the issue. */
function withoutNotes(err: string): string {
  return err.replaceAll(/^note: .*\n(?: {6}.*\n)*/gm, "");
}

/** A refused scope is logged, and nothing else is written. */
function withoutLog(temp: TempWorkspace): Record<string, string> {
  const files = Object.entries(temp.snapshot());
  return Object.fromEntries(files.filter(([path]) => !path.startsWith("/.agentx/log")));
}

const NEEDS_WORKSPACE = [
  ASK,
  ["clarify"],
  ["clarify", "--issue", "42"],
  ["clarify", "wait", "CLR-42-001"],
  ["state"],
  ["workflow"],
  ["config", "show"],
  ["config", "set", "mode", "local"],
];

for (const argv of NEEDS_WORKSPACE) {
  Deno.test(`agentx ${argv.slice(0, 2).join(" ")} refuses to run without a workspace`, async () => {
    const root = Deno.makeTempDirSync({ prefix: "agentx-test-" });
    try {
      const io = new FakeIo();
      const code = await main(["--root", root, "--json", ...argv], io);
      const { error } = JSON.parse(io.err);
      assertEquals([code, io.out, error.code], [3, "", "NOT_INITIALISED"]);
      assert(error.message.endsWith("agentx init"));
      assertEquals(Object.keys(snapshotOf(root)), [""]);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}

/** Refuses every new file, as a read-only disk does. */
async function withoutNewFiles(test: () => Promise<void>) {
  const { writeNewFile, createFile } = sys;
  const { ioError } = await import("../../lib/sys/io_error.ts");
  sys.writeNewFile = sys.createFile = (path) => {
    throw ioError("create", path, Object.assign(new Error("injected"), { code: "EROFS" }));
  };
  try {
    await test();
  } finally {
    Object.assign(sys, { writeNewFile, createFile });
  }
}

Deno.test("agentx ask exits 1 on a read-only disk, and the ledger stays as it was", async () => {
  using temp = new TempWorkspace();
  await temp.run(ASK);
  const before = temp.read(temp.ledgerPath(42));
  await withoutNewFiles(async () => {
    const { code, out, err } = await temp.run([...ASK, "--json"]);
    const { error } = JSON.parse(err);
    assertEquals([code, out, error.code, error.details.errno], [1, "", "IO_ERROR", "EROFS"]);
  });
  assertEquals(temp.read(temp.ledgerPath(42)), before);
  assertEquals((await temp.run(ASK)).code, 7);
});
