// The steps in the inbox that their agents could not do. A person mends such a step, or lets its agent begin again.

import { HUMAN } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import { CLARIFY_FIRST, type StoppedStep, waitingAmong } from "../../pipeline/stopped_steps.ts";
import { stepBranch, treeOf } from "../../git/step_names.ts";
import type { Workspace } from "../../workspace/open.ts";
import { type Around, type InboxKind, type InboxOption, kindOf, type NewEntry } from "../entry.ts";

const STOPPED_ID = /^STP-[1-9]\d{0,8}-[\w-]{1,100}$/;

/** Returns the steps of all open issues that wait for a person. */
function stoppedIn(
  { issues, stopped, workflowOf }: Pick<Workspace, "issues" | "stopped" | "workflowOf">,
): Array<StoppedStep & { issue: number }> {
  const all = stopped.list();
  const { byUid } = issues.view();
  return [...new Set(all.map(({ issueUid }) => issueUid))].flatMap((uid) => {
    const known = byUid.get(uid);
    if (known === undefined || known.isDeleted) return [];
    const issue = known.issue.number;
    return waitingAmong(all, known, workflowOf(issue)).map((one) => ({ ...one, issue }));
  });
}

/** The human's choices about a stopped step; any other answer is an instruction to its agent. */
const AGAIN: readonly InboxOption[] = [
  { label: "a", text: "let its agent begin again from a clean tree, with what was missing" },
];

export const stopped: InboxKind = kindOf("stopped", {
  id: STOPPED_ID,
  read: ({ workspace }) => stoppedIn(workspace),
  entry: stoppedEntry,
  decide: decideStopped,
});

async function decideStopped(workspace: Workspace, id: string, answer: string): Promise<string> {
  const found = stoppedIn(workspace).find((one) => one.id === id);
  if (found === undefined) {
    throw new AgentxError("NOT_FOUND", `Cannot decide "${id}": it does not wait any more`, {
      details: { kind: "step", id },
      next: "List what waits for you with: agentx inbox",
    });
  }
  const { issue, step, reasons } = found;
  if (step === CLARIFY_FIRST) {
    const because = [...reasons, `A person answered: ${answer}`].join("\n");
    await workspace.noteStep(issue, { op: "decided", step, isTaken: true, because }, HUMAN);
    return `its steps begin with: agentx workflow run ${issue}`;
  }
  const because = /^\s*a\s*$/i.test(answer) ? reasons.join("; ") : answer;
  await workspace.noteStep(issue, { op: "returned", step, because }, HUMAN);
  return `${step} begins again with: agentx workflow run ${issue}`;
}

function stoppedEntry(
  { id, step, agent, created, reasons, changed, said, issue }: StoppedStep & { issue: number },
  { waiting }: Around,
): NewEntry {
  return {
    id,
    issue,
    agent,
    created,
    topic: `${step}: ${reasons[0] ?? "it was not done"}`,
    content: step === CLARIFY_FIRST ? questionsText(reasons, issue) : [
      `${agent} did not get ${step} of #${issue} done:`,
      ...reasons.map((reason) => `- ${reason}`),
      ...changed === undefined ? [] : [
        `Its work: ${changed}`,
        `See it with: agentx review ${issue} ${step} --diff`,
      ],
      ...said === undefined ? [] : ["", "It said:", ...said.split("\n").map((line) => `> ${line}`)],
      "",
      "Let its agent begin again, or save what it should be in " +
      `${treeOf(stepBranch(issue, step))} (no commit);`,
      `then continue with: agentx workflow run ${issue}`,
      "A first step begins again at your present commit. Any other keeps the work before it; bring",
      "newer commits into its tree with: git stash && git merge BRANCH",
      `Take it as it is with: agentx workflow ${issue} --accept ${step}`,
      `Close what cannot be done with: agentx issue close ${issue} --force --because TEXT`,
    ].join("\n"),
    options: step === CLARIFY_FIRST ? [] : [...AGAIN],
    blocks: [`${step} of #${issue}`, ...waiting(issue)],
  };
}

function questionsText(questions: readonly string[], issue: number): string {
  return [
    `Before the first step of #${issue}, the requirements engineer asks:`,
    ...questions.map((question, index) => `${index + 1}. ${question}`),
    "",
    "Answer all of them in one text.",
  ].join("\n");
}
