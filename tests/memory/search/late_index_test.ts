/**
 * An index that is far out of step is made anew without holding up those who write meanwhile.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/memory/schema.ts";
import { replace } from "../../lock/faults.ts";
import { sample, TempStore } from "../temp_store.ts";

const ISSUES = 40;

/** Three observations of each issue, and an index that knows none of them. */
function outOfStep(temp: TempStore): void {
  for (let issueNumber = 1; issueNumber <= ISSUES; issueNumber++) {
    const observations = ["first", "second", "third"].map((word) =>
      sample(`The ${word} of number ${issueNumber}`, { issueNumber, sessionId: `s${issueNumber}` })
    );
    temp.write(`issue-${issueNumber}.json`, fileOf(issueNumber, observations));
  }
}

function fileOf(issueNumber: number, observations: readonly Observation[]) {
  return { version: 1, issueNumber, updatedAt: "2026-02-27T10:00:00.000Z", observations };
}

/** Does something once when an issue file is about to be read by who makes the index. */
function whileReading(name: string, act: () => void): Disposable {
  let isDone = false;
  return replace("readTextFile", (real) => (path) => {
    if (!isDone && path.endsWith(`/${name}`)) {
      isDone = true;
      act();
    }
    return real(path);
  });
}

const isLocked = (temp: TempStore) => temp.names().includes("journal.jsonl.lock");

const found = async (temp: TempStore) =>
  (await temp.another().search("number", 1_000)).map(({ id }) => id).sort();

const stored = async (temp: TempStore) =>
  (await temp.another().listAll()).filter(({ retracted }) => retracted === undefined)
    .map(({ id }) => id).sort();

for (const what of ["search()", "rebuild()", "close()", "retract()"] as const) {
  Deno.test(`JsonObservationStore.${what} rebuilds a large index without the lock, and says so`, async () => {
    using temp = new TempStore();
    outOfStep(temp);
    const late = sample("Number eighty", { issueNumber: 80 });
    if (what === "close()") await temp.store.store([late]);
    const { id } = (await temp.store.getByIssue(7))[0];
    let wasLocked: boolean | undefined;
    {
      using _ = replace("readTextFile", (real) => (path) => {
        if (path.endsWith("/issue-20.json")) wasLocked ||= isLocked(temp);
        return real(path);
      });
      wasLocked = false;
      if (what === "search()") assertEquals((await temp.store.search("third", 100)).length, ISSUES);
      if (what === "rebuild()") assertEquals(await temp.store.rebuild(), 3 * ISSUES);
      if (what === "close()") await temp.store.close();
      if (what === "retract()") await temp.store.retract(id, "wrong");
    }
    assertEquals(wasLocked, false);
    assert(temp.notices.some((notice) => notice.startsWith("Rebuilding the index of memory")));
    temp.notices.length = 0;
    assertEquals(await found(temp), await stored(temp));
    assertEquals(temp.notices, [], "it was rebuilt again");
  });
}

Deno.test("JsonObservationStore.store() leaves a large index that is out of step to who looks", async () => {
  using temp = new TempStore();
  outOfStep(temp);
  for (let turn = 0; turn < 2; turn++) {
    const batch = Array.from(
      { length: 40 },
      (_, k) => sample(`Number ${turn} ${k}`, { issueNumber: 41 }),
    );
    assertEquals((await temp.store.store(batch)).length, 40);
  }
  assertEquals(temp.read("journal.jsonl"), "");
  assertEquals(temp.notices, []);
  assertEquals((await found(temp)).length, 3 * ISSUES + 80);
});

Deno.test("JsonObservationStore.rebuild() takes in what changed while it was reading", async () => {
  using temp = new TempStore();
  outOfStep(temp);
  const before = await temp.store.listAll();
  const of = (issueNumber: number) => before.filter((each) => each.issueNumber === issueNumber);
  const [first, second] = of(3);
  const [reinstated, ...others] = of(6);
  const retracted = { because: "wrong", timestamp: "2026-02-27T10:00:00.000Z" };
  temp.write("issue-6.json", fileOf(6, [{ ...reinstated, retracted }, ...others]));
  const changes: Array<[number, Observation[]]> = [
    [3, [{ ...first, retracted }, { ...second, content: "Altered to zebra, number 3" }]],
    [4, [...of(4), sample("Yet another number", { issueNumber: 4, supersedes: of(4)[0].id })]],
    [6, of(6)],
    [90, [sample("A number of an issue that came", { issueNumber: 90 })]],
  ];
  const act = () => {
    for (const [issueNumber, list] of changes) {
      temp.write(`issue-${issueNumber}.json`, fileOf(issueNumber, list));
    }
    Deno.removeSync(`${temp.folder}/issue-5.json`);
    temp.write("journal.jsonl", `${JSON.stringify(sample("Number", { issueNumber: 91 }))}\n`);
  };
  {
    using _ = whileReading("issue-30.json", act);
    await temp.store.rebuild();
  }
  const hidden = [first.id, of(4)[0].id];
  const expected = (await stored(temp)).filter((id) => !hidden.includes(id));
  temp.notices.length = 0;
  assertEquals(await found(temp), expected);
  assertEquals((await temp.another().search("zebra")).map(({ id }) => id), [second.id]);
  assertEquals(temp.notices, [], "it had to be made anew again");
  const { total } = JSON.parse(temp.read("manifest.json"));
  await temp.another().rebuild();
  assertEquals(await found(temp), expected);
  assertEquals(JSON.parse(temp.read("manifest.json")).total, total + 1, "the one in the journal");
});

Deno.test("JsonObservationStore notices what somebody else wrote in the middle of a fold", async () => {
  using temp = new TempStore();
  await temp.store.store([sample("Ours", { issueNumber: 1 }), sample("Other", { issueNumber: 2 })]);
  await temp.store.close();
  await temp.store.store([sample("Ours again", { issueNumber: 1 })]);
  const pulled = [sample("Pulled zebra", { issueNumber: 2 })];
  {
    using _ = replace("rename", (real) => (from, to) => {
      if (to.endsWith("/issue-1.json")) temp.write("issue-2.json", fileOf(2, pulled));
      real(from, to);
    });
    await temp.store.close();
  }
  assertEquals((await temp.another().search("zebra")).length, 1);
});
