import { assertEquals } from "@std/assert";
import { renumberedId } from "../../../lib/memory/store/renumber.ts";
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

Deno.test("JsonObservationStore.renumber() moves what was compacted, and it can come back", async () => {
  using temp = new TempStore();
  const { store } = temp;
  const originals = ["One", "Two"].map((content) => sample(content, { issueUid: "bbbb" }));
  const summary = sample("Both", {
    issueUid: "bbbb",
    category: "compaction-summary",
    replaces: originals.map(({ id }) => id),
  });
  await store.store(originals);
  await store.replace(29, { remove: originals.map(({ id }) => id), add: [summary] });
  await store.renumber(NUMBERS);
  const [moved] = await store.getByIssue(31);
  assertEquals(moved.replaces, originals.map(({ id }) => renumberedId(id, 31)));
  assertEquals((await store.restore(31)).length, 2);
  assertEquals((await store.getByIssue(31)).map(({ content }) => content).sort(), ["One", "Two"]);
  assertEquals(await store.getByIssue(29), []);
});
