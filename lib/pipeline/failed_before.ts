// Checks that a bug is really fixed: a test has to fail without the change and pass with it. So the new and changed
// tests of the step also run on the files as the agent found them, and one of the commands has to fail there.

import { shellLine } from "../base/quote.ts";
import { onStart } from "../git/step_probe.ts";
import type { StepTree } from "../git/step_names.ts";
import { sys } from "../sys/mod.ts";
import { typeOf } from "../work/issue/labels.ts";
import { type Evidence, type EvidencePlace, runEvidence } from "./evidence.ts";
import type { StepTask } from "./step_task.ts";

/** Matches the paths of tests, such as `tests/a.py`, `a_test.go`, `test_a.py`, `a.spec.ts`, `ATest.java`. */
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/|(?:^|\/)test[_-][^/]*$|[._-](?:test|spec)s?(?:\.|$)|(?:^|\/)test\.\w+$|Tests?\.\w+$/;

/** Whether a task fixes a bug, and names commands that show whether the bug is fixed. */
export function needsFailure({ step, workflow, known: { issue } }: StepTask): boolean {
  const isBug = workflow.type === "bug" || typeOf(issue) === "bug";
  return isBug && step.output === null && step.evidence.length > 0;
}

/**
 * Runs the evidence commands of a step on the tree without the change, but with its tests.
 *
 * @param changed the files that the agent of the step has changed, relative to the top of its tree
 * @returns the results of the commands, and the reason if they do not show a failure
 */
export async function showFailure(
  { step }: StepTask,
  tree: StepTree,
  { changed, ...place }: EvidencePlace & { changed: readonly string[] },
): Promise<{ evidence: Evidence[]; reason?: string }> {
  const tests = changed.filter((path) =>
    TEST.test(path) && sys.lstat(`${tree.top}/${path}`) !== undefined
  );
  if (tests.length === 0) {
    return { evidence: [], reason: "no test that failed before: no test is new or changed" };
  }
  return await onStart(tree, tests, async () => {
    const evidence: Evidence[] = [];
    for (const argv of step.evidence) {
      const shown = await runEvidence(argv, place);
      evidence.push({ ...shown.evidence, on: "start" });
    }
    if (evidence.some(({ exitCode }) => exitCode !== null && exitCode !== 0)) return { evidence };
    const commands = step.evidence.map(shellLine).join(", ");
    const reason = `no test that failed before: ${commands} passes without the change, too, ` +
      `with ${tests.join(", ")}`;
    return { evidence, reason };
  });
}
