import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ClarificationLedger } from "../../../lib/clarify/ledger/ledger.ts";
import { type ClarificationRecord, parseClarificationId } from "../../../lib/clarify/schema.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { refusal } from "../../refusal.ts";
import { snapshotOf } from "../../temp_workspace.ts";
import { sampleRecord } from "../samples.ts";
import { often } from "../../often.ts";

/** A folder for ledgers. */
class TempLedger implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly ledger: ClarificationLedger = this.another();

  /** As another process would open it. */
  another(): ClarificationLedger {
    return new ClarificationLedger(this.folder, new FileLockManager());
  }

  path(issue: number): string {
    return `${this.folder}/issue-${issue}.json`;
  }

  write(issue: number, content: unknown): void {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    Deno.writeTextFileSync(this.path(issue), text);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

function question(): Omit<ClarificationRecord, "id"> {
  const { id: _, ...record } = sampleRecord();
  return record;
}

Deno.test("ClarificationLedger.add() writes the file of SPEC-1 4.2 to the letter", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(42, question());
  assertEquals(
    Deno.readTextFileSync(temp.path(42)),
    `{
  "issueNumber": 42,
  "clarifications": [
    {
      "id": "CLR-42-001",
      "from": "engineer",
      "to": "architect",
      "topic": "Database layer",
      "blocking": true,
      "status": "pending",
      "round": 1,
      "maxRounds": 5,
      "created": "2026-02-26T10:00:00.000Z",
      "staleAfter": "2026-02-26T10:30:00.000Z",
      "resolvedAt": null,
      "thread": [
        {
          "round": 1,
          "from": "engineer",
          "type": "question",
          "body": "PostgreSQL or SQLite?",
          "timestamp": "2026-02-26T10:00:00.000Z"
        }
      ]
    }
  ]
}
`,
  );
});

Deno.test("ClarificationLedger.add() returns what it wrote", async () => {
  using temp = new TempLedger();
  const record = await temp.ledger.add(42, question());
  assertEquals(temp.another().getById("CLR-42-001"), record);
});

Deno.test("ClarificationLedger.add() leaves nothing but a copy beside the ledger", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(42, question());
  assertEquals(Object.keys(snapshotOf(temp.folder)), ["", "/issue-42.json", "/issue-42.json.copy"]);
});

Deno.test("ClarificationLedger.add() keeps what it was given apart from what it wrote", async () => {
  using temp = new TempLedger();
  const given = question();
  const record = await temp.ledger.add(42, given);
  given.thread[0].body = "changed";
  record.topic = "changed";
  assertEquals(temp.ledger.getById(record.id).thread[0].body, "PostgreSQL or SQLite?");
});

Deno.test("ClarificationLedger.add() counts each issue by itself", async () => {
  using temp = new TempLedger();
  const ids = [];
  for (const issue of [42, 42, 7]) ids.push((await temp.ledger.add(issue, question())).id);
  assertEquals(ids, ["CLR-42-001", "CLR-42-002", "CLR-7-001"]);
});

Deno.test("ClarificationLedger.add() goes on after the highest sequence, not the length", async () => {
  using temp = new TempLedger();
  const clarifications = ["CLR-42-007", "CLR-42-003"].map((id) => sampleRecord({ id }));
  temp.write(42, { issueNumber: 42, clarifications });
  assertEquals((await temp.ledger.add(42, question())).id, "CLR-42-008");
});

Deno.test("ClarificationLedger.getById() refuses a ledger with a second spelling of an id", async () => {
  using temp = new TempLedger();
  const clarifications = ["CLR-42-001", "CLR-42-0001"].map((id) => sampleRecord({ id }));
  temp.write(42, { issueNumber: 42, clarifications });
  const { message } = await refusal("CORRUPT_STATE", () => temp.ledger.getById("CLR-42-001"));
  assert(message.includes("issue-42.json") && message.includes("clarifications[1].id"), message);
});

Deno.test("ClarificationLedger.add() writes a fourth digit after 999", async () => {
  using temp = new TempLedger();
  const clarifications = [sampleRecord({ id: "CLR-42-999" })];
  temp.write(42, { issueNumber: 42, clarifications });
  assertEquals((await temp.ledger.add(42, question())).id, "CLR-42-1000");
});

Deno.test("ClarificationLedger.add() refuses a ledger whose ids are used up", async () => {
  using temp = new TempLedger();
  const clarifications = [sampleRecord({ id: "CLR-42-999999999" })];
  temp.write(42, { issueNumber: 42, clarifications });
  const before = snapshotOf(temp.folder);
  const { details } = await refusal("CORRUPT_STATE", () => temp.ledger.add(42, question()));
  assertEquals(details.path, temp.path(42));
  assertEquals(snapshotOf(temp.folder), before);
});

