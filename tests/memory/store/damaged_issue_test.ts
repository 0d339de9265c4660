/**
 * A damaged issue file costs nobody a session, and is named for as long as it is damaged.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { sample, samples, TempStore } from "../temp_store.ts";

const DAMAGED = '{"version":1,"issueNumber":29,"observations":[{';

/** Issues 29 and 30 on disk, the file of 29 cut off afterwards. */
async function damaged(temp: TempStore): Promise<string> {
  await temp.store.store([sample("Before the damage"), sample("Elsewhere", { issueNumber: 30 })]);
  await temp.store.close();
  const good = temp.read("issue-29.json");
  temp.write("issue-29.json", DAMAGED);
  temp.notices.length = 0;
  return good;
}

function assertNamed(temp: TempStore, name = "issue-29.json"): void {
  assertEquals(temp.notices.filter((each) => each.includes(name)).length, 1, temp.notices.join());
  temp.notices.length = 0;
}

Deno.test("JsonObservationStore keeps what is captured beside a damaged file, and finds it", async () => {
  using temp = new TempStore();
  const good = await damaged(temp);
  const captured = samples(3);
  const store = temp.another();
  assertEquals(await store.store(captured), captured);
  await store.close();
  assertNamed(temp);
  assertEquals(temp.read("issue-29.json"), DAMAGED);
  assertEquals(temp.read("journal.jsonl").split("\n").length, 4);
  assertEquals(await temp.another().store(captured), []);
  assertEquals(await temp.another().getByIssue(29), captured);
  assertEquals((await temp.another().search("observation")).length, 3);
  temp.write("issue-29.json", good);
  await temp.another().close();
  assertEquals(temp.read("journal.jsonl"), "");
  assertEquals((await temp.another().getByIssue(29)).length, 4);
  assertEquals((await temp.another().search("observation")).length, 3);
});

Deno.test("JsonObservationStore flushes what it kept once the damaged file is moved away", async () => {
  using temp = new TempStore();
  await damaged(temp);
  const captured = samples(70);
  await temp.store.store(captured.slice(0, 40));
  await temp.store.store(captured.slice(40));
  await temp.another().close();
  assertEquals(temp.read("issue-29.json"), DAMAGED);
  Deno.removeSync(`${temp.folder}/issue-29.json`);
  await temp.another().close();
  assertEquals(await temp.another().getByIssue(29), captured);
  assertEquals((await temp.another().search("observation", 100)).length, 70);
  assertEquals(temp.read("journal.jsonl"), "");
});

Deno.test("JsonObservationStore flushes beside a damaged part, and leaves it", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(50));
  await temp.store.store(samples(30));
  await temp.store.close();
  temp.write("issue-29.1.json", DAMAGED);
  const store = temp.another();
  assertEquals((await store.store(samples(1))).length, 1);
  await store.close();
  assertNamed(temp, "issue-29.1.json");
  assertEquals(temp.read("issue-29.1.json"), DAMAGED);
  assertEquals(temp.read("journal.jsonl"), "");
  assertEquals((await temp.another().getByIssue(29)).length, 31);
});

Deno.test("JsonObservationStore.search() names a damaged file each time, until it is mended", async () => {
  using temp = new TempStore();
  const good = await damaged(temp);
  const ask = async () => (await temp.another().search("damage")).length;
  for (let time = 0; time < 3; time++) {
    assertEquals(await ask(), 0);
    assertNamed(temp);
  }
  await temp.another().store([sample("Another", { issueNumber: 30 })]);
  await temp.another().close();
  temp.notices.length = 0;
  assertEquals(await ask(), 0);
  assertNamed(temp);
  assertEquals((await temp.another().listByAgent("engineer")).length, 2);
  assertNamed(temp);
  temp.write("issue-29.json", good);
  assertEquals([await ask(), await ask()], [1, 1]);
  assertEquals(temp.notices, []);
});

Deno.test("JsonObservationStore.search() names a file that was damaged before a capture elsewhere", async () => {
  using temp = new TempStore();
  await damaged(temp);
  await temp.another().store([sample("Another", { issueNumber: 30 })]);
  await temp.another().close();
  assertNamed(temp);
  assertEquals(await temp.another().search("damage"), []);
  assertNamed(temp);
});
