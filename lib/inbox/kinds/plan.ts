// The plans in the inbox, which split an issue into parts. The plan of an agent becomes issues once a person approves
// it; the plan of a person becomes issues at once.

import { HUMAN } from "../../base/agent_names.ts";
import { invalidInput } from "../../base/input_checks.ts";
import { checkIssueBody, checkTitle, type Issue } from "../../work/issue/issue.ts";
import { typeOf } from "../../work/issue/labels.ts";
import { hasGroups, parsePlan } from "../../work/issue/plan.ts";
import { downstreamOf } from "../../work/route/route.ts";
import { type WaitingPlan, WaitingPlans } from "../waiting_plans.ts";
import type { Workspace } from "../../workspace/open.ts";
import { unconfirmedOn } from "../../workspace/open_requests.ts";
import { withPartLabels } from "../../workspace/part_labels.ts";
import {
  type Around,
  type InboxKind,
  type InboxOption,
  kindOf,
  type NewEntry,
  notTaken,
  offeredIn,
  wordIn,
} from "../entry.ts";

const PLAN_ID = /^PLN-([1-9]\d{0,8})-[0-9a-f]{8}$/;

/** Opens the plans that wait for a person. */
function plansOf({ root, locks }: Pick<Workspace, "root" | "locks">): WaitingPlans {
  return new WaitingPlans(`${root}/.agentx`, locks);
}

/**
 * Splits an issue into parts, or adds the plan to the inbox.
 *
 * @returns the issues that were made, or the plan that waits
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function planParts(
  workspace: Workspace,
  number: number,
  { text, by }: { text: string; by: string },
): Promise<{ issues: Issue[]; plan: WaitingPlan | null }> {
  const { steps } = workspace.workflow(
    typeOf({ labels: withPartLabels([], number, workspace) }) ?? workspace.config.defaultWorkflow,
  );
  for (const { title, body, step } of parsePlan(text)) {
    checkTitle(title);
    checkIssueBody(body);
    if (step === null || steps.some(({ id }) => id === step)) continue;
    throw invalidInput("step", step, "the workflow of the parts has no such step", "Name another");
  }
  const { uid } = workspace.issues.get(number);
  if (by !== HUMAN && workspace.config.plan.approve) {
    return { issues: [], plan: await plansOf(workspace).propose({ number, uid }, { text, by }) };
  }
  return { issues: await split(workspace, number, { text, by }), plan: null };
}

/** A human's choices about a plan. */
const APPROVALS: readonly InboxOption[] = [
  { label: "a", text: "approve: its parts become issues" },
  { label: "b", text: "reject, and why" },
];

export const plan: InboxKind = kindOf("plan", {
  id: PLAN_ID,
  read: ({ workspace }) => plansOf(workspace).list(),
  entry: planEntry,
  decide: decidePlan,
});

async function decidePlan(workspace: Workspace, id: string, answer: string): Promise<string> {
  const { word, why } = wordIn(answer);
  const isApproved = /^(?:a|approve)$/i.test(word) && why === null;
  if (!isApproved && !/^(?:b|reject)$/i.test(word)) {
    throw notTaken(id, answer, `Begin with ${offeredIn(APPROVALS)}`);
  }
  return await plansOf(workspace).decide(id, async (plan) => {
    const number = numberOf(plan, workspace);
    if (!isApproved) {
      const because = why === null ? "" : `: ${why}`;
      await workspace.issues.update(
        number,
        { comment: `Plan ${id} was rejected${because}` },
        HUMAN,
      );
      return `rejected${because}`;
    }
    const made = partsAlready(plan, workspace) ??
      await split(workspace, number, { text: plan.text, by: plan.by });
    return `approved: ${made.map(({ number }) => `#${number}`).join(", ")}`;
  });
}

async function split(
  workspace: Workspace,
  number: number,
  { text, by }: { text: string; by: string },
): Promise<Issue[]> {
  const labels = withPartLabels([], number, workspace);
  const parts = parsePlan(text);
  const made = await workspace.issues.split(number, { parts, labels }, by);
  for (const [index, { step }] of parts.entries()) {
    const first = step ?? (hasGroups(text) ? AFTER_PLANNING : null);
    if (first !== null) await beginAt(first, made[index].number, { number, by }, workspace);
  }
  return made;
}

/** The first step for a part from a plan with groups (seed 004, "Workflow Continues Normally"). */
const AFTER_PLANNING = "implement";

/**
 * Lets a part begin at a step: the plan counts as an approval of the earlier steps. A workflow without the step begins
 * as usual.
 */
async function beginAt(
  step: string,
  part: number,
  { number, by }: { number: number; by: string },
  { issues, workflowOf }: Workspace,
): Promise<void> {
  const workflow = workflowOf(part);
  const before = workflow.steps.filter(({ id }) => downstreamOf([id], workflow).has(step));
  const because = `planned with #${number}`;
  const facts = before.map(({ id }) => ({
    op: "approved" as const,
    step: id,
    hash: null,
    because,
  }));
  if (facts.length > 0) await issues.say(part, by, () => ({ facts }));
}

/** Returns the parts that an interrupted approval has already made; undefined if it did not make all of them. */
function partsAlready(
  { text, created, issueUid }: WaitingPlan,
  { issues }: Workspace,
): Issue[] | undefined {
  const made = issues.scan().issues.filter((each) =>
    each.parent === issueUid && each.created >= created
  );
  const titles = new Set(made.map(({ title }) => title));
  return parsePlan(text).every(({ title }) => titles.has(title)) ? made : undefined;
}

function numberOf({ id, issueUid }: WaitingPlan, { issues }: Workspace): number {
  const known = issues.view().byUid.get(issueUid)?.issue;
  return known?.number ?? Number(PLAN_ID.exec(id)![1]);
}

/**
 * Makes the entry of a plan. It shows the assumptions of the agent, so that a person who approves the plan has seen
 * them.
 */
async function planEntry(
  { id, issueUid, by, created, text }: WaitingPlan,
  { issues, workspace }: Around,
): Promise<NewEntry> {
  const issue = issues.find(({ uid }) => uid === issueUid)?.number ?? Number(id.split("-")[1]);
  const count = parsePlan(text).length;
  const assumptions = (await unconfirmedOn(workspace, issue))
    .map((one) => `- ${one.decision} (${one.id}; if it is wrong: ${one.risk_if_wrong})`);
  return {
    id,
    issue,
    agent: by,
    created,
    topic: `${count} ${count === 1 ? "part" : "parts"} for #${issue}`,
    content: [text.trim(), ...assumptions.length === 0 ? [] : ["", "Assumed:", ...assumptions]]
      .join("\n"),
    options: [...APPROVALS],
    blocks: [`${by} on #${issue}`],
  };
}
