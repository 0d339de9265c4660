/**
 * The vectors of observations on disk, which follow from the observations and a model: a line with the
 * model, then one for each vector, `{"key","vector"}`, in 8 bits for each dimension. What is damaged is
 * made again, and so is all of it for another model.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { privateModes } from "../../sys/modes.ts";
import { sys } from "../../sys/mod.ts";

/** A vector of length 1, times 127. */
export type Vector = Int8Array;

const SCALE = 127;

/** A larger file is not read: everything in it would be made again each time. */
const MAX_BYTES = 2 ** 28;

/** Owner of one file of vectors; without a path, they are only in memory. */
export class Vectors {
  readonly #path: string | undefined;
  readonly #header: string;
  #all: Map<string, Vector> | undefined;

  constructor(path: string | undefined, model: string) {
    this.#path = path;
    this.#header = `${JSON.stringify({ version: 1, model })}\n`;
  }

  /** By key. */
  get all(): ReadonlyMap<string, Vector> {
    return this.#all ??= this.#read();
  }

  /** Adds some, and drops all that are not to be kept. */
  change(added: ReadonlyMap<string, Vector>, keep: ReadonlySet<string>): void {
    const before = this.all;
    const kept = new Map([...before, ...added].filter(([key]) => keep.has(key)));
    this.#all = kept;
    if (this.#path === undefined) return;
    const isShorter = [...before.keys()].some((key) => !keep.has(key));
    if (before.size > 0 && !isShorter) sys.appendTextFile(this.#path, encode(added));
    else this.#replace(this.#path, this.#header + encode(kept));
  }

  #read(): Map<string, Vector> {
    const text = this.#path === undefined ? undefined : sys.readTextFile(this.#path, MAX_BYTES);
    if (text?.startsWith(this.#header) !== true) return new Map();
    const lines = text.slice(this.#header.length).split("\n");
    return new Map(lines.flatMap((line) => {
      const entry = decode(line);
      return entry === undefined ? [] : [entry];
    }));
  }

  #replace(path: string, text: string): void {
    const modes = privateModes();
    sys.makeDir(path.slice(0, path.lastIndexOf("/")), modes.folder);
    const part = `${path}.${crypto.randomUUID()}.tmp`;
    sys.writeNewFile(part, text, { fsync: false, mode: modes.file });
    sys.rename(part, path);
  }
}

/** Of length 1; all zeros stay zeros. */
export function vectorOf(numbers: ArrayLike<number>): Vector {
  const length = Math.hypot(...Array.from(numbers)) || 1;
  return Int8Array.from(numbers, (number) => Math.round(number / length * SCALE));
}

/** From -1 to 1; 0 for vectors of different models. */
export function similarity(a: Vector, b: Vector): number {
  if (a.length !== b.length) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum / SCALE ** 2;
}

function encode(vectors: ReadonlyMap<string, Vector>): string {
  return Array.from(vectors, ([key, vector]) => {
    const bytes = String.fromCharCode(...new Uint8Array(vector.buffer));
    return `${JSON.stringify({ key, vector: btoa(bytes) })}\n`;
  }).join("");
}

/** Undefined if the line is damaged, or not finished. */
function decode(line: string): [key: string, vector: Vector] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value.key !== "string") return undefined;
    const bytes = Uint8Array.from(atob(String(value.vector)), (letter) => letter.charCodeAt(0));
    return [value.key, new Int8Array(bytes.buffer)];
  } catch {
    return undefined; // it is made again
  }
}
