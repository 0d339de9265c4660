// A bug is fixed where a test that failed before passes now: the new and changed tests of its step run on what its
// agent found as well, and one of them has to fail there.

import { shellLine } from "../base/quote.ts";
import { onStart } from "../git/step_probe.ts";
import type { StepTree } from "../git/step_names.ts";
import { sys } from "../sys/mod.ts";
import { typeOf } from "../work/issue/labels.ts";
import { type Evidence, type EvidencePlace, runEvidence } from "./evidence.ts";
import type { StepTask } from "./step_task.ts";

/** Tests by their names: `tests/a.py`, `a_test.go`, `test_a.py`, `a.spec.ts`, `ATest.java`. */
const TEST =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/|(?:^|\/)test[_-][^/]*$|[._-](?:test|spec)s?(?:\.|$)|(?:^|\/)test\.\w+$|Tests?\.\w+$/;

/** Whether it is a bug, with commands that show whether it is mended. */
export function needsFailure({ step, workflow, known: { issue } }: StepTask): boolean {
  const isBug = workflow.type === "bug" || typeOf(issue) === "bug";
  return isBug && step.output === null && step.evidence.length > 0;
}

/**
 * @param changed the files that the agent of the step has changed, relative to the top of its tree
 * @returns what the commands said without the change, and why that shows nothing, where it does not
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
