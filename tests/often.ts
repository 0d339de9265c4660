/**
 * How often a test tries: the counts of a day, or those of `deno task stress`, which runs the files that
 * import this.
 *
 * @module
 */

/** Whether `deno task stress` runs. */
export const IS_FULL: boolean = Deno.env.get("AGENTX_STRESS") === "full";

/**
 * The settings of a property: a fifth of the runs with a fixed seed, or all of them with a seed that
 * fast-check prints where one fails.
 *
 * @param full so many under stress
 */
export function often(full: number): { numRuns: number; seed?: number } {
  return IS_FULL ? { numRuns: full } : { numRuns: Math.ceil(full / 5), seed: 8 };
}
