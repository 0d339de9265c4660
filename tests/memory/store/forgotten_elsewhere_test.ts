/**
 * What one branch forgets stays forgotten, whatever the other one did with it and whichever is merged
 * into which.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { summaryOf } from "../../../lib/memory/schema.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "../temp_store.ts";

const WORD = "quetzalcoatl";
const SENTENCE = `The pool is named ${WORD} by everybody.`;
const old = { timestamp: new Date(SAMPLE_TIME_MS - 200 * 86_400_000).toISOString() };

/** Two clones of a store. */
async function branches(
  content = SENTENCE,
): Promise<{ ours: TempStore; theirs: TempStore; id: string }> {
  const [ours, theirs] = [new TempStore(), new TempStore()];
  const said = sample(content, old);
  await ours.store.store([said, sample("Something else is kept")]);
  merge(theirs, ours);
  Deno.removeSync(`${ours.root}/state/lines/memory.json`); // what is written next is in another file
  return { ours, theirs, id: said.id };
}

/** Brings in the files of another clone, as merging branches does: files are only ever added. */
function merge(into: TempStore, from: TempStore): void {
  for (const [path, text] of Object.entries(from.snapshot())) {
    if (!path.startsWith("/memory/2") || !path.endsWith(".jsonl")) continue;
    const target = `${into.root}${path}`;
    if (path in into.snapshot()) continue; // one of both forgot what it says
    Deno.mkdirSync(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(target, text);
  }
}

async function shows(temp: TempStore): Promise<string> {
  const store = temp.another();
  const hits = await store.search(WORD, 50);
  const whole = await Promise.all(hits.map(({ id }) => store.getById(id)));
  return JSON.stringify([whole, await store.listAll()]);
}

for (
  const what of [
    "archives it",
    "retracts it",
    "has it in a summary",
    "says it again in another session",
  ]
) {
  Deno.test(`what one branch forgets and the other ${what} stays away, merged either way`, async () => {
    const { ours, theirs, id } = await branches();
    using _ours = ours, _theirs = theirs;
    assertEquals(await ours.another().remove(id), true);
    if (what === "archives it") await theirs.another().compact(29);
    if (what === "retracts it") await theirs.another().retract(id, "Wrong");
    if (what === "has it in a summary") {
      const content = `${SENTENCE} It is large.`;
      const changes = { ...old, category: "compaction-summary" as const };
      await theirs.another().store([{ ...sample(content, changes), summary: summaryOf(content) }]);
    }
    if (what === "says it again in another session") {
      await theirs.another().store([sample(SENTENCE, { ...old, sessionId: "another" })]);
    }
    merge(ours, theirs);
    merge(theirs, ours);
    for (const temp of [ours, theirs]) {
      const text = await shows(temp);
      assert(!text.includes(WORD), text);
      assert(text.includes("Something else is kept"));
      await temp.another().repair();
      const left = Object.entries(temp.snapshot()).filter(([, text]) => text.includes(WORD));
      assertEquals(left.map(([path]) => path), []);
      assert(!(await shows(temp)).includes(WORD));
    }
  });
}

Deno.test("a person can note a deleted text again later", async () => {
  const { ours, theirs, id } = await branches();
  using _ours = ours, _theirs = theirs;
  await ours.store.remove(id);
  const later = { timestamp: new Date(SAMPLE_TIME_MS + 1_000).toISOString(), sessionId: "later" };
  assertEquals((await ours.store.store([sample(SENTENCE, later)])).length, 1);
  assertEquals((await ours.another().search(WORD)).length, 1);
});

Deno.test("a sentence that another observation says among others stays there", async () => {
  using temp = new TempStore();
  const said = sample("Tests pass.");
  const other = sample("Tests pass. The port is 5432.");
  await temp.store.store([said, other]);
  await temp.store.remove(said.id);
  assertEquals(await temp.another().listAll(), [other]);
});
