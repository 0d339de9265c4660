// The oldest supported version of Node. It is checked before anything else is loaded, so this file uses no newer
// syntax and imports nothing. Pure.

const OLDEST = 20;

/** Returns why this program cannot run on a version of Node, with advice on a second line; undefined if it can. */
export function refusalOfNode(version: string): string | undefined {
  if (Number(version.split(".")[0]) >= OLDEST) return undefined;
  return `Cannot run on Node ${version}: it needs Node ${OLDEST} or newer\n` +
    "Install a newer Node, or use Deno or Bun";
}
