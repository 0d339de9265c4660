// The oldest Node that this runs on. It is asked before anything else is loaded, so nothing newer stands
// here, and nothing is imported. Pure.

const OLDEST = 20;

/** Why this does not run on a version of Node, and on a second line what to do. */
export function refusalOfNode(version: string): string | undefined {
  if (Number(version.split(".")[0]) >= OLDEST) return undefined;
  return `Cannot run on Node ${version}: it needs Node ${OLDEST} or newer\n` +
    "Install a newer Node, or use Deno or Bun";
}
