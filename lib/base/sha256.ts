// The SHA-256 hash of bytes. Pure. It is implemented here because Node takes 3 ms of CPU to load its own version, and a
// hook of the guard would pay that at each step of an agent.

/** The first 64 primes. The constants of SHA-256 are the fractions of their roots (FIPS 180-4). */
const PRIMES: number[] = [];
for (let number = 2; PRIMES.length < 64; number++) {
  if (PRIMES.every((prime) => number % prime !== 0)) PRIMES.push(number);
}
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const BLOCK = 64;

/** Returns the SHA-256 hash of bytes in hexadecimal. */
export function sha256(bytes: Uint8Array): Promise<string> {
  const { length } = bytes;
  const padded = new Uint8Array(Math.ceil((length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, length / 2 ** 29);
  view.setUint32(padded.length - 4, length << 3);
  const hash = Int32Array.from(START);
  const words = new Int32Array(ROUNDS.length);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
    mix(hash, words);
  }
  const digits = Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0"));
  return Promise.resolve(digits.join(""));
}

/** Mixes a block into the hash; the first sixteen words are the block. */
function mix(hash: Int32Array, words: Int32Array): void {
  for (let i = 16; i < words.length; i++) {
    const [early, late] = [words[i - 15], words[i - 2]];
    words[i] = words[i - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
      words[i - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < words.length; i++) {
    const first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) +
      ROUNDS[i] + words[i];
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first | 0;
    d = c;
    c = b;
    b = a;
    a = first + second | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] += word;
}

function turned(word: number, bits: number): number {
  return word >>> bits | word << 32 - bits;
}

function fraction(root: number): number {
  return (root % 1) * 2 ** 32 | 0;
}
