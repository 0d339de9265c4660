/**
 * Where memory takes more than its limit, what was recalled longest ago goes to the archive, and comes
 * back from there.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/memory/schema.ts";
import { replace } from "../../lock/faults.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => ({
  timestamp: new Date(SAMPLE_TIME_MS - days * DAY_MS).toISOString(),
});
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);

/** What some observations take, and a store that holds them. */
async function filled(observations: readonly Observation[]): Promise<TempStore> {
  const disk = new TempStore();
  for (let from = 0; from < observations.length; from += 50) {
    await disk.store.store(observations.slice(from, from + 50));
  }
  await disk.store.close();
  return disk;
}

/** What is in place takes: each line is about as long as any other. */
const sizeOf = async (disk: TempStore) => {
  const texts = Object.entries(disk.snapshot()).filter(([path]) => path.endsWith(".jsonl"));
  const notes = texts.flatMap(([, text]) => text.split(/\n/)).filter((each) =>
    each.includes("note")
  );
  const left = (await disk.another().listAll()).length;
  return notes.reduce((sum, { length }) => sum + length, 0) * left / notes.length;
};

Deno.test("archiveBeyond() archives what was recalled or made longest ago, until there is room", async () => {
  const recalled = samples(5, daysAgo(100));
  const old = samples(20, daysAgo(50));
  const late = samples(10, daysAgo(8));
  using disk = await filled([...late, ...recalled, ...old]);
  await disk.store.incrementRecallCount(ids(recalled));
  const limit = Math.round(await sizeOf(disk) * 0.8);
  const archived = await disk.store.archiveBeyond(limit);
  assert(archived! >= 7 && archived! < 20, `${archived}`);
  assert(await sizeOf(disk) <= limit, `${await sizeOf(disk)} of ${limit}`);
  const left = new Set(ids(await disk.another().getByIssue(29)));
  assert([...recalled, ...late].every(({ id }) => left.has(id)));
  assertEquals(await disk.store.archiveBeyond(limit), undefined);
  assertEquals(ids(await disk.store.restore(29)).length, archived);
  assertEquals((await disk.another().getByIssue(29)).length, 35);
});

Deno.test("archiveBeyond() never archives what was made in the last 7 days", async () => {
  const young = samples(10, daysAgo(6.9));
  using disk = await filled([...young, ...samples(5, daysAgo(7.1))]);
  assertEquals(await disk.store.archiveBeyond(1), 5);
  assertEquals(ids(await disk.store.getByIssue(29)).sort(), ids(young).sort());
  assertEquals(await disk.store.archiveBeyond(1), 0);
});

Deno.test("archiveBeyond() does not bring back what was corrected", async () => {
  const wrong = sample("The port is 5432", { ...daysAgo(40), issueNumber: 30 });
  const far = sample("The port is 5433", { ...daysAgo(90), supersedes: wrong.id });
  const outdated = sample("The logo is blue", daysAgo(30));
  const right = sample("The logo is green", { ...daysAgo(80), supersedes: outdated.id });
  using disk = await filled([wrong, far, outdated, right, ...samples(3, daysAgo(1))]);
  await disk.store.incrementRecallCount([outdated.id, wrong.id]);
  await disk.store.archiveBeyond(Math.round(await sizeOf(disk) * 0.95));
  assertEquals((await disk.store.search("port")).map(({ id }) => id), [far.id]);
  assertEquals((await disk.store.search("logo")).map(({ id }) => id), [right.id]);
  assertEquals(ids(await disk.store.restore(29)).sort(), [outdated.id, right.id].sort());
});

Deno.test("A capture beyond memory.maxMegabytes archives, says so, and memory stats shows the limit", async () => {
  using _ = replace("now", () => () => SAMPLE_TIME_MS);
  using temp = new TempWorkspace();
  const note = ["memory", "note", "--agent", "engineer", "--issue", "29", "The logo is blue."];
  const copies = "the nightly job copies it. ".repeat(70);
  const all = Array.from({ length: 500 }, (_, at) => sample(`Part ${at}: ${copies}`, daysAgo(30)));
  const stdin = all.map((one) => JSON.stringify(one)).join("\n");
  assertEquals((await temp.run(["memory", "import", "-"], { stdin })).err, "");
  assert(!(await temp.run(["memory", "stats"])).out.includes("Limit"));
  await temp.run(["config", "set", "memory.maxMegabytes", "1"]);
  const { code, err } = await temp.run(note);
  assertEquals(code, 0);
  assert(/memory\.maxMegabytes \(1\): \d+ observations .+ are archived/.test(err), err);
  assertEquals((await temp.run([...note.slice(0, -1), "The door is red."])).err, "");
  const { out } = await temp.run(["memory", "stats"]);
  assert(/Limit +1 MB without archive and index/.test(out), out);
  const { restored } = await temp.json(["memory", "compact", "--undo", "--issue", "29"]);
  assert(restored.length > 0);
  assertEquals((await temp.json(["memory", "stats"])).stats.totalObservations, 502);
});

Deno.test("Counts of recalls without times, of an earlier release, are read and kept", async () => {
  using disk = await filled(samples(2, daysAgo(30)));
  const path = `${disk.root}/state/memory-recalls.json`;
  Deno.mkdirSync(`${disk.root}/state`, { recursive: true });
  const [{ id }] = await disk.store.listAll();
  Deno.writeTextFileSync(path, JSON.stringify({ version: 1, counts: { [id]: 3 } }));
  assertEquals(await disk.another().archiveBeyond(1), 2);
  await disk.another().incrementRecallCount([id]);
  const file = { version: 1, counts: { [id]: 4 }, recalledMs: { [id]: SAMPLE_TIME_MS } };
  assertEquals(JSON.parse(Deno.readTextFileSync(path)), file);
});
