/**
 * How the cost of memory grows with what is in it, counted in what is read and written: times depend
 * on the machine, and are in the bench.
 *
 * @module
 */

import { assert } from "@std/assert";
import { encodeMemoryFile } from "../../../lib/memory/store/memory_file.ts";
import { replace, replaceFiles } from "../../lock/faults.ts";
import { sample, TempStore } from "../temp_store.ts";

const WORDS = "cache lock queue retry parser token index merge worker session branch deploy"
  .split(" ");
const PER_ISSUE = 100;

/** A store as after a clone, with its index. */
async function filled(temp: TempStore, size: number): Promise<void> {
  Deno.mkdirSync(temp.folder);
  for (let issueNumber = 1; issueNumber <= size / PER_ISSUE; issueNumber++) {
    const observations = Array.from({ length: PER_ISSUE }, (_, index) => {
      const number = issueNumber * PER_ISSUE + index;
      const words = [1, 7, 11, 144].map((by) => WORDS[Math.floor(number / by) % WORDS.length]);
      return sample(`${words.join(" ")} name${number}`, {
        issueNumber,
        sessionId: `session-${Math.floor(number / 20)}`,
      });
    });
    const file = { version: 1 as const, issueNumber, updatedAt: "", observations };
    temp.write(`issue-${issueNumber}.json`, encodeMemoryFile(file, "observations"));
  }
  await temp.store.rebuild();
}

/** Bytes that an action moves between memory and disk. */
async function bytesOf(action: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const count = (content: string | Uint8Array | undefined) => bytes += content?.length ?? 0;
  using stack = new DisposableStack();
  stack.use(replace("readTextFile", (real) => (path) => {
    const text = real(path);
    count(text);
    return text;
  }));
  stack.use(replace("readPart", (real) => (path, offset, maxBytes) => {
    const part = real(path, offset, maxBytes);
    count(part?.bytes);
    return part;
  }));
  stack.use(replace("writeNewFile", (real) => (path, content, options) => {
    count(content);
    real(path, content, options);
  }));
  stack.use(replaceFiles(/journal\.jsonl$/, (file) => ({
    writeAt: (text, offset) => {
      count(text);
      file.writeAt(text, offset);
    },
  })));
  await action();
  return bytes;
}

Deno.test("T10: the cost of 10K observations: an append moves no more than among 1K, a search a fraction", async () => {
  using small = new TempStore();
  using large = new TempStore();
  await filled(small, 1_000);
  await filled(large, 10_000);
  const append = (temp: TempStore) =>
    bytesOf(() => temp.another().store([sample("One more", { issueNumber: 3 })]));
  const [fromSmall, fromLarge] = [await append(small), await append(large)];
  assert(fromLarge < fromSmall * 1.2, `${fromLarge} bytes at 10K, ${fromSmall} at 1K`);

  const all = Array.from(Deno.readDirSync(large.folder), ({ name }) => name)
    .filter((name) => name.startsWith("issue-"))
    .reduce((sum, name) => sum + large.read(name).length, 0);
  const reader = large.another();
  const first = await bytesOf(() => reader.search("cache name4242"));
  assert(first < all / 3, `${first} bytes of ${all}`);
  const second = await bytesOf(() => reader.search("lock name2424"));
  assert(second < all / 30, `${second} bytes of ${all}`);
});

Deno.test("JsonObservationStore keeps its manifest below 100 KB, however much there is", async () => {
  using temp = new TempStore();
  await filled(temp, 5_000);
  const words = "word ".repeat(400).slice(0, 2_000);
  for (let turn = 0; turn < 3; turn++) {
    await temp.store.store(
      Array.from({ length: 50 }, (_, index) => sample(`${turn} ${index} ${words}`.slice(0, 2_000))),
    );
  }
  await temp.store.close();
  assert(temp.read("manifest.json").length < 100_000);
});
