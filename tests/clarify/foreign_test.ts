import { assert, assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { plantIndex } from "../git/index_file.ts";
import { MINUTE_MS, sampleRecord } from "./samples.ts";
import { testWithGit } from "../workspace/temp_repository.ts";

const STATUS = ".agentx/state/agent-status.json";

/** A workspace with a ledger, and an architect that leaves a trace. */
function workspaceWith(...records: ClarificationRecord[]): TempWorkspace {
  const temp = new TempWorkspace({ agents: { architect: "echo ran >> ran; echo PostgreSQL." } });
  temp.write(
    temp.ledgerPath(42),
    JSON.stringify({ issueNumber: 42, clarifications: records }, null, 2),
  );
  return temp;
}

const OVERDUE = sampleRecord();
const STALE = sampleRecord({ status: "stale" });
const DEADLOCK = [
  sampleRecord({ staleAfter: new Date(Date.now() + 60 * MINUTE_MS).toISOString() }),
  sampleRecord({
    id: "CLR-42-002",
    from: "architect",
    to: "engineer",
    staleAfter: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
  }),
];

const CASES: Record<string, ClarificationRecord[]> = {
  "an overdue question": [OVERDUE],
  "a question that was overdue twice": [STALE],
  "a deadlock": DEADLOCK,
};

for (const [name, records] of Object.entries(CASES)) {
  Deno.test(`the monitor leaves ${name} alone whose ledger git tracks`, async () => {
    using temp = workspaceWith(...records);
    plantIndex(temp.root, [temp.ledgerPath(42)]);
    const before = temp.read(temp.ledgerPath(42));
    for (const words of ["clarify", "clarify stale", "clarify graph", "ready"]) {
      assertEquals((await temp.run(words.split(" "))).code, 0);
    }
    await temp.run(["hook", "start", "engineer", "42"]);
    assertEquals([temp.read(temp.ledgerPath(42)), temp.has("ran")], [before, false]);
  });

  Deno.test(`the monitor looks after ${name} whose ledger is of this machine`, async () => {
    using temp = workspaceWith(...records);
    plantIndex(temp.root, [".agentx/config.json"]);
    const before = temp.read(temp.ledgerPath(42));
    await temp.run(["clarify"]);
    assert(temp.read(temp.ledgerPath(42)) !== before);
  });
}

Deno.test("clarify marks the records of a ledger that git tracks", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [temp.ledgerPath(42)]);
  for (const words of [["clarify"], ["clarify", "--issue", "42"], ["clarify", "stale"]]) {
    const { clarifications } = await temp.json(words);
    assertEquals(clarifications.map((record: ClarificationRecord) => record.foreign), [true]);
  }
  assert((await temp.run(["clarify"])).out.includes("  foreign  "));
  assert(
    (await temp.run(["clarify", "--issue", "42"])).out.includes("Foreign: it came from elsewhere"),
  );
});

Deno.test("clarify does not believe a ledger that calls itself foreign", async () => {
  using temp = workspaceWith({ ...STALE, foreign: true });
  const { clarifications } = await temp.json(["clarify"]);
  assertEquals([clarifications[0].status, clarifications[0].foreign], ["escalated", undefined]);
});

Deno.test("clarify ask runs no agent where git tracks the ledger, and keeps the question", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [temp.ledgerPath(42)]);
  const words = ["--issue", "42", "--from", "engineer", "--to", "architect", "--topic", "Pool"];
  const { code, err } = await temp.run(["clarify", "ask", ...words, "How many?"]);
  assertEquals([code, temp.has("ran")], [7, false]);
  assert(err.includes("it came from elsewhere. See: agentx doctor"), err);
  const { clarifications } = temp.ledger();
  assertEquals(clarifications.map(({ status }) => status), ["pending", "pending"]);
  assert(!temp.read(temp.ledgerPath(42)).includes("foreign"));
});

