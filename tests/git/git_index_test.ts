import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readBitmap } from "../../lib/git/ewah.ts";
import { indexEntries, sharedPart, UnreadableIndex } from "../../lib/git/git_index.ts";

const FORMAT = { hashBytes: 20 };

function header(version: number, count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  bytes.set(new TextEncoder().encode("DIRC"));
  const view = new DataView(bytes.buffer);
  view.setUint32(4, version);
  view.setUint32(8, count);
  return bytes;
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** An index of version 4, with nothing but paths. */
function indexOf(paths: readonly string[]): Uint8Array {
  const entries = paths.map((path, index) => {
    const before = paths[index - 1] ?? "";
    let common = 0;
    while (common < path.length && path[common] === before[common]) common++;
    const text = new TextEncoder().encode(path.slice(common));
    return join(new Uint8Array(62), Uint8Array.of(before.length - common), text, new Uint8Array(1));
  });
  return join(header(4, paths.length), ...entries);
}

function pathsOf(bytes: Uint8Array): string[] {
  const decoder = new TextDecoder();
  return Array.from(indexEntries(bytes, FORMAT), ({ path }) => decoder.decode(path));
}

Deno.test("indexEntries() takes whatever bytes there are", () => {
  const bytes = fc.tuple(fc.integer({ min: 2, max: 4 }), fc.nat(5), fc.uint8Array({ size: "+1" }));
  fc.assert(fc.property(bytes, ([version, count, rest]) => {
    const index = join(header(version, count), rest);
    for (
      const read of [
        () => pathsOf(index),
        () => sharedPart(index, FORMAT),
      ]
    ) {
      try {
        read();
      } catch (error) {
        assert(error instanceof UnreadableIndex, `${error}`);
      }
    }
  }));
});

Deno.test("indexEntries() ends with the bytes, whatever the header says of their number", () => {
  const index = join(header(2, 0xffff_ffff), new Uint8Array(64 * 10));
  let steps = 0;
  try {
    for (const _ of indexEntries(index, FORMAT)) steps++;
  } catch (error) {
    assert(error instanceof UnreadableIndex);
  }
  assertEquals(steps, 10);
});

Deno.test("indexEntries() reads the paths of a compressed index", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[ab/]{1,60}$/), { maxLength: 12 });
  fc.assert(fc.property(names, (names) => {
    const paths = names.sort();
    assertEquals(pathsOf(indexOf(paths)), paths);
  }));
});

/** A bitmap of words, each 64 bits. */
function bitmap(bits: number, ...words: bigint[]): Uint8Array {
  const bytes = new Uint8Array(8 + words.length * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bits);
  view.setUint32(4, words.length);
  words.forEach((word, index) => view.setBigUint64(8 + index * 8, word));
  return bytes;
}

Deno.test("readBitmap() reads runs and single bits", () => {
  const ones = 1n | 1n << 1n; // a run of one word of ones
  const literal = 1n << 33n; // one word as it is
  const set = readBitmap(bitmap(192, ones, literal, 0b101n));
  assertEquals([set?.size, set?.has(0), set?.has(63), set?.has(64), set?.has(65), set?.has(66)], [
    66,
    true,
    true,
    true,
    false,
    true,
  ]);
});

Deno.test("readBitmap() refuses a run of more bits than any repository has paths", () => {
  const endless = 1n | 0xffff_ffffn << 1n;
  assertEquals(readBitmap(bitmap(64, endless)), undefined);
  assertEquals(readBitmap(bitmap(0xffff_ffff)), undefined);
  assertEquals(readBitmap(bitmap(64, 5n << 33n)), undefined);
  assertEquals(readBitmap(new Uint8Array(3)), undefined);
});
