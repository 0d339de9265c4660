/**
 * The oldest Node that this runs on. It is asked before anything else is loaded, so nothing newer stands
 * here, and nothing is imported. Pure.
 *
 * @module
 */

const OLDEST = 20;

/**
 * @param version of Node, such as `18.20.8`
 * @returns why this does not run there, and on a second line what to do; undefined where it does
 */
export function refusalOfNode(version: string): string | undefined {
  if (Number(version.split(".")[0]) >= OLDEST) return undefined;
  return `Cannot run on Node ${version}: it needs Node ${OLDEST} or newer\n` +
    "Install a newer Node, or use Deno or Bun";
}