Deno.test("ClarificationLedger.add() keeps keys that it does not know", async () => {
  using temp = new TempLedger();
  const foreign = { ...sampleRecord(), priority: "p1" };
  temp.write(42, { version: 1, issueNumber: 42, clarifications: [foreign] });
  await temp.ledger.add(42, question());
  const { version, clarifications } = JSON.parse(Deno.readTextFileSync(temp.path(42)));
  assertEquals([version, clarifications[0]], [1, foreign]);
});

Deno.test("ClarificationLedger.add() gives every one of 20 at once an id of its own", async () => {
  using temp = new TempLedger();
  const ledgers = [temp.ledger, temp.another()];
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ledgers[index % 2].add(42, question())),
  );
  assertEquals(new Set(added.map(({ id }) => id)).size, 20);
  assertEquals(temp.ledger.getByIssue(42).length, 20);
});

for (const issue of [0, -1, 1.5, "../x" as unknown as number]) {
  Deno.test(`ClarificationLedger.add() refuses issue ${issue} and writes nothing`, async () => {
    using temp = new TempLedger();
    await refusal("INVALID_INPUT", () => temp.ledger.add(issue, question()));
    assertEquals(Object.keys(snapshotOf(temp.folder)), [""]);
  });
}

Deno.test("ClarificationLedger.change() changes one record and returns it", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(42, question());
  await temp.ledger.add(42, question());
  const changed = await temp.ledger.change("CLR-42-002", "human", (record) => {
    record.status = "resolved";
  });
  assertEquals(changed.status, "resolved");
  assertEquals(temp.another().getByIssue(42).map(({ status }) => status), ["pending", "resolved"]);
});

Deno.test("ClarificationLedger.change() sees what another process has written", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(42, question());
  await temp.another().change("CLR-42-001", "x", (record) => void (record.round = 3));
  const { round } = await temp.ledger.change("CLR-42-001", "x", (record) => void record.round++);
  assertEquals(round, 4);
});

Deno.test("ClarificationLedger.change() writes nothing of a change that throws", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(42, question());
  const before = snapshotOf(temp.folder);
  await refusal("INVALID_INPUT", () =>
    temp.ledger.change("CLR-42-001", "x", (record) => {
      record.status = "resolved";
      throw new AgentxError("INVALID_INPUT", "no", { details: { field: "x", value: 1 } });
    }));
  assertEquals(snapshotOf(temp.folder), before);
});

for (const id of ["CLR-42-002", "CLR-7-001"]) {
  Deno.test(`ClarificationLedger.change() does not find ${id} and writes nothing`, async () => {
    using temp = new TempLedger();
    await temp.ledger.add(42, question());
    const before = snapshotOf(temp.folder);
    const { details } = await refusal("NOT_FOUND", () => temp.ledger.change(id, "x", () => {}));
    assertEquals(details, { kind: "clarification", id });
    assertEquals(snapshotOf(temp.folder), before);
  });
}

Deno.test("ClarificationLedger.getByIssue() has none for an issue without a ledger", () => {
  using temp = new TempLedger();
  assertEquals(temp.ledger.getByIssue(7), []);
});

const BROKEN: Record<string, [content: unknown, line: number | null]> = {
  "truncated": ['{\n"issueNumber": 42,\n"clarifi', 3],
  "empty": ["", null],
  "of another schema": [{ version: 1, entries: [] }, null],
  "of another issue": [{ issueNumber: 7, clarifications: [] }, null],
  "with two documents": ['{"issueNumber":42,"clarifications":[]}\n{}', 2],
};

for (const [name, [content, line]] of Object.entries(BROKEN)) {
  Deno.test(`ClarificationLedger refuses a ledger that is ${name}, and leaves it`, async () => {
    using temp = new TempLedger();
    temp.write(42, content);
    const before = snapshotOf(temp.folder);
    const read = await refusal("CORRUPT_STATE", () => temp.ledger.getByIssue(42));
    assertEquals(read.details.path, temp.path(42));
    if (line !== null) assertEquals(read.details.line, line);
    await refusal("CORRUPT_STATE", () => temp.ledger.add(42, question()));
    await refusal("CORRUPT_STATE", () => temp.ledger.change("CLR-42-001", "x", () => {}));
    assertEquals(snapshotOf(temp.folder), before);
  });
}

Deno.test("ClarificationLedger reads a ledger of the original", () => {
  using temp = new TempLedger();
  const { resolvedAt: _, ...original } = sampleRecord();
  temp.write(42, { issueNumber: 42, clarifications: [{ ...original, slaMinutes: 30 }] });
  assertEquals(temp.ledger.getById("CLR-42-001").topic, "Database layer");
});

