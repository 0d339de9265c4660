// Refuses an undo without an id right after a merge of agents' work: only git can take a merge back.

import { AgentxError } from "../../base/errors.ts";
import type { Context } from "../../cli/command.ts";
import type { Operation } from "../../events/operations.ts";
import { repositoryAbove } from "../../git/repository.ts";
import { LOOKS_ONLY, runGit } from "../../git/run_git.ts";

/** @throws {AgentxError} `NOT_READY` if a merge came after the operation */
export async function refuseAfterMerge(
  { signal }: Pick<Context, "signal">,
  tree: string,
  { id, command, time }: Operation,
): Promise<void> {
  const { checkout } = repositoryAbove(tree) ?? {};
  if (checkout === undefined) return;
  const which = ["--first-parent", "--merges", "--grep=^Merge branch 'agentx/[0-9]"];
  const args = ["log", "-1", "--no-show-signature", "--format=%h %ct %s", ...which];
  const options = { action: "look for a merge", confinement: LOOKS_ONLY, signal };
  // A repository without a commit has no log.
  const found = await runGit(checkout, args, options).catch(() => "");
  const [, commit, seconds, subject] = /^(\w+) (\d+) (.*)$/m.exec(found) ?? [];
  // Git keeps whole seconds: a merge in the same second counts as the later one.
  if (commit === undefined || (Number(seconds) + 1) * 1_000 <= Date.parse(time)) return;
  const why = `"${subject}" came since your latest operation, and no undo takes a merge back`;
  throw new AgentxError("NOT_READY", `Cannot undo: ${why}`, {
    details: { issueNumber: 0, reasons: [why] },
    next: `Take the merge back with: git revert -m 1 ${commit}; ` +
      `or undo the older operation (${command}) by its id: agentx undo ${id}`,
  });
}
