import { assert, assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/memory/schema.ts";
import { refusal } from "../../refusal.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

Deno.test("T2: JsonObservationStore stores by issue, and gives back", async () => {
  using temp = new TempStore();
  const [a, b] = [sample("Chose JSON files"), sample("Chose port 80", { issueNumber: 30 })];
  assertEquals(await temp.store.store([a, b]), [a, b]);
  for (const store of [temp.store, temp.another()]) {
    assertEquals(await store.getByIssue(29), [a]);
    assertEquals(await store.getByIssue(30), [b]);
    assertEquals(await store.getByIssue(31), []);
    assertEquals(await store.getById(b.id), b);
    assertEquals(await store.getById("obs-engineer-29-1-aaaaaa"), null);
  }
  assertEquals(await temp.another().getByIssue(29), [a]);
});

Deno.test("JsonObservationStore.store() stores the same id, and the same words of a session, once", async () => {
  using temp = new TempStore();
  const first = sample("Chose JSON files");
  const again = sample("Chose JSON files");
  const elsewhere = sample("Chose JSON files", { sessionId: "another" });
  assertEquals(await temp.store.store([first, again]), [first]);
  assertEquals(await temp.another().store([first, again]), []);
  await temp.store.close();
  assertEquals(await temp.another().store([again, elsewhere]), [elsewhere]);
  assertEquals(await temp.store.getByIssue(29), [first, elsewhere]);
});

const UNFIT: Record<string, Partial<Record<keyof Observation, unknown>>> = {
  "an id of another agent": { agent: "reviewer" },
  "an id of another issue": { issueNumber: 30 },
  "a bad id": { id: "obs-1" },
  "content that is too long": { content: "x".repeat(2_001) },
  "empty content": { content: " \n" },
  "half a character": { content: "a\ud800b" },
  "an unknown category": { category: "secret" },
  "a time that is none": { timestamp: "yesterday" },
  "a bad supersedes": { supersedes: "../x" },
  "no session": { sessionId: undefined },
};

for (const [what, changes] of Object.entries(UNFIT)) {
  Deno.test(`JsonObservationStore.store() refuses ${what} and stores nothing`, async () => {
    using temp = new TempStore();
    const unfit = { ...sample("Chose JSON"), ...changes } as Observation;
    await refusal("INVALID_INPUT", () => temp.store.store([sample("Fits"), unfit]));
    assertEquals(await temp.store.getByIssue(29), []);
  });
}

Deno.test("JsonObservationStore.store() takes at most 50, of at most 2,000 characters", async () => {
  using temp = new TempStore();
  await refusal("INVALID_INPUT", () => temp.store.store(samples(51)));
  assertEquals((await temp.store.store(samples(50))).length, 50);
  assertEquals((await temp.store.store([sample("x".repeat(2_000))])).length, 1);
});

Deno.test("JsonObservationStore.getSession() gives the session of an observation by time", async () => {
  using temp = new TempStore();
  const at = (second: number) => new Date(SAMPLE_TIME_MS + second * 1_000).toISOString();
  const later = sample("Later", { timestamp: at(2) });
  const first = sample("First", { timestamp: at(1) });
  const other = sample("Other", { sessionId: "other" });
  await temp.store.store([later, other, first]);
  assertEquals(await temp.store.getSession(later.id), [first, later]);
  await refusal("NOT_FOUND", () => temp.store.getSession("obs-engineer-29-1-aaaaaa"));
  const old = new Date(SAMPLE_TIME_MS - 91 * 86_400_000).toISOString();
  const archived = sample("Archived", { timestamp: old });
  await temp.store.store([archived]);
  await temp.store.compact(29);
  for (const { id } of [archived, later]) {
    assertEquals(await temp.another().getSession(id), [archived, first, later]);
  }
});

Deno.test("JsonObservationStore lists by agent with its workers, by category, issue and time", async () => {
  using temp = new TempStore();
  const day = (day: number) => `2026-02-0${day}T12:00:00.000Z`;
  await temp.store.store([
    sample("one", { timestamp: day(1) }),
    sample("two", { timestamp: day(2), agent: "engineer@2", category: "error" }),
    sample("three", { timestamp: day(3), agent: "reviewer", issueNumber: 7 }),
  ]);
  const summaries = (list: Array<{ summary: string }>) => list.map(({ summary }) => summary);
  const { store } = temp;
  assertEquals(summaries(await store.searchByFilters({ agent: "engineer" })), ["two", "one"]);
  assertEquals(summaries(await store.searchByFilters({ agent: "engineer@2" })), ["two"]);
  assertEquals(summaries(await store.searchByFilters({ category: "error" })), ["two"]);
  assertEquals(summaries(await store.searchByFilters({ issueNumber: 7 })), ["three"]);
  assertEquals(summaries(await store.searchByFilters({ from: "2026-02-02" })), ["three", "two"]);
  assertEquals(summaries(await store.searchByFilters({ to: "2026-02-02" })), ["two", "one"]);
  await refusal("INVALID_INPUT", () => store.searchByFilters({ from: "soon" }));
});

Deno.test("JsonObservationStore.remove() removes for good: the next capture does not bring it back", async () => {
  using temp = new TempStore();
  const [wrong, right] = [sample("Wrong"), sample("Right")];
  await temp.store.store([wrong, right]);
  assertEquals(await temp.store.remove(wrong.id), true);
  assertEquals(await temp.store.remove(wrong.id), false);
  assertEquals(await temp.store.store([wrong, sample("Wrong")]), []);
  assertEquals(await temp.another().getByIssue(29), [right]);
  assert(!Object.values(temp.snapshot()).some((text) => text.includes("Wrong")));
});

Deno.test("JsonObservationStore.retract() keeps the observation, marked, and hides it", async () => {
  using temp = new TempStore();
  const wrong = sample("The cache is fast");
  await temp.store.store([wrong]);
  const retracted = { because: "measured", timestamp: "2026-02-27T10:00:00.000Z" };
  assertEquals(await temp.store.retract(wrong.id, "measured"), { ...wrong, retracted });
  assertEquals(await temp.another().getById(wrong.id), { ...wrong, retracted });
  assertEquals(await temp.another().search("cache"), []);
  assertEquals(await temp.another().searchByFilters({ agent: "engineer" }), []);
  await refusal("NOT_FOUND", () => temp.store.retract("obs-engineer-29-1-aaaaaa", "x"));
  await refusal("INVALID_INPUT", () => temp.store.retract(wrong.id, " "));
});

Deno.test("JsonObservationStore hides what is superseded, until its correction is retracted", async () => {
  using temp = new TempStore();
  const old = sample("The cache is fast");
  const correction = sample("The cache is slow", { supersedes: old.id });
  await temp.store.store([old, correction]);
  const found = async () => (await temp.another().search("cache")).map(({ id }) => id);
  assertEquals(await found(), [correction.id]);
  await temp.store.close();
  assertEquals(await found(), [correction.id]);
  await temp.store.retract(correction.id, "measured again");
  assertEquals(await found(), [old.id]);
});

Deno.test("JsonObservationStore counts recalls beside the workspace's files, and in no line", async () => {
  using temp = new TempStore();
  const [a, b] = samples(2);
  await temp.store.store([a, b]);
  await temp.store.close();
  const lines = () =>
    Object.entries(temp.snapshot()).filter(([path]) => path.startsWith("/memory/"));
  const before = lines();
  await temp.store.incrementRecallCount([a.id]);
  await temp.another().incrementRecallCount([a.id, b.id]);
  assertEquals(await temp.store.recallCounts(), new Map([[a.id, 2], [b.id, 1]]));
  assertEquals(lines(), before);
});

Deno.test("JsonObservationStore.getStats() sums up", async () => {
  using temp = new TempStore();
  assertEquals((await temp.store.getStats()).oldestTimestamp, null);
  await temp.store.store([
    sample("12345678", { timestamp: "2026-02-27T09:00:00.000Z" }),
    sample("1234", { timestamp: "2025-02-27T09:00:00.000Z", agent: "reviewer", issueNumber: 3 }),
  ]);
  const { bytes, ages, ...stats } = await temp.store.getStats();
  assertEquals(stats, {
    totalObservations: 2,
    totalTokens: 3,
    issueCount: 2,
    oldestTimestamp: "2025-02-27T09:00:00.000Z",
    newestTimestamp: "2026-02-27T09:00:00.000Z",
    byCategory: { decision: 2 },
    byAgent: { reviewer: 1, engineer: 1 },
  });
  assert(bytes > 100, `${bytes}`);
  assertEquals(ages.map(({ count }) => count), [1, 0, 0, 0, 0, 1]);
});

Deno.test("JsonObservationStore writes one line an observation, without what follows from the rest", async () => {
  using temp = new TempStore();
  await temp.store.store([
    sample("Chose JSON"),
    sample("Chose a lock", { supersedes: sample("x").id }),
  ]);
  const [[path, text]] = Object.entries(temp.snapshot()).filter(([path]) =>
    path.endsWith(".jsonl")
  );
  assert(/^\/memory\/2026-02\/[0-9a-v]{12}\.jsonl$/.test(path), path);
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.map(({ op, content }) => [op, content]), [
    ["note", "Chose JSON"],
    ["note", "Chose a lock"],
  ]);
  assertEquals(
    Object.keys(lines[0]),
    ["v", "id", "uid", "time", "by", "op", "session", "category", "content"],
  );
});