Deno.test("a human answers and resolves where git tracks the ledger", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [temp.ledgerPath(42)]);
  assertEquals((await temp.run(["clarify", "answer", "CLR-42-001", "SQLite."])).code, 0);
  assertEquals((await temp.run(["clarify", "resolve", "CLR-42-001", "SQLite."])).code, 0);
  assertEquals(temp.ledger().clarifications[0].status, "resolved");
});

Deno.test("the monitor abandons nothing because of a status file that git tracks", async () => {
  const now = Date.now();
  const open = sampleRecord({
    from: "engineer@2",
    created: new Date(now).toISOString(),
    staleAfter: new Date(now + 60 * MINUTE_MS).toISOString(),
  });
  for (const isTracked of [true, false]) {
    using temp = workspaceWith(open);
    const since = new Date(now + MINUTE_MS).toISOString();
    const base = { status: "working", issue: 7, since };
    temp.write(STATUS, JSON.stringify({ "engineer@2": { status: "working", issue: 7, base } }));
    plantIndex(temp.root, isTracked ? [STATUS] : []);
    await temp.run(["clarify"]);
    const [{ status }] = temp.ledger().clarifications;
    assertEquals(status, isTracked ? "pending" : "abandoned");
  }
});

Deno.test("init tells what git tracks of the state", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [temp.ledgerPath(42)]);
  assertEquals((await temp.json(["init", "--dry-run"])).tracked, [temp.ledgerPath(42)]);
  assert((await temp.run(["init"])).out.includes("git tracks 1 of the files"));
});

testWithGit(
  "doctor fails where git tracks state, and --fix gives the ledger back to the monitor",
  async () => {
    using temp = workspaceWith(OVERDUE);
    const add = ["add", "-f", ".agentx/config.json", temp.ledgerPath(42)];
    for (const args of [["init", "-q"], add]) {
      assert(new Deno.Command("git", { args, cwd: temp.root }).outputSync().success);
    }
    const tracked = async (...words: string[]) => {
      const { findings } = await temp.json(["doctor", ...words]);
      const [finding] = findings.filter(({ check }: { check: string }) => check === "tracked");
      return [finding.level, finding.isFixed];
    };
    const before = temp.read(temp.ledgerPath(42));
    assertEquals(await tracked(), ["fail", false]);
    assertEquals(await tracked("--fix"), ["ok", true]);
    assertEquals(await tracked(), ["ok", false]);
    assertEquals(temp.read(temp.ledgerPath(42)), before);
    await temp.run(["clarify"]);
    assert(temp.read(temp.ledgerPath(42)) !== before);
  },
);

Deno.test("doctor says what to do with a split index that tracks state", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [temp.ledgerPath(42)], { isSplit: true });
  const { findings } = await temp.json(["doctor", "--fix"]);
  const [finding] = findings.filter(({ check }: { check: string }) => check === "tracked");
  assertEquals([finding.level, finding.isFixed], ["fail", false]);
  assert(finding.next.includes("git rm -r --cached --ignore-unmatch"));
});

Deno.test("doctor --fix leaves a workspace that is a submodule to its user", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, [{ path: ".agentx", mode: 0o160000 }]);
  const before = Deno.readFileSync(`${temp.root}/.git/index`);
  const { findings } = await temp.json(["doctor", "--fix"]);
  const [finding] = findings.filter(({ check }: { check: string }) => check === "tracked");
  assertEquals([finding.level, finding.isFixed], ["fail", false]);
  assertEquals(Deno.readFileSync(`${temp.root}/.git/index`), before);
});

Deno.test("doctor says so where it cannot tell what git tracks", async () => {
  using temp = workspaceWith(OVERDUE);
  plantIndex(temp.root, []);
  temp.write(".git/index", "not an index");
  const { findings } = await temp.json(["doctor"]);
  const [finding] = findings.filter(({ check }: { check: string }) => check === "tracked");
  assert(finding.level === "fail" && finding.message.includes("Cannot tell"), finding.message);
  assertEquals((await temp.json(["clarify"])).clarifications[0].foreign, true);
});
