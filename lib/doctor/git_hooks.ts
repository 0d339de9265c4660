// Finds checkouts in which no check of agentx runs before a commit, though others have it.

import { hasCode } from "../base/errors.ts";
import { repositoryAbove } from "../git/repository.ts";
import { uncheckedPlaces } from "../guard/git_hooks.ts";
import { type Finding, warn } from "./finding.ts";

const CHECK = "git-hooks";

/** A warning for each of them. */
export async function examineGitHooks(root: string): Promise<Finding[]> {
  if (repositoryAbove(root) === undefined) return [];
  try {
    return (await uncheckedPlaces(root)).map(({ checkout, folder }) =>
      warn(
        CHECK,
        `Commits in ${checkout} are not checked: its hooks are those of "${folder}"`,
        "Install the checks there, too: agentx git-hooks install",
      )
    );
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    return [warn(CHECK, error.summary, "Nobody knows whether commits are checked before git runs")];
  }
}
