// Hashes that distinguish texts. They are not secure. Pure.

/** Returns a hash of 64 bits as 16 hexadecimal digits. */
export function hashOf(text: string): string {
  return [hash32(text), hash32(text, 0x9e3779b9)]
    .map((hash) => hash.toString(16).padStart(8, "0")).join("");
}

/**
 * Returns a hash of 32 bits: FNV-1a over the UTF-16 units, mixed so that every unit affects every bit. Different seeds
 * give independent hashes.
 */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x45d9f3b);
  return (hash ^ hash >>> 15) >>> 0;
}

/** Returns a hash of 53 bits as an exact number. A collision between two texts of a workspace is very unlikely. */
export function hash53(text: string): number {
  return (hash32(text, 0x9e3779b9) & 0x1fffff) * 0x100000000 + hash32(text);
}

/** A checksum of 32 bits over all bytes and their order: two sums, as in Fletcher's checksum of 1982. */
export class Checksum {
  #a = 1;
  #b = 0;

  /** Adds the next bytes, and returns the checksum of all bytes so far. */
  add(bytes: Uint8Array): number {
    let a = this.#a;
    let b = this.#b;
    for (const byte of bytes) {
      a = a + byte | 0;
      b = b + a | 0;
    }
    this.#a = a;
    this.#b = b;
    const mixed = Math.imul(b ^ b >>> 15, 0x45d9f3b);
    return (a ^ mixed ^ mixed >>> 13) >>> 0;
  }
}
