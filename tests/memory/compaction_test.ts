import { assert, assertEquals } from "@std/assert";
import { compactIssue } from "../../lib/memory/compaction.ts";
import type { Observation } from "../../lib/memory/schema.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "./temp_store.ts";

const DAY_MS = 86_400_000;

async function storeAll(temp: TempStore, list: Observation[]): Promise<void> {
  for (let from = 0; from < list.length; from += 50) {
    await temp.store.store(list.slice(from, from + 50));
  }
}

/** Observations one day apart, the first one the youngest. */
function daily(contents: string[]): Observation[] {
  return contents.map((content, days) =>
    sample(content, {
      timestamp: new Date(SAMPLE_TIME_MS - days * DAY_MS).toISOString(),
    })
  );
}

Deno.test("T11: compactIssue() archives the originals, and restore() brings them back", async () => {
  using temp = new TempStore();
  const old = daily(
    Array.from({ length: 130 }, (_, index) => `Observation w${index}a w${index}b w${index}c`),
  ).slice(100);
  const young = daily(["The newest of all"]);
  await storeAll(temp, [...old, ...young]);
  const dry = await compactIssue(temp.store, 29, { isDryRun: true, nowMs: SAMPLE_TIME_MS });
  assertEquals((await temp.store.getByIssue(29)).length, 31);
  const { before, after, removed, added } = await compactIssue(temp.store, 29, {
    nowMs: SAMPLE_TIME_MS,
  });
  assertEquals([dry.removed, dry.added], [removed, added]);
  assertEquals([before, removed.length], [31, 30]);
  assert(after <= 16 && added.length <= 15);
  const now = await temp.another().getByIssue(29);
  assertEquals(now.length, after);
  assertEquals(now.some(({ id }) => id === young[0].id), true);
  assertEquals((await temp.store.getById(old[0].id))?.content, old[0].content);
  assertEquals(await compactIssue(temp.store, 29, { nowMs: SAMPLE_TIME_MS }), {
    issueNumber: 29,
    before: after,
    after,
    removed: [],
    added: [],
  });
  await temp.store.restore(29);
  const back = await temp.another().getByIssue(29);
  assertEquals(
    back.map(({ content }) => content).sort(),
    [...old, ...young].map(({ content }) => content).sort(),
  );
});

Deno.test("T11: compactIssue() takes an issue with very many old observations", async () => {
  using temp = new TempStore();
  const old = Array.from(
    { length: 300 },
    (_, index) =>
      sample(`Topic${index} ${`w${index} `.repeat(300)}`.slice(0, 900), {
        timestamp: new Date(SAMPLE_TIME_MS - (100 + index) * DAY_MS).toISOString(),
      }),
  );
  await storeAll(temp, old);
  const { after, added } = await compactIssue(temp.store, 29, { nowMs: SAMPLE_TIME_MS });
  assert(added.length > 100 && after <= 150, String(after));
  assertEquals((await temp.another().getByIssue(29)).length, after);
  assertEquals((await temp.store.restore(29)).length, 300);
  assertEquals((await temp.another().getByIssue(29)).length, 300);
});
