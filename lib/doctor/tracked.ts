// Finds files that git tracks although they belong to one machine.

import { AgentxError } from "../base/errors.ts";
import { listed } from "../base/quote.ts";
import { LOOKS_ONLY, runGit } from "../git/run_git.ts";
import { trackedState } from "../git/tracked.ts";
import { fail, type Finding, fixed, ok } from "./finding.ts";

const CHECK = "tracked";

/** Maximum number of paths that are listed. */
const MAX_NAMED = 5;

/** Checks whether git tracks state, log or locks. */
export async function examineTracked(root: string, isFixing: boolean): Promise<Finding[]> {
  const { state, problem } = trackedState(root);
  if (problem !== undefined) {
    const message = `Cannot tell what git tracks: ${problem}; all state is treated as foreign`;
    return [fail(CHECK, message, "Check whether git itself can read the repository")];
  }
  return [
    state.length > 0
      ? await examineState(root, state, isFixing)
      : ok(CHECK, "git does not track the state of this machine"),
  ];
}

async function examineState(root: string, paths: string[], isFixing: boolean): Promise<Finding> {
  const message = `git tracks state, so no agent is run for it: ${listed(paths, MAX_NAMED)}`;
  if (paths.includes(".agentx")) {
    return fail(CHECK, message, "Make .agentx a folder of this repository: it is a submodule now");
  }
  if (!isFixing) {
    const next =
      "Read the files first, since anyone may have written them; untrack those that are yours, " +
      "and keep them on disk, with: agentx doctor --fix";
    return fail(CHECK, message, next);
  }
  try {
    const stdin = paths.map((path) => `${path}\0`).join("");
    const remove = ["update-index", "--force-remove", "-z", "--stdin"];
    const options = { action: "untrack the files", stdin, confinement: LOOKS_ONLY };
    await runGit(root, remove, options);
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    const next = `git's index was not changed (${error.summary}); untrack the files with: ` +
      "git rm -r --cached --ignore-unmatch .agentx/state .agentx/log";
    return fail(CHECK, message, next);
  }
  return fixed(CHECK, `untracked, and kept on disk: ${listed(paths, MAX_NAMED)}`);
}
