import { assert, assertEquals } from "@std/assert";
import { ClarificationLedger } from "../../../lib/clarify/ledger/ledger.ts";
import { planMoves } from "../../../lib/clarify/ledger/renumber.ts";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { refusal } from "../../refusal.ts";
import { sampleRecord } from "../samples.ts";

/** Ledgers of issues that are known by these numbers. */
class Ledgers implements Disposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly numbers: Map<string, number>;

  constructor(numbers: Record<string, number>) {
    this.numbers = new Map(Object.entries(numbers));
  }

  open(): ClarificationLedger {
    const uidOf = (issue: number) =>
      Promise.resolve([...this.numbers].find(([, number]) => number === issue)?.[0]);
    return new ClarificationLedger(this.folder, new FileLockManager(), { uidOf });
  }

  async ask(issue: number, topic: string): Promise<string> {
    const { id: _none, ...record } = sampleRecord({ topic });
    return (await this.open().add(issue, record)).id;
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

Deno.test("ClarificationLedger.renumber() follows an issue, and its ids of before lead there", async () => {
  using ledgers = new Ledgers({ aaaa: 3, bbbb: 5 });
  await ledgers.ask(5, "Already there");
  await ledgers.ask(3, "First");
  await ledgers.ask(3, "Second");
  ledgers.numbers.set("aaaa", 5).set("bbbb", 6).set("cccc", 3);
  const refused = await refusal("CORRUPT_STATE", () => ledgers.ask(3, "To another issue"));
  assert(refused.message.includes("agentx doctor --fix"));

  const moves = await ledgers.open().renumber(ledgers.numbers, "doctor");
  assertEquals(moves, [{ from: 5, to: 6 }, { from: 3, to: 5 }]);
  assertEquals(await ledgers.open().renumber(ledgers.numbers, "doctor"), []);
  const topics = (issue: number) =>
    ledgers.open().getByIssue(issue).map(({ id, topic }) => `${id} ${topic}`);
  assertEquals(topics(3), []);
  assertEquals(topics(5), ["CLR-5-002 First", "CLR-5-003 Second"]);
  assertEquals(topics(6), ["CLR-6-001 Already there"]);

  assertEquals(ledgers.open().getById("CLR-3-002").id, "CLR-5-003");
  const changed = await ledgers.open().change("CLR-3-001", "engineer", (record) => {
    record.status = "resolved";
  });
  assertEquals([changed.id, changed.status], ["CLR-5-002", "resolved"]);
  assertEquals(await ledgers.ask(3, "Of the new one"), "CLR-3-003");
  assertEquals(await ledgers.ask(5, "Of the old one"), "CLR-5-004");
});

Deno.test("ClarificationLedger.renumber() goes on where it was stopped between its two writes", async () => {
  using ledgers = new Ledgers({ aaaa: 3 });
  await ledgers.ask(3, "First");
  const before = Deno.readTextFileSync(`${ledgers.folder}/issue-3.json`);
  ledgers.numbers.set("aaaa", 5);
  await ledgers.open().renumber(ledgers.numbers, "doctor");
  Deno.writeTextFileSync(`${ledgers.folder}/issue-3.json`, before);
  await ledgers.open().renumber(ledgers.numbers, "doctor");
  assertEquals(ledgers.open().getByIssue(5).map(({ id }) => id), ["CLR-5-001"]);
  assertEquals(ledgers.open().getByIssue(3), []);
});

Deno.test("planMoves() leaves ledgers that would have to change places", () => {
  const clarifications = (issue: number) => [sampleRecord({ id: `CLR-${issue}-001` })];
  const ledgers = [[3, "aaaa"], [5, "bbbb"], [7, "cccc"]].map(([issue, issueUid]) => ({
    issueNumber: issue as number,
    issueUid: issueUid as string,
    clarifications: clarifications(issue as number),
  }));
  const numbers = new Map([["aaaa", 5], ["bbbb", 3], ["cccc", 8]]);
  assertEquals(planMoves(ledgers, numbers), [{ from: 7, to: 8 }]);
});
