// Finds checkouts that commit without the check of agentx although others have it, and finds hooks of an older version.

import { hasCode } from "../base/errors.ts";
import { repositoryAbove } from "../git/repository.ts";
import { hookProblems } from "../guard/git_hooks.ts";
import { type Finding, warn } from "./finding.ts";

const CHECK = "git-hooks";

/** Returns a warning for each unchecked checkout and each outdated hook. */
export async function examineGitHooks(root: string): Promise<Finding[]> {
  if (repositoryAbove(root) === undefined) return [];
  try {
    const { unchecked, outdated } = await hookProblems(root);
    const next = "Install them again: agentx git-hooks install";
    return [
      ...unchecked.map(({ checkout, folder }) =>
        `Commits in ${checkout} are not checked: its hooks are those of "${folder}"`
      ),
      ...outdated.map(({ path, by }) => `"${path}" was written by agentx ${by}`),
    ].map((message) => warn(CHECK, message, next));
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    return [warn(CHECK, error.summary, "Nobody knows whether commits are checked before git runs")];
  }
}
