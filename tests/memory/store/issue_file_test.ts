/**
 * A store in the form of the documents (SPEC-AgentX section 4.2), which `documents/` has: it is read as it
 * lies and loses nothing.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sample, TempStore } from "../temp_store.ts";

const FOLDER = new URL("./documents/", import.meta.url).pathname;
const FILES = ["issue-29.json", "archive/issue-29.json", "manifest.json"];

function documents(): TempStore {
  const temp = new TempStore();
  Deno.mkdirSync(`${temp.folder}/archive`, { recursive: true });
  for (const name of FILES) temp.write(name, Deno.readTextFileSync(FOLDER + name));
  return temp;
}

Deno.test("a store of the documents is read whole, and its files are not changed", async () => {
  using temp = documents();
  const store = temp.another();
  assertEquals((await store.listAll()).map(({ id }) => id.slice(-6)), ["a1b2c3", "d4e5f6"]);
  assertEquals((await store.search("storage"))[0].id, "obs-engineer-29-1709035200000-a1b2c3");
  assertEquals((await store.restore(29)).map(({ id }) => id.slice(-6)), ["g7h8i9"]);
  await store.store([sample("Chose lines")]);
  await store.rebuild();
  for (const name of FILES) {
    assertEquals(temp.read(name), Deno.readTextFileSync(FOLDER + name), name);
  }
  assertEquals((await temp.another().listAll()).length, 4);
  assertEquals(temp.notices, []);
});

Deno.test("forgetting takes the words out of the files of the documents, with the summary that says them", async () => {
  using temp = documents();
  assertEquals(await temp.store.remove("obs-engineer-29-1706353200000-g7h8i9"), true);
  const left = Object.entries(temp.snapshot()).filter(([, text]) => text.includes("double"));
  assertEquals(left.map(([path]) => path), []);
  assertEquals((await temp.another().listAll()).map(({ id }) => id.slice(-6)), ["a1b2c3"]);
  assert(temp.read("issue-29.json").includes("a key that agentx does not know"));
  const again = sample("Retries double their delay.", {
    sessionId: "engineer-1709031500000-x7y8z9",
    timestamp: "2026-01-27T09:00:00.000Z",
  });
  assertEquals(await temp.store.store([again]), []);
});

for (
  const [why, text] of [
    ["has conflict markers", '{\n<<<<<<< ours\n  "version": 1\n=======\n>>>>>>> theirs\n}\n'],
    ["is of another issue", '{"version":1,"issueNumber":30,"observations":[]}'],
    ["has no observations", '{"version":1,"issueNumber":29}'],
  ]
) {
  Deno.test(`a file of the documents that ${why} is named, and stays as it is`, async () => {
    using temp = documents();
    temp.write("issue-29.json", text);
    assertEquals(await temp.store.remove("obs-engineer-29-1706353200000-g7h8i9"), true);
    const { failures } = await temp.another().examine();
    assertEquals(failures.map(({ code }) => code), ["CORRUPT_STATE"]);
    assertEquals(temp.read("issue-29.json"), text);
  });
}
