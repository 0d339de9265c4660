/**
 * What people search and list: what several sessions said in the same words is there once.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { MemorySearch } from "../../lib/memory/dedupe.ts";
import { sample, TempStore } from "./temp_store.ts";

const WORDS = ["ledger", "mutex", "router", "gate", "inbox", "digest", "budget", "lease", "queue"];

const LINES = WORDS.map((word) => `The ${word} is one file for each issue`);

Deno.test("MemorySearch gives once what several sessions said in the same words", async () => {
  using temp = new TempStore();
  for (let session = 0; session < 3; session++) {
    const again = LINES.map((line) => sample(line, { sessionId: `s${session}` }));
    await temp.store.store(again);
  }
  await temp.store.close();
  const search = new MemorySearch(() => Promise.resolve(temp.another()));
  const found = await search.search("file of an issue", WORDS.length);
  assertEquals(found.map(({ summary }) => summary).sort(), LINES.toSorted());
  assertEquals((await search.search("file of an issue", 2)).length, 2);
  assertEquals((await search.list({ issueNumber: 29 }, 100)).length, WORDS.length);
});
