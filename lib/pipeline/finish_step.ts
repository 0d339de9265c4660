// Hands an issue on: records validated or accepted steps, sets the status that the step names, and announces the next
// roles.

import { isoTime } from "../base/time.ts";
import type { Workflow } from "../config/workflow.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { LINE_VERSION } from "../lines/line.ts";
import { sys } from "../sys/mod.ts";
import type { IssueLine, StepChange } from "../work/issue/change.ts";
import { DONE, type Issue, moveTo } from "../work/issue/issue.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { endLease, endStepClaims } from "../work/queue/lease.ts";
import { type IssueStanding, stepsLeft, type StepStanding } from "./standing.ts";

/** The parts that hand an issue on. */
export interface HandOnParts {
  issues: IssueStore;
  events: AgentEventBus;
  /** Returns where an issue stands, without reading artifacts. */
  standingOf: (known: Pick<KnownIssue, "issue" | "lines" | "undone">) => IssueStanding;
  workflowOf: (issue: number) => Workflow;
}

/** The changes that make a step done. */
export type DoneChange = Extract<StepChange, { op: "validated" | "approved" }>;

/** The recorded hand-over. */
export interface HandedOn {
  /** The steps that were recorded as done: they were not done before, or done with another text. */
  recorded: string[];
  /** Why the other steps are not done. */
  notRecorded: string[];
  /** The steps that can begin now. */
  next: Array<Pick<StepStanding, "step" | "agent">>;
}

/**
 * Records that steps are done. The same text of a step is recorded only once.
 *
 * @param said the validated or approved steps
 * @param by the validating agent or person
 * @throws {AgentxError} `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function handOn(
  issueNumber: number,
  { said, by }: { said: readonly DoneChange[]; by: string },
  { issues, events, standingOf, workflowOf }: HandOnParts,
): Promise<HandedOn> {
  const workflow = workflowOf(issueNumber);
  let result: HandedOn = { recorded: [], notRecorded: [], next: [] };
  let before: StepStanding[] = [];
  await issues.say(issueNumber, by, (known) => {
    before = standingOf(known).steps;
    const notRecorded: string[] = [];
    const facts = said.filter(({ step, hash }) => {
      const { state, hashes, why } = before.find((each) => each.step === step)!;
      if (state === "done") return !hashes.includes(hash);
      if (state === "ready" || state === "running") return true;
      notRecorded.push(`${step} is not recorded as done: ${why.join("; ")}`);
      return false;
    });
    const after = standingOf(withFacts(known, facts, by)).steps;
    const next = after.filter(({ step, state }) =>
      state === "ready" && before.some((was) => was.step === step && was.state !== "ready")
    );
    result = { recorded: facts.map(({ step }) => step), notRecorded, next };
    const last = facts.at(-1)?.step;
    const status = workflow.steps.find(({ id }) => id === last)?.statusOnComplete ?? null;
    return { facts, edit: (issue) => edit(issue, { facts, before, after, status }) };
  });
  for (const { agent } of result.next) {
    const at = { issueNumber, timestamp: sys.now() };
    events.emit("handoff-triggered", { fromAgent: by, toAgent: agent, ...at });
  }
  return result;
}

/**
 * Ends the claims of the steps, and sets the status of the issue. The last status of a workflow is set only when all
 * steps are done.
 */
function edit(
  issue: Issue,
  { facts, before, after, status }: {
    facts: readonly StepChange[];
    before: readonly StepStanding[];
    after: readonly StepStanding[];
    status: string | null;
  },
): void {
  const isTheirs = before.some(({ step, by, state }) =>
    state === "running" && by === issue.assignee && facts.some((fact) => fact.step === step)
  );
  if (isTheirs) endLease(issue);
  endStepClaims(issue, ({ step }) => facts.some((fact) => fact.step === step));
  const isOver = stepsLeft(after).length === 0;
  if (status !== null && (status !== DONE || isOver)) moveTo(issue, status);
}

/** Returns the issue with the facts added as lines, under placeholder ids. */
function withFacts(known: KnownIssue, facts: readonly StepChange[], by: string): KnownIssue {
  const { uid } = known.issue;
  const time = isoTime(Math.max(sys.now(), Date.parse(known.lines.at(-1)!.time) + 1));
  const lines = facts.map((fact, index): IssueLine => ({
    v: LINE_VERSION,
    id: `new.${index}`,
    uid,
    time,
    by,
    ...fact,
  }));
  return { ...known, lines: [...known.lines, ...lines] };
}