Deno.test("compact() archives what is old and was not recalled lately, and restore() brings it back", async () => {
  using temp = new TempStore();
  const at = (days: number) => ({
    timestamp: new Date(SAMPLE_TIME_MS - days * 86_400_000).toISOString(),
  });
  const old = samples(3, at(100));
  const [recalled, young] = [
    sample("The port is 5432, recalled", at(100)),
    sample("The port is young", at(1)),
  ];
  await temp.store.store([...old, recalled, young]);
  await temp.store.incrementRecallCount([recalled.id]);
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  const gone = ids(old);
  assertEquals((await temp.store.compact(29, { isDryRun: true })).removed, gone);
  assertEquals((await temp.store.getByIssue(29)).length, 5);
  assertEquals(await temp.store.compact(29), {
    issueNumber: 29,
    before: 5,
    after: 2,
    removed: gone,
  });
  assertEquals(ids(await temp.another().getByIssue(29)), ids([recalled, young]));
  assertEquals(await temp.another().getById(old[0].id), old[0]);
  assertEquals(await temp.another().store([old[0]]), []);
  assertEquals((await temp.store.compact(29)).removed, []);
  assertEquals(ids(await temp.store.restore(29)), gone);
  assertEquals((await temp.another().getByIssue(29)).length, 5);
  assertEquals(await temp.store.restore(29), []);
});

