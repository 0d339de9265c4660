import { assertEquals } from "@std/assert";
import { renumberedId } from "../../../lib/memory/store/store.ts";
import { sample, TempStore } from "../temp_store.ts";

const NUMBERS = new Map([["aaaa", 29], ["bbbb", 31]]);

Deno.test("renumberedId() changes the number alone", () => {
  const id = "obs-engineer-29-29-1709035200000-a29b2c";
  assertEquals(
    renumberedId(id.replace("-29-29-", "-29-"), 31),
    "obs-engineer-31-1709035200000-a29b2c",
  );
});

Deno.test("JsonObservationStore.renumber() moves what belongs to an issue with another number", async () => {
  using temp = new TempStore();
  const { store } = temp;
  const ours = sample("Of ours", { issueUid: "aaaa" });
  const nobodys = sample("Of nobody knows which");
  const first = sample("Of theirs", { issueUid: "bbbb" });
  const second = sample("Of theirs, corrected", { issueUid: "bbbb", supersedes: first.id });
  await store.store([ours, nobodys, first, second]);
  await store.incrementRecallCount([ours.id, second.id]);

  assertEquals(await store.renumber(NUMBERS), 2);
  assertEquals(await store.renumber(NUMBERS), 0);
  assertEquals(
    (await store.getByIssue(29)).map(({ id }) => id).sort(),
    [ours.id, nobodys.id].sort(),
  );
  const ids = [first.id, second.id].map((id) => renumberedId(id, 31));
  const moved = await store.getByIssue(31);
  assertEquals(
    new Map(moved.map((each) => [each.id, each.supersedes])),
    new Map([
      [ids[0], undefined],
      [ids[1], ids[0]],
    ]),
  );
  assertEquals((await store.search("corrected")).map(({ id }) => id), [ids[1]]);
  assertEquals([...await store.recallCounts()].sort(), [[ours.id, 1], [ids[1], 1]].sort());
});

Deno.test("JsonObservationStore.renumber() moves what is archived, and it can come back", async () => {
  using temp = new TempStore();
  const { store } = temp;
  const old = { issueUid: "bbbb", timestamp: "2025-01-01T10:00:00.000Z" };
  await store.store(["One", "Two"].map((content) => sample(content, old)));
  await store.compact(29);
  assertEquals(await store.renumber(NUMBERS), 2);
  assertEquals(await store.getByIssue(31), []);
  assertEquals((await store.restore(31)).length, 2);
  assertEquals((await store.getByIssue(31)).map(({ content }) => content).sort(), ["One", "Two"]);
  assertEquals(await store.getByIssue(29), []);
});

Deno.test("changes of an observation under its old id, on another branch, hold under its new one", async () => {
  using temp = new TempStore();
  const theirs = sample("Of theirs", { issueUid: "bbbb" });
  await temp.store.store([theirs]);
  await temp.store.renumber(NUMBERS);
  const line = {
    ...{ v: 1, id: "x1", uid: theirs.id, time: "2026-02-28T10:00:00.000Z", by: "pm" },
    ...{ op: "retract", because: "Wrong" },
  };
  Deno.mkdirSync(`${temp.folder}/2026-03`);
  temp.write("2026-03/other.jsonl", `${JSON.stringify(line)}\n`);
  const [moved] = await temp.another().getByIssue(31);
  assertEquals(moved.retracted?.because, "Wrong");
});
