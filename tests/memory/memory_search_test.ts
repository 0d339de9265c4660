/**
 * A search opens the whole store only where that has something to do first, and finds the same with it
 * and without.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { MemorySearch } from "../../lib/memory/memory_search.ts";
import { replace } from "../lock/faults.ts";
import { sample, samples, TempStore } from "./temp_store.ts";

const WORDS = ["ledger", "mutex", "router", "gate", "inbox", "digest", "budget", "lease", "queue"];

const LINES = WORDS.map((word) => `The ${word} is one file for each issue`);

async function filled(): Promise<TempStore> {
  const temp = new TempStore();
  await temp.store.store(LINES.map((line) => sample(line, { sessionId: line })));
  await temp.store.close();
  return temp;
}

/** What a fresh process finds, and whether it opened the store. */
async function ask(
  temp: TempStore,
  query = "file of an issue",
): Promise<{ found: string[]; opened: number }> {
  let opened = 0;
  const search = new MemorySearch(temp.folder, () => {
    opened++;
    return Promise.resolve(temp.another());
  });
  const found = await search.search(query, 1_000);
  return { found: found.map(({ summary }) => summary).sort(), opened };
}

Deno.test("MemorySearch finds what the store finds, and does not open it", async () => {
  using temp = await filled();
  const store = temp.another();
  for (const query of ["ledger", "file of an issue", "+gate issue", "nothing of it"]) {
    const expected = (await store.search(query, 1_000)).map(({ summary }) => summary).sort();
    assertEquals(await ask(temp, query), { found: expected, opened: 0 });
  }
  const search = new MemorySearch(temp.folder, () => Promise.reject(new Error("opened")));
  assertEquals((await search.list({ issueNumber: 29 }, 1_000)).length, LINES.length);
  assertEquals(await search.list({ issueNumber: 30 }, 1_000), []);
});

Deno.test("MemorySearch gives once what several sessions said in the same words", async () => {
  using temp = new TempStore();
  for (let session = 0; session < 3; session++) {
    const again = LINES.map((line) => sample(line, { sessionId: `s${session}` }));
    await temp.store.store(again);
  }
  await temp.store.close();
  const search = new MemorySearch(temp.folder, () => Promise.reject(new Error("opened")));
  const found = await search.search("file of an issue", WORDS.length);
  assertEquals(found.map(({ summary }) => summary).sort(), LINES.toSorted());
  assertEquals((await search.search("file of an issue", 2)).length, 2);
  assertEquals((await search.list({ issueNumber: 29 }, 100)).length, WORDS.length);
});

const CHANGES: Record<string, (temp: TempStore) => unknown> = {
  "waits in the journal": (temp) => temp.store.store(samples(1)),
  "was altered by a pull": (temp) => {
    const { observations: [first, ...rest], ...file } = JSON.parse(temp.read("issue-29.json"));
    const altered = { ...first, content: `An observation file. ${first.content}` };
    temp.write("issue-29.json", { ...file, observations: [altered, ...rest, ...samples(1)] });
  },
  "is not indexed": async (temp) => {
    await temp.store.store(samples(1));
    await temp.store.close();
    Deno.removeSync(`${temp.folder}/index`, { recursive: true });
  },
};

for (const [what, change] of Object.entries(CHANGES)) {
  Deno.test(`MemorySearch has the store bring in what ${what}`, async () => {
    using temp = await filled();
    const before = await ask(temp, "observation file");
    await change(temp);
    const after = await ask(temp, "observation file");
    assertEquals([after.found.length - before.found.length, after.opened], [1, 1]);
  });
}

Deno.test("MemorySearch finds what came with a pull, and not what was retracted there", async () => {
  using temp = await filled();
  const query = "observation file";
  const { found: before } = await ask(temp, query);
  const { observations: [first, ...rest], ...file } = JSON.parse(temp.read("issue-29.json"));
  const [pulled] = samples(1);
  const retracted = { ...first, retracted: { because: "wrong", timestamp: first.timestamp } };
  temp.write("issue-29.json", { ...file, observations: [retracted, ...rest, pulled] });
  const expected = [...before.filter((each) => each !== first.summary), pulled.summary].sort();
  assertEquals(await ask(temp, query), { found: expected, opened: 0 });
});

Deno.test("MemorySearch has the store end what is being forgotten before anything is shown", async () => {
  using temp = await filled();
  const { found } = await ask(temp);
  const [{ id, summary }] = await temp.store.search("mutex", 1);
  temp.write("forgetting.json", { version: 1, id });
  assertEquals(await ask(temp), { found: found.filter((each) => each !== summary), opened: 1 });
});

Deno.test("MemorySearch has the store put right a segment that is damaged, wherever that shows", async () => {
  using temp = await filled();
  const { found } = await ask(temp);
  const folder = `${temp.folder}/index`;
  const size = (await Deno.stat(segmentIn(folder))).size;
  for (let at = 8; at < size; at += 301) {
    const path = segmentIn(folder);
    const bytes = Deno.readFileSync(path);
    bytes[at] ^= 1;
    Deno.writeFileSync(path, bytes);
    assertEquals((await ask(temp)).found, found, `byte ${at}`);
  }
});

Deno.test("MemorySearch has the store name a file that is damaged with each answer", async () => {
  using temp = await filled();
  temp.write("issue-30.json", "{");
  for (let time = 0; time < 2; time++) {
    temp.notices.length = 0;
    assertEquals((await ask(temp)).opened, 1);
    assert(temp.notices.some((notice) => notice.includes("issue-30.json")), temp.notices.join());
  }
});

Deno.test("MemorySearch asks the store where the index was changed while it was read", async () => {
  using temp = await filled();
  let isChanged = false;
  using _ = replace("readTextFile", (real) => (path) => {
    const text = real(path);
    if (!isChanged && path.endsWith("/head.json")) {
      isChanged = true;
      Deno.writeTextFileSync(`${temp.folder}/journal.jsonl`, `${JSON.stringify(samples(1)[0])}\n`);
    }
    return text;
  });
  const { found, opened } = await ask(temp, "observation file");
  assertEquals([found.length, opened], [LINES.length + 1, 1]);
});

function segmentIn(folder: string): string {
  const [name] = Array.from(Deno.readDirSync(folder), ({ name }) => name)
    .filter((name) => name.endsWith(".segment"));
  return `${folder}/${name}`;
}
