// Plans that cut an issue into parts. One that an agent made becomes issues once a person approves it; one
// that a person gives becomes issues at once.

import { HUMAN } from "../../base/agent_names.ts";
import { checkIssueBody, checkTitle, type Issue } from "../../work/issue/issue.ts";
import { parsePlan } from "../../work/issue/plan.ts";
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

/** The plans that wait for a person. */
export function plansOf({ root, locks }: Pick<Workspace, "root" | "locks">): WaitingPlans {
  return new WaitingPlans(`${root}/.agentx`, locks);
}

/**
 * Cuts an issue into parts, or puts the plan before a person.
 *
 * @returns the issues that were made, or the plan that waits
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function planParts(
  workspace: Workspace,
  number: number,
  { text, by }: { text: string; by: string },
): Promise<{ issues: Issue[]; plan: WaitingPlan | null }> {
  for (const { title, body } of parsePlan(text)) {
    checkTitle(title);
    checkIssueBody(body);
  }
  const { uid } = workspace.issues.get(number);
  if (by !== HUMAN && workspace.config.plan.approve) {
    return { issues: [], plan: await plansOf(workspace).propose({ number, uid }, { text, by }) };
  }
  return { issues: await split(workspace, number, { text, by }), plan: null };
}

/** What a human decides about a plan. */
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
  return await workspace.issues.split(number, { parts: parsePlan(text), labels }, by);
}

/** What an approval made that did not come to its end. */
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

/** With what its agent assumes: who approves the one has seen the other. */
function planEntry(
  { id, issueUid, by, created, text }: WaitingPlan,
  { issues, workspace }: Around,
): NewEntry {
  const issue = issues.find(({ uid }) => uid === issueUid)?.number ?? Number(id.split("-")[1]);
  const count = parsePlan(text).length;
  const assumptions = unconfirmedOn(workspace, issue)
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
