import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { sys } from "../../lib/sys/mod.ts";
import { FakeIo } from "../cli/fake_io.ts";

/** Remembers each piece of output by itself. */
class StreamIo extends FakeIo {
  readonly pieces: string[] = [];

  override stdout(text: string): boolean {
    this.pieces.push(text);
    return super.stdout(text);
  }
}

/** Plays the demo, gives the test its output and its folder, and removes the folder. */
async function withDemo(test: (io: StreamIo, root: string) => void): Promise<void> {
  const io = new StreamIo();
  const code = await main(["demo", "--keep"], io);
  const root = /cd (\S+agentx-demo-\S+)/.exec(io.out)?.[1] ?? "";
  try {
    assertEquals([code, io.err], [0, ""]);
    test(io, root);
  } finally {
    if (root !== "") Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("demo streams a clarification of two rounds and its resolution, in order", async () => {
  await withDemo(({ pieces }) => {
    const marks = [
      "AgentX",
      "... engineer runs: sh agents/engineer.sh",
      "Clarification Thread: CLR-42-001 (#42)",
      "[Round 1] engineer -> architect",
      "... architect runs: sh agents/architect.sh",
      "[Round 1] architect -> engineer",
      "... engineer runs",
      "[Round 2] engineer -> architect",
      "... architect runs",
      "[Round 2] architect -> engineer",
      "... engineer runs",
      "[RESOLVED] engineer",
      "Every step is on disk",
    ];
    assertEquals(pieces.length, marks.length);
    marks.forEach((mark, index) => assert(pieces[index].includes(mark), `${index}: ${mark}`));
  });
});

Deno.test("demo leaves the ledger that it names", async () => {
  await withDemo(({ out }, root) => {
    const path = /^ {4}(\S+issue-42\.json)$/m.exec(out)?.[1];
    assertEquals(path, `${root}/.agentx/state/clarifications/issue-42.json`);
    const { clarifications: [record] } = JSON.parse(Deno.readTextFileSync(path!));
    assertEquals([record.status, record.round], ["resolved", 2]);
    // deno-lint-ignore no-explicit-any -- a ledger that was just written
    assertEquals(record.thread.map(({ round, type }: any) => `${round} ${type}`), [
      "1 question",
      "1 answer",
      "2 question",
      "2 answer",
      "2 resolution",
    ]);
  });
});

Deno.test("demo fits 80 columns", async () => {
  await withDemo(({ out }) => {
    const wide = out.split("\n").filter((line) =>
      line.length > 80 && !/\/agentx-demo-|^ {4}alias /.test(line)
    );
    assertEquals(wide, []);
  });
});

Deno.test("demo leaves its workspace in order", async () => {
  await withDemo((_io, root) => {
    const status = JSON.parse(Deno.readTextFileSync(`${root}/.agentx/state/agent-status.json`));
    assertEquals([status.engineer.status, status.architect.status], ["working", "idle"]);
    const names = Array.from(Deno.readDirSync(`${root}/.agentx/state/clarifications`));
    assertEquals(names.map(({ name }) => name).sort(), ["issue-42.json", "issue-42.json.copy"]);
  });
});

Deno.test("demo leaves nothing among the temporary files, also when it fails", async () => {
  const { makeTempDir } = sys;
  const made: string[] = [];
  sys.makeTempDir = (prefix) => {
    const folder = makeTempDir(prefix);
    made.push(folder);
    return folder;
  };
  const { readTextFile } = sys;
  try {
    const io = new FakeIo();
    assertEquals([await main(["demo"], io), io.err], [0, ""]);
    assert(io.out.includes("the demo has removed its files"));
    assert(!io.out.includes(made[0]), "it names no folder that is gone");
    sys.readTextFile = (path, limit) => {
      if (path.endsWith("config.json")) throw new TypeError("injected");
      return readTextFile(path, limit);
    };
    assertEquals(await main(["demo"], new FakeIo()), 70);
  } finally {
    Object.assign(sys, { makeTempDir, readTextFile });
  }
  assert(made.length > 2);
  assertEquals(made.filter((folder) => sys.lstat(folder) !== undefined), []);
});
