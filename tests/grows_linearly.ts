/**
 * Tells work that grows with the length of its input from work that grows faster, on any machine.
 *
 * @module
 */

/** Eight times the length may take this many times as long; with the square, it would take 64. */
const MOST = 30;

/** Below, the clock and the collector weigh more than the work. */
const LEAST_MS = 0.5;

/** A busy machine may spoil one measurement, not all. */
const ATTEMPTS = 5;

/**
 * @param work takes an input made of about so many characters
 * @param characters of the short input
 * @returns undefined if the time grows in proportion, else what was measured at last
 */
export function grownTooFast(
  work: (characters: number) => void,
  characters: number,
): string | undefined {
  let measured: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const short = timeOf(() => work(characters));
    const long = timeOf(() => work(8 * characters));
    if (long < MOST * Math.max(short, LEAST_MS)) return undefined;
    measured = `${short} ms, 8 times as long: ${long} ms`;
  }
  return measured;
}

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
