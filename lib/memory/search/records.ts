/**
 * The bytes of a segment behind its front: records, each a term and the observations that have it
 * (the letters; gaps between the numbers of the observations, with how often it occurs), and entries.
 * A check at the end of each proves it. Pure.
 *
 * @module
 */

/** The one failure of the index: it is missing, damaged or out of step with the files of memory. */
export class StaleIndex extends Error {
  /** Whether something is broken, rather than late. */
  readonly isDamaged: boolean;

  constructor(message: string, isDamaged = false) {
    super(message);
    this.isDamaged = isDamaged;
  }
}

/** The observations that have a term. */
export interface Postings {
  /** Their numbers, ascending. */
  documents: Uint32Array;
  /** How often each of them has the term. */
  frequencies: Uint32Array;
}

/** Of 32 bits. */
const MAX_NUMBER_BYTES = 5;

const ASCII = /^[\0-\x7f]*$/;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Room for so many. */
export function postingsOf(count: number): Postings {
  return { documents: new Uint32Array(count), frequencies: new Uint32Array(count) };
}

/** A term, and the observations that have it. */
export class TermRecord {
  readonly term: string;
  /** How many observations have it. */
  readonly count: number;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(checked: Uint8Array) {
    this.#bytes = withoutCheck(checked);
    const length = this.#next();
    this.term = decoder.decode(this.#bytes.subarray(this.#at, this.#at += length));
    this.count = this.#next();
  }

  /** Once: puts them at a place, with numbers from `base` on; there must be room. */
  readInto({ documents, frequencies }: Postings, place: number, base: number): void {
    const bytes = this.#bytes;
    let document = base - 1;
    for (const end = place + this.count; place < end; place++) {
      // Nearly all numbers are one byte, and there are very many.
      let coded = bytes[this.#at];
      if (coded < 0x80) this.#at++;
      else coded = this.#next();
      documents[place] = document += (coded >>> 1) + 1;
      frequencies[place] = (coded & 1) === 0 ? 1 : this.#next();
    }
  }

  /** A number in as few bytes as it needs, seven bits in each. */
  #next(): number {
    let value = 0;
    for (let shift = 0;; shift += 7) {
      if (this.#at >= this.#bytes.length) throw damagedPiece();
      const byte = this.#bytes[this.#at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}

/** The records of all terms, one after the other; each number in as few bytes as it needs. */
export class RecordWriter {
  /** Where each record begins, and where the last one ends. */
  readonly offsets: number[] = [0];
  #bytes = new Uint8Array(65_536);
  #end = 0;

  add(term: string, list: readonly number[]): void {
    const start = this.#end;
    // An encoder takes far longer to be called, and most terms are ASCII.
    const letters = ASCII.test(term) ? undefined : encoder.encode(term);
    const { length } = letters ?? term;
    this.#reserve(length + (list.length + 2) * MAX_NUMBER_BYTES + CHECK_BYTES);
    this.#write(length);
    for (let at = 0; at < length; at++) {
      this.#bytes[this.#end++] = letters?.[at] ?? term.charCodeAt(at);
    }
    this.#write(list.length / 2);
    let previous = -1;
    for (let at = 0; at < list.length; at += 2) {
      const gap = list[at] - previous - 1;
      const frequency = list[at + 1];
      previous = list[at];
      this.#write(gap << 1 | (frequency === 1 ? 0 : 1));
      if (frequency !== 1) this.#write(frequency);
    }
    writeCheck(this.#bytes, start, this.#end);
    this.offsets.push(this.#end += CHECK_BYTES);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  #write(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#end++] = rest & 0x7f | 0x80;
    this.#bytes[this.#end++] = rest;
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#end + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Bytes after a record or an entry that prove the others. */
const CHECK_BYTES = 2;

export function withCheck(bytes: Uint8Array): Uint8Array {
  const checked = new Uint8Array(bytes.length + CHECK_BYTES);
  checked.set(bytes);
  writeCheck(checked, 0, bytes.length);
  return checked;
}

/** Writes behind `end` what proves the bytes before it. */
function writeCheck(bytes: Uint8Array, start: number, end: number): void {
  const check = checkOf(bytes, start, end);
  bytes[end] = check & 0xff;
  bytes[end + 1] = check >>> 8;
}

/** Throws a `StaleIndex` if the bytes are not what they were. */
export function withoutCheck(checked: Uint8Array): Uint8Array {
  const end = checked.length - CHECK_BYTES;
  if (end < 1 || checkOf(checked, 0, end) !== (checked[end] | checked[end + 1] << 8)) {
    throw damagedPiece();
  }
  return checked.subarray(0, end);
}

function damagedPiece(): StaleIndex {
  return new StaleIndex("a piece of a segment is damaged", true);
}

function checkOf(bytes: Uint8Array, start: number, end: number): number {
  let a = 1;
  let b = 0;
  for (let at = start; at < end; at++) {
    a = a + bytes[at] | 0;
    b = b + a | 0;
  }
  return (b & 0xff) << 8 | a & 0xff;
}
