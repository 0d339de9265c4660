import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../../lib/base/errors.ts";
import { FakeIo } from "../../cli/fake_io.ts";
import { main } from "../../../cli.ts";
import { replace } from "../../lock/faults.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const WHO = ["--agent", "engineer", "--issue", "42"];

const SESSION = `## User

Please use PostgreSQL, never SQLite, for the ledger: the ops team backs it up already.
`;

// deno-lint-ignore no-explicit-any -- a test looks into it
function linesOf(temp: TempWorkspace, operation: string): any[] {
  const folder = `${temp.root}/.agentx/log`;
  return Array.from(
    Deno.readDirSync(folder),
    ({ name }) => Deno.readTextFileSync(`${folder}/${name}`),
  )
    .flatMap((text) => text.trimEnd().split("\n"))
    .map((line) => JSON.parse(line))
    .filter((line) => line.operation === operation)
    .map(({ time, durationMs, ...rest }) => {
      assert(!Number.isNaN(Date.parse(time)) && Number.isSafeInteger(durationMs));
      return rest;
    });
}

Deno.test("memory capture, search and compact are in the log with counts and without a text", async () => {
  using temp = new TempWorkspace();
  const { observations } = await temp.json(["memory", "capture", ...WHO], { stdin: SESSION });
  await temp.run(["memory", "search", "postgresql", "--issue", "42"]);
  await temp.run(["memory", "search", "kubernetes"]);
  await temp.run(["memory", "compact"]);
  const capture = { operation: "memory-captured", agent: "engineer", issueNumber: 42 };
  assertEquals(linesOf(temp, "memory-captured"), [{ ...capture, count: observations.length }]);
  assertEquals(linesOf(temp, "memory-searched"), [
    { operation: "memory-searched", issueNumber: 42, count: 1 },
    { operation: "memory-searched", count: 0 },
  ]);
  assertEquals(linesOf(temp, "memory-compacted"), []);
  assert(!/postgres|kubernetes/i.test(JSON.stringify(linesOf(temp, "memory-searched"))));
});

Deno.test("memory compact is in the log with how many there were before and after", async () => {
  using temp = new TempWorkspace();
  const old = Array.from({ length: 6 }, (_, at) => ({
    id: `obs-engineer-42-${Date.UTC(2025, 0, 1, 0, 0, at)}-aaaaa${at}`,
    agent: "engineer",
    issueNumber: 42,
    category: "key-fact",
    content: `The nightly job ${at} copies the ledger to the second machine.`,
    summary: `The nightly job ${at} copies the ledger to the second machine.`,
    tokens: 14,
    timestamp: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
    sessionId: "s1",
  }));
  const stdin = old.map((one) => JSON.stringify(one)).join("\n");
  await temp.run(["memory", "import", "-"], { stdin });
  const { compactions: [{ before, after }] } = await temp.json(["memory", "compact"]);
  const operation = "memory-compacted";
  assertEquals(linesOf(temp, operation), [{ operation, issueNumber: 42, before, after }]);
});

Deno.test("A capture, search or compaction that fails is in the log with its code", async () => {
  using temp = new TempWorkspace();
  await temp.run(["memory", "capture", ...WHO], { stdin: SESSION });
  Deno.writeFileSync(`${temp.root}/photo.png`, new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  await temp.run(["memory", "capture", ...WHO, "--from", `${temp.root}/photo.png`]);
  Deno.removeSync(`${temp.root}/.agentx/memory`, { recursive: true });
  temp.write(".agentx/memory", "not a folder");
  const { code } = await temp.run(["memory", "search", "postgresql"]);
  assertEquals(code, 1);
  assertEquals(linesOf(temp, "memory-captured").map(({ code }) => code), [
    undefined,
    "INVALID_INPUT",
  ]);
  assertEquals(linesOf(temp, "memory-searched").map(({ code }) => code), ["IO_ERROR"]);
});

Deno.test("memory search is printed whether its line can be written or not", async () => {
  using temp = new TempWorkspace();
  await temp.run(["memory", "capture", ...WHO], { stdin: SESSION });
  const io = new FakeIo();
  using _ = replace("appendTextFile", () => (path) => {
    throw new AgentxError("IO_ERROR", `Cannot append to "${path}": no space left`, {
      details: { operation: "append", path, errno: "ENOSPC" },
    });
  });
  const code = await main(["--root", temp.root, "memory", "search", "postgresql"], io);
  assertEquals([code, io.out.includes("PostgreSQL")], [0, true], io.err);
});
