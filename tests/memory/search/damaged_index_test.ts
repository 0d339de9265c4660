/**
 * The search index is derived: whatever happens to it, the answers stay the same.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fault, replace } from "../../lock/faults.ts";
import { sample, samples, TempStore } from "../temp_store.ts";

/** Two segments and a journal. */
async function filled(temp: TempStore): Promise<void> {
  await temp.store.store(samples(30));
  await temp.store.close();
  await temp.store.store(samples(30, { issueNumber: 30 }));
  await temp.store.close();
  await temp.store.store(samples(3));
}

const ask = (temp: TempStore) => temp.another().search("observation of many", 100);

function indexNames(temp: TempStore): string[] {
  return Array.from(Deno.readDirSync(`${temp.folder}/index`), ({ name }) => name).sort();
}

const DAMAGE: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  "emptied": () => new Uint8Array(0),
  "cut off": (bytes) => bytes.slice(0, bytes.length / 2),
  "overwritten": (bytes) => bytes.map((byte, index) => index % 97 === 50 ? byte ^ 0x5a : byte),
};

for (const [what, damage] of Object.entries(DAMAGE)) {
  Deno.test(`JsonObservationStore rebuilds each file of its index that is ${what}, and says so`, async () => {
    using temp = new TempStore();
    await filled(temp);
    const before = await ask(temp);
    assertEquals(before.length, 63);
    for (let file = 0; file < indexNames(temp).length; file++) {
      const path = `${temp.folder}/index/${indexNames(temp)[file]}`;
      Deno.writeFileSync(path, damage(Deno.readFileSync(path)));
      temp.notices.length = 0;
      assertEquals(await ask(temp), before, path);
      assert(temp.notices.some((notice) => notice.startsWith("Memory index rebuilt")), path);
      assertEquals(await temp.another().listByAgent("engineer").then((all) => all.length), 63);
    }
  });
}

Deno.test("JsonObservationStore notices a single bit that changed anywhere in a segment", async () => {
  using temp = new TempStore();
  await temp.store.store(samples(20));
  await temp.store.close();
  const before = await ask(temp);
  for (let step = 0; step < 40; step++) {
    const name = indexNames(temp).find((name) => name.endsWith(".segment"));
    const path = `${temp.folder}/index/${name}`;
    const bytes = Deno.readFileSync(path);
    bytes[Math.floor(step * bytes.length / 40)] ^= 1;
    Deno.writeFileSync(path, bytes);
    assertEquals(await ask(temp), before, `step ${step}`);
    await temp.store.rebuild();
  }
});

Deno.test("JsonObservationStore rebuilds its index in silence once it was deleted", async () => {
  using temp = new TempStore();
  await filled(temp);
  const before = await ask(temp);
  for (let file = 0; file < indexNames(temp).length; file++) {
    Deno.removeSync(`${temp.folder}/index/${indexNames(temp)[file]}`);
    assertEquals(await ask(temp), before);
  }
  Deno.removeSync(`${temp.folder}/index`, { recursive: true });
  temp.notices.length = 0;
  assertEquals(await ask(temp), before);
  assertEquals(temp.notices, []);
});

Deno.test("JsonObservationStore searches in memory where the index cannot be written", async () => {
  using temp = new TempStore();
  await filled(temp);
  const before = await ask(temp);
  Deno.removeSync(`${temp.folder}/index`, { recursive: true });
  using _ = replace("createFile", () => () => {
    throw fault("EROFS");
  });
  assertEquals(await ask(temp), before);
  assert(temp.notices.some((notice) => notice.startsWith("Memory search is not using the index")));
});

Deno.test("JsonObservationStore finds at once what other processes stored, folded and removed", async () => {
  using temp = new TempStore();
  const reader = temp.another();
  const count = async () => (await reader.search("observation", 1_000)).length;
  const all = samples(200);
  for (let start = 0; start < 200; start += 40) {
    await temp.another().store(all.slice(start, start + 40));
    assertEquals(await count(), start + 40);
  }
  await temp.another().close();
  assertEquals(await count(), 200);
  await temp.another().remove(all[0].id);
  assertEquals(await count(), 199);
  await temp.another().retract(all[1].id, "wrong");
  assertEquals(await count(), 198);
  await temp.another().replace(29, { remove: all.slice(2, 102).map(({ id }) => id), add: [] });
  assertEquals(await count(), 98);
  await temp.another().restore(29);
  assertEquals(await count(), 198);
});

Deno.test("JsonObservationStore finds what came with a pull, in a fresh process", async () => {
  using temp = new TempStore();
  using other = new TempStore();
  await filled(temp);
  await other.store.store([
    sample("Pulled from elsewhere", { issueNumber: 77, sessionId: "other" }),
  ]);
  await other.store.close();
  await ask(temp);
  temp.write("issue-77.json", other.read("issue-77.json"));
  assertEquals((await temp.another().search("pulled elsewhere")).length, 1);
  Deno.removeSync(`${temp.folder}/issue-77.json`);
  assertEquals(await temp.another().search("pulled elsewhere"), []);
});

Deno.test("JsonObservationStore merges its segments, and leaves none behind", async () => {
  using temp = new TempStore();
  for (let turn = 0; turn < 20; turn++) {
    await temp.store.store(samples(2));
    await temp.store.close();
  }
  const segments = indexNames(temp).filter((name) => name.endsWith(".segment"));
  assert(segments.length <= 3, segments.join());
  assertEquals((await ask(temp)).length, 40);
});

Deno.test("JsonObservationStore finds words of any alphabet in segments that were merged", async () => {
  using temp = new TempStore();
  const words = [
    "plain",
    "\u0441\u043b\u043e\u0432\u043e",
    "ab\u0436",
    "\u691c\u7d22",
    "\ud835\udd04x",
  ];
  for (let turn = 0; turn < 20; turn++) {
    await temp.store.store([sample(`Turn ${turn} ${words.join(" ")}`)]);
    await temp.store.close();
  }
  for (const word of words) {
    assertEquals((await temp.another().search(word, 100)).length, 20, word);
  }
  temp.notices.length = 0;
  const before = await ask(temp);
  await temp.another().rebuild();
  assertEquals(await ask(temp), before);
  assertEquals(temp.notices, []);
});

Deno.test("JsonObservationStore rebuilds an index of another version, and calls nothing damaged", async () => {
  using temp = new TempStore();
  await filled(temp);
  const before = await ask(temp);
  const path = `${temp.folder}/index/head.json`;
  for (const version of [1, 99]) {
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace(/"version":\d+/, `"version":${version}`));
    assertEquals(await ask(temp), before);
  }
  assert(!Deno.readTextFileSync(path).includes('"version":99'));
  assertEquals(temp.notices, []);
});
