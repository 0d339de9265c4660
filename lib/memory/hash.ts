/**
 * Numbers that stand for texts. Pure.
 *
 * @module
 */

/**
 * 32 bits: FNV-1a over the UTF-16 units, mixed so that every unit reaches every bit. Another seed
 * gives another, independent number.
 */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x45d9f3b);
  return (hash ^ hash >>> 15) >>> 0;
}

/** 53 bits as an exact number; that two texts of a workspace share it has negligible probability. */
export function hash53(text: string): number {
  return (hash32(text, 0x9e3779b9) & 0x1fffff) * 0x100000000 + hash32(text);
}

/**
 * A checksum of 32 bits, in which every bit of the words and their order count: two sums, as in Fletcher's of
 * 1982, since a loop that has just begun to run is slow at anything else.
 */
export function checksum(words: Uint32Array, count = words.length): number {
  let a = 1;
  let b = 0;
  for (let index = 0; index < count; index++) {
    a = a + words[index] | 0;
    b = b + a | 0;
  }
  const mixed = Math.imul(b ^ b >>> 15, 0x45d9f3b);
  return (a ^ mixed ^ mixed >>> 13) >>> 0;
}

/** Where bytes are aligned: copying them is faster than another place for each. */
let scratch = new Uint32Array(4_096);

/** The {@linkcode checksum} of some bytes, wherever they lie and however many they are. */
export function checksumOf(bytes: Uint8Array): number {
  const count = Math.ceil(bytes.length / 4);
  if (count > scratch.length) scratch = new Uint32Array(2 * count);
  scratch[Math.max(0, count - 1)] = 0;
  new Uint8Array(scratch.buffer).set(bytes);
  return checksum(scratch, count);
}
