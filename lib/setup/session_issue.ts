// Whether sessions in a folder know their issue: without one they recall nothing and are not remembered,
// even in a host that is set up.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "../workspace/find.ts";
import { repositoryAbove } from "../git/repository.ts";
import { identify } from "../hooks/identity.ts";
import { SessionFiles } from "../hooks/session_files.ts";

/** How the user sets the issue of a session. */
export const HOW_ISSUE_IS_SET =
  "agentx here --as ROLE --issue N, or a branch such as issue-42-cache";

/** A note where no issue is set; undefined where one is, or there is no workspace. */
export function missingIssue(from: string): string | undefined {
  // `agentx here` and doctor report what fails.
  return orElse(undefined, () => {
    const { root, tree } = findWorkspace(from);
    const files = new SessionFiles(`${root}/.agentx`, noLocks);
    const gitFolder = repositoryAbove(tree)?.gitFolder;
    const { issue } = identify(files, { session: undefined, tree, gitFolder, env: sys.env });
    return issue !== null
      ? undefined
      : "Sessions in this folder have no issue: they recall nothing, and are not remembered. " +
        `Set one with: ${HOW_ISSUE_IS_SET}`;
  });
}

function noLocks(): never {
  throw new TypeError("nothing is written here");
}
