// Bitmaps as git writes them, in compressed words of 64 bits (git's documentation, "bitmap-format").
// Pure.

const WORD_BITS = 64;
const WORD_BYTES = 8;

/** More bits than a repository has paths. Without a limit, a few bytes could claim a run of any length. */
const MAX_BITS = 16_777_216;

/** Returns the positions of the set bits of a bitmap; undefined if the bytes are not a bitmap. */
export function readBitmap(bytes: Uint8Array): Set<number> | undefined {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = view.getUint32(4);
  if (view.getUint32(0) > MAX_BITS || 8 + words * WORD_BYTES > bytes.length) return undefined;
  const word = (index: number) => view.getBigUint64(8 + index * WORD_BYTES);
  const set = new Set<number>();
  let bit = 0;
  for (let index = 0; index < words;) {
    const header = word(index++);
    const runBits = Number(header >> 1n & 0xffffffffn) * WORD_BITS;
    const literals = Number(header >> 33n);
    if (bit + runBits > MAX_BITS + WORD_BITS || index + literals > words) return undefined;
    if ((header & 1n) === 1n) { for (let run = 0; run < runBits; run++) set.add(bit + run); }
    bit += runBits;
    for (const end = index + literals; index < end; index++, bit += WORD_BITS) {
      addBits(set, word(index), bit);
    }
  }
  return set;
}

function addBits(set: Set<number>, word: bigint, first: number): void {
  for (let rest = word, bit = first; rest !== 0n; rest >>= 1n, bit++) {
    if ((rest & 1n) === 1n) set.add(bit);
  }
}
