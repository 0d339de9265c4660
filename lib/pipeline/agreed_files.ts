// Checks the files that the command of an agent names. In the tree of a step these files run, so they must be the same
// as the files that the user agreed to in the main checkout.

import { AgentxError } from "../base/errors.ts";
import { prefixOf, repositoryAbove } from "../git/repository.ts";
import type { StepTree } from "../git/step_names.ts";
import { changesIn, lastChange } from "../git/step_tree.ts";
import { headCommit } from "../git/tracked_paths.ts";
import { shellWord } from "../base/quote.ts";
import { terminalLine } from "../text/text.ts";
import type { StepParts } from "./step_task.ts";

/** Maximum length of the name of a file or a commit in a message, in columns. */
const MAX_SHOWN = 200;

/**
 * Checks that the tree has the agreed version of each file that the command of the role names.
 *
 * @throws {AgentxError} `UNTRUSTED` if a file in the tree differs from the agreed one; `IO_ERROR`
 */
export async function checkAgreed(
  role: string,
  tree: StepTree,
  parts: Pick<StepParts, "hostsOf" | "signal" | "tree" | "trust">,
): Promise<void> {
  if (parts.hostsOf(role).length === 0) return; // the agent is a function of the program
  const [name] = await (await parts.trust()).otherwiseIn(tree.path, role);
  if (name === undefined) return;
  const file = terminalLine(name, MAX_SHOWN);
  const { why, next } = await changeOf(name, tree, parts);
  const reason = `${file} is not the file that you agreed to: ${why}`;
  throw new AgentxError("UNTRUSTED", `Cannot run ${role} in "${tree.path}": ${reason}`, {
    details: { path: tree.path, reason },
    next,
  });
}

/** Returns the reason why a file differs, and the next step for the user. */
async function changeOf(
  name: string,
  tree: StepTree,
  { signal, tree: main }: Pick<StepParts, "signal" | "tree">,
): Promise<{ why: string; next: string }> {
  const file = shellWord(terminalLine(name, MAX_SHOWN));
  const changed = await changesIn(tree, signal);
  const repository = repositoryAbove(main);
  const since = repository && headCommit(repository);
  const commit = await lastChange(tree, name, { since, signal });
  if (commit !== "") {
    return {
      why: `commit ${terminalLine(commit, MAX_SHOWN)} changed it`,
      next:
        `Look at it with: git diff HEAD ${tree.branch} -- ${file}. To keep it, commit it here ` +
        "and agree to it with: agentx trust. Else revert it on the branch of its step",
    };
  }
  if (changed.includes(prefixOf(tree.path, tree.top) + name)) {
    return {
      why: "a change in the tree of the step is not committed",
      next: `Look at it, and put it back: ${tree.path}`,
    };
  }
  return {
    why: `${tree.branch} does not have your last change of it`,
    next: `Commit your change. Then merge that commit into ${tree.branch} in ${tree.path}`,
  };
}
