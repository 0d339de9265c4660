/**
 * Whether the sessions of a folder are to know which issue they are about: without it they recall nothing
 * and are not remembered, whatever is set up.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { findWorkspace } from "../../workspace/find.ts";
import { repositoryAbove } from "../../workspace/git/repository.ts";
import { identify } from "../hook/identity.ts";
import { SessionFiles } from "../hook/session_files.ts";

/** How a session comes to know its issue. */
export const HOW_BOUND = "agentx here --as ROLE --issue N, or a branch such as issue-42-cache";

/** @returns a sentence where no issue is known; undefined where one is, or there is no workspace */
export function unboundHere(from: string): string | undefined {
  try {
    const { root, tree } = findWorkspace(from);
    const files = new SessionFiles(`${root}/.agentx`, noLocks);
    const gitFolder = repositoryAbove(tree)?.gitFolder;
    const { issue } = identify(files, { session: undefined, tree, gitFolder, env: sys.env });
    return issue !== null
      ? undefined
      : "Sessions in this folder have no issue: they recall nothing, and are not remembered. " +
        `Set one with: ${HOW_BOUND}`;
  } catch (error) {
    if (error instanceof AgentxError) return undefined; // agentx here and doctor name it
    throw error;
  }
}

function noLocks(): never {
  throw new TypeError("nothing is written here");
}
