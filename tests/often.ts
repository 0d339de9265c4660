/**
 * How often a test tries: the counts of a day, or those of `deno task stress`, which runs the files that
 * import this.
 *
 * @module
 */

/** Whether `deno task stress` runs. */
export const IS_FULL: boolean = Deno.env.get("AGENTX_STRESS") === "full";

/** Of a list in which each has to be tried, every fifth on a day; where it begins differs by `row`. */
export function someOf<Item>(items: readonly Item[], row = 0): readonly Item[] {
  return IS_FULL ? items : items.filter((_, index) => (index + row) % 5 === 0);
}

/**
 * The settings of a property: a fifth of the runs with a fixed seed, or all of them with a seed that
 * fast-check prints where one fails.
 *
 * @param full so many under stress
 */
export function often(full: number): { numRuns: number; seed?: number } {
  return IS_FULL ? { numRuns: full } : { numRuns: Math.ceil(full / 5), seed: 8 };
}
