/**
 * A store that an older version wrote: it is read as it lies and loses nothing, and that version refuses
 * to write beside the new form. `eddb0df/` was written by that commit: three observations of issue 29
 * that were compacted, four of which one was removed and one retracted, sixty in two files, and one in
 * the journal.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sample, TempStore } from "../temp_store.ts";

const FOLDER = new URL("./eddb0df/", import.meta.url).pathname;
const FILES = [
  "issue-29.json",
  "issue-30.json",
  "issue-30.1.json",
  "journal.jsonl",
  "archive/issue-29.json",
];

function oldStore(): TempStore {
  const temp = new TempStore();
  Deno.mkdirSync(`${temp.folder}/archive`, { recursive: true });
  for (const name of [...FILES, "manifest.json"]) {
    temp.write(name, Deno.readTextFileSync(FOLDER + name));
  }
  return temp;
}

Deno.test("a store of eddb0df is read whole, and its files are not changed", async () => {
  using temp = oldStore();
  const store = temp.another();
  const all = await store.listAll();
  assertEquals(all.filter(({ issueNumber }) => issueNumber === 30).length, 60);
  const contents = all.map(({ content }) => content).join("\n");
  for (const word of ["alpha", "bravo", "charlie", "delta", "echo", "golf", "india"]) {
    assert(contents.includes(`${word}: `), word);
  }
  assert(!contents.includes("foxtrot"));
  assertEquals((await store.search("journal"))[0].issueNumber, 31);
  assertEquals(await store.search("golf"), []);
  await store.store([sample("Chose lines")]);
  await store.rebuild();
  for (const name of FILES) {
    assertEquals(temp.read(name), Deno.readTextFileSync(FOLDER + name), name);
  }
  assertEquals((await temp.another().listAll()).length, all.length + 1);
  assertEquals(temp.notices, []);
});

Deno.test("what was removed from a store of eddb0df is not captured again", async () => {
  using temp = oldStore();
  const timestamp = "2026-11-03T10:00:00.000Z";
  const again = sample("foxtrot: forgotten by somebody", { timestamp, sessionId: "s-2026-11-03" });
  assertEquals(await temp.store.store([again]), []);
});

Deno.test("forgetting takes the words out of the files of eddb0df, its archive and its summaries", async () => {
  for (
    const word of [
      "the parser skips",
      "hotel number 7 of",
      "waits in the journal",
      "ledger is one file",
    ]
  ) {
    using temp = oldStore();
    const all = await temp.store.listAll();
    const { id } = all.find(({ content }) => content.includes(word))!;
    assertEquals(await temp.store.remove(id), true);
    const left = Object.entries(temp.unpacked()).filter(([, text]) => text.includes(word));
    assertEquals(left.map(([path]) => path), [], word);
    assertEquals((await temp.another().listAll()).length, all.length - 1);
  }
});

for (const form of ["whole", "joined"]) {
  Deno.test(`an archive that was packed is read, and written plainly where something is forgotten: ${form}`, async () => {
    using temp = new TempStore();
    const texts = new URL(`./compacted/${form}/`, import.meta.url).pathname;
    Deno.mkdirSync(`${temp.folder}/archive`, { recursive: true });
    temp.write("issue-29.json", Deno.readTextFileSync(`${texts}issue.txt`));
    temp.write("archive/issue-29.json", Deno.readTextFileSync(`${texts}archive.txt`));
    const [long, retries] = [
      "obs-engineer-29-1754906760000-000004",
      "obs-engineer-29-1754906400000-000001",
    ];
    const before = await temp.store.getById(long);
    assert(before?.content.startsWith("A long text."));
    assertEquals(await temp.another().remove(retries), true);
    const archive = temp.read("archive/issue-29.json");
    assert(archive.includes(before!.content) && !archive.includes("Retries stop"), archive);
    assertEquals(await temp.another().getById(long), before);
    assertEquals(await temp.another().getById(retries), null);
    assertEquals(temp.notices, []);
  });
}

Deno.test("the version of eddb0df refuses to write beside lines", async () => {
  using temp = oldStore();
  await temp.store.store([sample("Chose lines")]);
  const { version, agentx } = JSON.parse(temp.read("manifest.json"));
  assert(version > 1, "its guard takes only version 1");
  assert(agentx.includes("0.1.0"), agentx);
});
