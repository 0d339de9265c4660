/**
 * Counts what a piece of work does, and not how long it takes: each block of code that runs, each step
 * of a regular expression, each character that a method of a string looks through. The same work gives
 * the same count on any machine, however busy.
 *
 * @module
 */

import { Session } from "node:inspector/promises";
import { Backtracking } from "./backtracking.ts";

/** A range of code as the engine counts it. */
interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/** Of these every call looks through the whole text, or up to what it finds. */
const SEARCHES = ["indexOf", "includes", "lastIndexOf"] as const;
const READS = ["split", "toLowerCase", "toUpperCase", "trim", "normalize", "toWellFormed"] as const;

const LIBRARY = new URL("../../lib/", import.meta.url).href;

/** Of an input eight times as long: with the square it would be 64. */
const MAX_GROWTH = 16;

/** By source, then by flags. */
const compiled = new Map<string, Map<string, Backtracking>>();

/**
 * @param pieces what the inputs are made of
 * @param work takes an input of about so many characters, made of a piece; it must not await
 * @param characters of the short inputs
 * @returns the pieces for which the steps do not grow in proportion, and what was counted
 */
export async function grownTooFast<T>(
  pieces: readonly T[],
  work: (piece: T, characters: number) => void,
  characters: number,
): Promise<string[]> {
  const works = pieces.flatMap((piece) =>
    [characters, 8 * characters].map((length) => () => work(piece, length))
  );
  const steps = await stepsOf(works);
  return pieces.flatMap((piece, index) => {
    const [short, long] = steps.slice(2 * index);
    if (long <= MAX_GROWTH * short) return [];
    return [`${JSON.stringify(piece)}: ${short} steps, 8 times as long: ${long}`];
  });
}

/**
 * @param works what is counted; each is done twice, and must not await
 * @returns the steps of each
 */
export async function stepsOf(works: readonly (() => void)[]): Promise<number[]> {
  const blocks = await blocksOf(works);
  return works.map((work, index) => blocks[index] + readsOf(work));
}

/** All in one session: afterwards the engine has to learn anew what is called often. */
async function blocksOf(works: readonly (() => void)[]): Promise<number[]> {
  const counts: number[] = [];
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    for (const work of works) {
      work();
      counts.push(blocksIn(await session.post("Profiler.takePreciseCoverage") as Coverage));
    }
    await session.post("Profiler.stopPreciseCoverage");
  } finally {
    session.disconnect();
  }
  return counts;
}

function readsOf(work: () => void): number {
  let steps = 0;
  const count = (more: number) => void (steps += more);
  const restore = [countExpressions(count), countMethods(count)];
  try {
    work();
  } finally {
    for (const each of restore) each();
  }
  return steps;
}

function blocksIn({ result }: Coverage): number {
  return result.filter(({ url }) => url.startsWith(LIBRARY))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

/** Whatever reads an expression goes through `exec` once that is replaced. */
function countExpressions(count: (steps: number) => void): () => void {
  const native = RegExp.prototype.exec;
  RegExp.prototype.exec = function (text) {
    const { source, flags, global, sticky, lastIndex } = this;
    const given = String(text);
    RegExp.prototype.exec = native;
    try {
      const pattern = compiled.get(source)?.get(flags) ?? compile(this);
      const found = native.call(this, given);
      const own = pattern.find(given, global || sticky ? lastIndex : 0, count);
      if (own?.index !== found?.index || own?.groups.join("\0") !== found?.join("\0")) {
        throw new Error(
          `/${source}/${flags} was not read as the real engine reads it: ${own?.groups}`,
        );
      }
      return found;
    } finally {
      RegExp.prototype.exec = counting;
    }
  };
  const counting = RegExp.prototype.exec;
  return () => void (RegExp.prototype.exec = native);
}

/**
 * @param work what reads expressions
 * @returns each that it read, by source
 */
export function expressionsOf(work: () => void): Map<string, RegExp> {
  const read = new Map<string, RegExp>();
  const native = RegExp.prototype.exec;
  RegExp.prototype.exec = function (text) {
    if (!read.has(this.source)) read.set(this.source, this);
    return native.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.exec = native;
  }
  return read;
}

function compile(pattern: RegExp): Backtracking {
  const engine = new Backtracking(pattern);
  const engines = compiled.get(pattern.source) ?? new Map();
  compiled.set(pattern.source, engines.set(pattern.flags, engine));
  return engine;
}

function countMethods(count: (steps: number) => void): () => void {
  const prototype = String.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const natives = new Map([...SEARCHES, ...READS].map((name) => [name, prototype[name]]));
  for (const [name, native] of natives) {
    prototype[name] = function (this: string, ...given) {
      const found = native.apply(this, given);
      const from = name === "indexOf" ? Number(given[1] ?? 0) : 0;
      const end = name === "indexOf" && Number(found) >= 0 ? Number(found) : this.length;
      count(Math.max(0, end - from));
      return found;
    };
  }
  return () => {
    for (const [name, native] of natives) prototype[name] = native;
  };
}