Deno.test("ClarificationLedger.changeIf() gives what it changed, and nothing where it left it alone", async () => {
  using temp = new TempLedger();
  const { id } = await temp.ledger.add(42, question());
  const before = snapshotOf(temp.folder);
  assertEquals(await temp.ledger.changeIf(id, "x", () => false), undefined);
  assertEquals(snapshotOf(temp.folder), before);
  const changed = await temp.ledger.changeIf(id, "x", (record) => {
    record.topic = "changed";
    return true;
  });
  assertEquals([changed?.topic, temp.ledger.getById(id).topic], ["changed", "changed"]);
  await refusal("NOT_FOUND", () => temp.ledger.changeIf("CLR-42-009", "x", () => true));
});

Deno.test("ClarificationLedger.changeAll() writes the ledger once, and gives what it changed", async () => {
  using temp = new TempLedger();
  for (const issue of [1, 2, 1, 1]) await temp.ledger.add(issue, question());
  const { rename } = sys;
  const written: string[] = [];
  sys.rename = (from, to) => {
    written.push(to);
    rename(from, to);
  };
  try {
    const changed = await temp.ledger.changeAll(1, "agent-x", (record) => {
      if (record.id === "CLR-1-003") return false;
      record.topic = "changed";
      return true;
    });
    assertEquals(changed.map(({ id, topic }) => [id, topic]), [
      ["CLR-1-001", "changed"],
      ["CLR-1-002", "changed"],
    ]);
  } finally {
    sys.rename = rename;
  }
  assertEquals(written, [temp.path(1), `${temp.path(1)}.copy`]);
  assertEquals(temp.ledger.getById("CLR-1-002").topic, "changed");
});

Deno.test("ClarificationLedger.changeAll() refuses an issue without a ledger", async () => {
  using temp = new TempLedger();
  await refusal("NOT_FOUND", () => temp.ledger.changeAll(9, "agent-x", () => true));
  assertEquals(snapshotOf(temp.folder), { "": "/" });
});

Deno.test("ClarificationLedger.scan() gives the ledgers by number", async () => {
  using temp = new TempLedger();
  for (const issue of [10, 9, 100]) await temp.ledger.add(issue, question());
  assertEquals(temp.ledger.scan().ledgers.map(({ issueNumber }) => issueNumber), [9, 10, 100]);
});

Deno.test("ClarificationLedger.scan() names a broken ledger and gives the others", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(1, question());
  temp.write(2, "{");
  await temp.ledger.add(3, question());
  const { ledgers, problems } = temp.ledger.scan();
  assertEquals(ledgers.map(({ issueNumber }) => issueNumber), [1, 3]);
  assertEquals(problems.map(({ code }) => code), ["CORRUPT_STATE"]);
  assert(problems[0].message.includes("issue-2.json"));
});

Deno.test("ClarificationLedger.scan() passes over what is no ledger", async () => {
  using temp = new TempLedger();
  await temp.ledger.add(1, question());
  for (const name of ["issue-1.json.lock", "issue-x.json", "issue-07.json", "notes.json"]) {
    Deno.writeTextFileSync(`${temp.folder}/${name}`, "x");
  }
  const { ledgers, problems } = temp.ledger.scan();
  assertEquals([ledgers.length, problems], [1, []]);
});

Deno.test("ClarificationLedger.scan() is empty where there is no folder", () => {
  const ledger = new ClarificationLedger("/nowhere/at/all", new FileLockManager());
  assertEquals(ledger.scan(), { ledgers: [], clarifications: [], problems: [] });
});

Deno.test("ClarificationLedger.getActive() has what waits for somebody, of all issues", async () => {
  using temp = new TempLedger();
  for (const issue of [42, 7, 42]) await temp.ledger.add(issue, question());
  await temp.ledger.change("CLR-42-001", "engineer", (record) => {
    record.status = "abandoned";
  });
  assertEquals(temp.ledger.getActive().map(({ id }) => id), ["CLR-7-001", "CLR-42-002"]);
});

/** A few adds at once through two ledgers, or a record that a foreign program wrote. */
const anyTurn = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ foreign: fc.integer({ min: 0, max: 2_000 }) }),
);

Deno.test("ClarificationLedger.add() gives ids that are unique and above all others", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTurn, { maxLength: 8 }), async (turns) => {
      using temp = new TempLedger();
      const ledgers = [temp.ledger, temp.another()];
      for (const turn of turns) {
        const before = temp.ledger.getByIssue(42);
        const highest = Math.max(0, ...before.map(({ id }) => parseClarificationId(id).sequence));
        if ("add" in turn) {
          const added = await Promise.all(
            Array.from({ length: turn.add }, (_, index) => ledgers[index % 2].add(42, question())),
          );
          const sequences = added.map(({ id }) => parseClarificationId(id).sequence);
          const expected = sequences.map((_, index) => highest + 1 + index);
          assertEquals(sequences.sort((a, b) => a - b), expected);
        } else {
          const id = `CLR-42-${String(turn.foreign).padStart(3, "0")}`;
          if (before.some((record) => record.id === id)) continue;
          temp.write(42, { issueNumber: 42, clarifications: [...before, sampleRecord({ id })] });
        }
      }
    }),
    often(30),
  );
});