Deno.test("archived observations are found last, and are no candidates of a recall", async () => {
  using temp = new TempStore();
  const old = sample("The retry queue doubles its delay", {
    timestamp: "2025-01-01T10:00:00.000Z",
    sessionId: "old",
  });
  const weak = sample("Something on a queue", { sessionId: "young" });
  await temp.store.store([old, weak]);
  await temp.store.compact(29);
  const found = await temp.another().search("retry queue delay");
  assertEquals(found.map(({ id }) => id), [weak.id, old.id]);
  assertEquals((await temp.another().candidates(29, [], 5)).own.map(({ id }) => id), [weak.id]);
});

Deno.test("an observation of the project is no candidate of a recall with a query", async () => {
  using temp = new TempStore();
  const note = sample("The retry queue doubles its delay", { issueNumber: 0 });
  await temp.store.store([note]);
  const asked = await temp.store.candidates(0, ["retry queue"], 5);
  assertEquals([asked.own, asked.hits.map(({ observation }) => observation.id)], [[], [note.id]]);
  assertEquals((await temp.store.candidates(0, [], 5)).own, [note]);
});

Deno.test("Counts of recalls without times, of an earlier release, are read and kept", async () => {
  using disk = new TempStore();
  const old = new Date(SAMPLE_TIME_MS - 100 * 86_400_000).toISOString();
  const [{ id }] = await disk.store.store([sample("Chose JSON files", { timestamp: old })]);
  const path = `${disk.root}/state/memory-recalls.json`;
  Deno.writeTextFileSync(path, JSON.stringify({ version: 1, counts: { [id]: 3 } }));
  assertEquals((await disk.another().compact(29, { isDryRun: true })).removed, [id]);
  await disk.another().incrementRecallCount([id]);
  const file = { version: 1, counts: { [id]: 4 }, recalledMs: { [id]: SAMPLE_TIME_MS } };
  assertEquals(JSON.parse(Deno.readTextFileSync(path)), file);
});

Deno.test("rebuild() makes the index where nothing was written yet", async () => {
  using temp = new TempStore();
  assertEquals(await temp.store.rebuild(), 0);
});
