import { assert, assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/memory/schema.ts";
import { refusal } from "../../refusal.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

const contents = (list: Array<{ content: string }>) => list.map(({ content }) => content);

Deno.test("T2: JsonObservationStore stores by issue, gives back, and keeps the manifest in step", async () => {
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
  await temp.store.close();
  const { entries, total } = JSON.parse(temp.read("manifest.json"));
  const { content: _, sessionId: __, ...entry } = a;
  assertEquals([entries[0], entries.length, total], [entry, 2, 2]);
  assertEquals(await temp.another().getByIssue(29), [a]);
});

Deno.test("JsonObservationStore writes the files of SPEC-AgentX 4.2, one observation per line", async () => {
  using temp = new TempStore();
  const [a, b] = [sample("Chose JSON"), sample("Chose a lock")];
  await temp.store.store([a, b]);
  assertEquals(temp.read("journal.jsonl"), `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`);
  await temp.store.close();
  assertEquals(
    temp.read("issue-29.json"),
    `{
  "version": 1,
  "issueNumber": 29,
  "updatedAt": "2026-02-27T10:00:00.000Z",
  "observations": [
    ${JSON.stringify(a)},
    ${JSON.stringify(b)}
  ]
}
`,
  );
  assertEquals(temp.read("journal.jsonl"), "");
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

Deno.test("JsonObservationStore flushes its journal after 64 observations", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(50));
  assert(!temp.names().includes("issue-29.json"));
  await temp.store.store(samples(14));
  assertEquals(temp.read("journal.jsonl"), "");
  assertEquals((await temp.store.getByIssue(29)).length, 64);
});

Deno.test("JsonObservationStore seals 50 observations of an issue, and writes them no more", async () => {
  using temp = new TempStore();
  const all = Array.from({ length: 5 }, () => samples(40));
  for (const batch of all) await temp.store.store(batch);
  await temp.store.close();
  const sealed = temp.read("issue-29.1.json");
  assertEquals(JSON.parse(sealed).observations.length, 50);
  assertEquals(JSON.parse(temp.read("issue-29.json")).parts, [1, 2, 3]);
  assertEquals(contents(await temp.another().getByIssue(29)), contents(all.flat()));
  await temp.store.store(samples(50));
  await temp.store.close();
  assertEquals(temp.read("issue-29.1.json"), sealed);
});

Deno.test("JsonObservationStore keeps keys that are not its own", async () => {
  using temp = new TempStore();
  const old = { ...sample("Chose JSON"), relevanceScore: 0.5, archived: false };
  temp.write("manifest.json", { version: 1, updatedAt: "", entries: [old], tool: "AgentX" });
  temp.write("issue-29.json", {
    version: 1,
    issueNumber: 29,
    updatedAt: "",
    observations: [old],
    note: { by: "hand" },
  });
  await temp.store.store([sample("Chose a lock")]);
  await temp.store.close();
  const file = JSON.parse(temp.read("issue-29.json"));
  assertEquals([file.note, file.observations[0]], [{ by: "hand" }, old]);
  const manifest = JSON.parse(temp.read("manifest.json"));
  assertEquals([manifest.tool, manifest.total], ["AgentX", 2]);
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
  assertEquals(summaries(await store.listByAgent("engineer")), ["two", "one"]);
  assertEquals(summaries(await store.listByAgent("engineer@2")), ["two"]);
  assertEquals(summaries(await store.listByCategory("error")), ["two"]);
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
  assertEquals(JSON.parse(temp.read("manifest.json")).total, 1);
});

Deno.test("JsonObservationStore.retract() keeps the observation, marked, and hides it", async () => {
  using temp = new TempStore();
  const wrong = sample("The cache is fast");
  await temp.store.store([wrong]);
  const retracted = { because: "measured", timestamp: "2026-02-27T10:00:00.000Z" };
  assertEquals(await temp.store.retract(wrong.id, "measured"), { ...wrong, retracted });
  assertEquals(await temp.another().getById(wrong.id), { ...wrong, retracted });
  assertEquals(await temp.another().search("cache"), []);
  assertEquals(await temp.another().listByAgent("engineer"), []);
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

Deno.test("JsonObservationStore.replace() archives the originals, and restore() brings them back", async () => {
  using temp = new TempStore();
  const originals = samples(120, { content: undefined as unknown as string })
    .map((each, index) => ({ ...each, content: `Original ${index}` }));
  for (const start of [0, 40, 80]) await temp.store.store(originals.slice(start, start + 40));
  const kept = originals.slice(0, 10);
  const gone = originals.slice(10);
  const summary = sample("All of it", { category: "compaction-summary" });
  await temp.store.replace(29, { remove: gone.map(({ id }) => id), add: [summary] });
  assertEquals(await temp.another().getByIssue(29), [...kept, summary]);
  assertEquals(await temp.another().getById(gone[0].id), gone[0]);
  assertEquals(await temp.another().store([gone[0]]), []);
  assertEquals(JSON.parse(temp.read("manifest.json")).total, 11);

  const unknown = ["obs-engineer-29-1-aaaaaa"];
  await refusal("NOT_FOUND", () => temp.store.replace(29, { remove: unknown, add: [] }));
  assertEquals((await temp.store.restore(29)).length, 110);
  const ids = (list: Observation[]) => list.map(({ id }) => id).sort();
  assertEquals(ids(await temp.another().getByIssue(29)), ids(originals));
  assertEquals(await temp.store.restore(29), []);
  assertEquals(Array.from(Deno.readDirSync(`${temp.folder}/archive`)), []);
});

Deno.test("JsonObservationStore counts recalls beside the workspace's files, and in no issue file", async () => {
  using temp = new TempStore();
  const [a, b] = samples(2);
  await temp.store.store([a, b]);
  await temp.store.close();
  const before = temp.read("issue-29.json");
  await temp.store.incrementRecallCount([a.id]);
  await temp.another().incrementRecallCount([a.id, b.id]);
  assertEquals(await temp.store.recallCounts(), new Map([[a.id, 2], [b.id, 1]]));
  assertEquals(temp.read("issue-29.json"), before);
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
  assertEquals(bytes, temp.read("journal.jsonl").length);
  assertEquals(ages.map(({ count }) => count), [1, 0, 0, 0, 0, 1]);
});
