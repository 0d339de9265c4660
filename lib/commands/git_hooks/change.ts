// Adds the checks to the hooks of git, or removes them.

import type { Context } from "../../cli/command.ts";
import { changeHooks, hooksFolder } from "../../guard/git_hooks.ts";
import { sys } from "../../sys/mod.ts";

export async function change(
  { root = sys.cwd() }: Context,
  program: readonly string[] | undefined,
) {
  const folder = await hooksFolder(sys.realPath(root) ?? root);
  return { output: { changed: changeHooks(folder, program), isRemoving: program === undefined } };
}

interface Changed {
  changed: string[];
  isRemoving: boolean;
}

export function rendered({ changed, isRemoving }: Changed): string {
  const [nothing, done] = isRemoving
    ? ["No hook has lines of agentx", "Removed from:"]
    : ["Installed already", "Installed in:"];
  return changed.length === 0
    ? `  ${nothing}`
    : [`  ${done}`, ...changed.map((path) => `    ${path}`)].join("\n");
}
