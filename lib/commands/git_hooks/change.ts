// Adds the checks to the hooks of git, or removes them.

import type { Context } from "../../cli/command.ts";
import { type ChangedHooks, changeHooks } from "../../guard/git_hooks.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";

export async function change(
  { root = sys.cwd() }: Context,
  program: readonly string[] | undefined,
) {
  const output = await changeHooks(sys.realPath(root) ?? root, program);
  return { output: { ...output, isRemoving: program === undefined } };
}

export function rendered(
  { changed, hooksPath, isRemoving }: ChangedHooks & { isRemoving: boolean },
): string {
  const [nothing, done] = isRemoving
    ? ["No hook has lines of agentx", "Removed from:"]
    : ["Installed already", "Installed in:"];
  const why = isRemoving ? "as before" : "so that worktrees run these hooks, too";
  return [
    ...changed.length === 0
      ? [`  ${nothing}`]
      : [`  ${done}`, ...changed.map((path) => `    ${path}`)],
    ...hooksPath === null ? [] : [`  core.hooksPath is now ${terminalLine(hooksPath)}, ${why}`],
  ].join("\n");
}
