// What waits for a human, of any kind, and what it blocks. Pure.

import { lettersOf } from "../clarify/rules/escalation.ts";
import { describeReach, type Unreached, waysOut } from "../clarify/reach.ts";
import { askerOf, type ClarificationRecord, issueNumberOf, lastEntry } from "../clarify/schema.ts";
import { type Assumption, contradicting } from "../gate/assumption.ts";
import type { WaitingSession } from "./permission.ts";
import { stepBranch, treeOf } from "../git/step_names.ts";
import { DECISIONS, type GuardRequest } from "../guard/request.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { questionText } from "../gate/question_text.ts";
import { CLARIFY_FIRST, type StoppedStep } from "../pipeline/stopped_steps.ts";
import { dependencyGraph } from "../work/issue/dependencies.ts";
import { clip } from "../base/quote.ts";
import {
  type ConflictSide,
  conflictText,
  type MergeConflict,
  whoAndWhen,
} from "../work/issue/conflicts.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";
import { parsePlan } from "../work/issue/plan.ts";
import type { WaitingPlan } from "./waiting_plans.ts";

/** What a human can choose by a letter. */
export interface InboxOption {
  /** `a` to `g`. */
  label: string;
  text: string;
}

/** One thing that waits for a human. */
export interface InboxEntry {
  /** `CLR-42-001`, `ASK-001`, `ASM-001`, `GRD-001`, `ISS-42-title`, `PLN-42-3f2a9c01`, `STP-42-prd`
   * or the name of a session. */
  id: string;
  /**
   * An escalated clarification, a question of the gate, an assumption of high risk, a clarification
   * that nobody here answers, what a merge left of an issue, a command that a session wants to run, an
   * agent's plan of parts, a step that its agent could not do, or what a session asks in its own terminal.
   */
  kind:
    | "escalation"
    | "question"
    | "assumption"
    | "unanswered"
    | "conflict"
    | "command"
    | "plan"
    | "stopped"
    | "permission";
  /** The issue that it is about; 0 where a session runs something for none. */
  issue: number;
  agent: string;
  /** ISO-8601, UTC: since when it waits. */
  created: string;
  /** ISO-8601, UTC: when a fallback is taken; null where it waits as long as it takes. */
  deadline: string | null;
  /** What is to be decided, in a few words. */
  topic: string;
  /** Why no agent answers it; null where a human was meant to. */
  reason: string | null;
  /** All that a human needs to know. */
  content: string;
  /** None where only words decide. */
  options: InboxOption[];
  /** What it blocks: the agent that waits, and the open issues that wait for this one. */
  blocks: string[];
}

export interface InboxSources {
  clarifications: readonly ClarificationRecord[];
  /** Clarifications whose open question nobody answers here, and why. */
  unanswered: readonly Unanswered[];
  /** Questions of the gate that are open. */
  questions: readonly GateInteraction[];
  /** Assumptions of high risk that nobody has confirmed or reverted, and confirmed ones that contradict. */
  risks: readonly Assumption[];
  issues: readonly Issue[];
  /** What merges left of them. */
  conflicts: readonly IssueConflict[];
  /** What sessions want to run. */
  commands: readonly GuardRequest[];
  /** Plans of agents. */
  plans: readonly WaitingPlan[];
  /** What agents assume, and nobody has confirmed or reverted. */
  assumed: readonly Assumption[];
  /** Sessions that wait for a permission. */
  sessions: readonly WaitingSession[];
  /** Steps that wait for a person, each with the number of its issue. */
  stopped: ReadonlyArray<StoppedStep & { issue: number }>;
}

/** What a merge left of an issue, and has to be decided. */
export interface IssueConflict extends MergeConflict {
  id: string;
  issue: number;
}

/** A clarification that no agent and nobody answers. */
export interface Unanswered {
  record: ClarificationRecord;
  reach: Unreached;
}

/** The decisions about an assumption. */
export const JUDGEMENTS: readonly InboxOption[] = [
  { label: "a", text: "confirm: it is right" },
  { label: "b", text: "revert: it is wrong" },
];

/** What a human decides about a plan. */
export const APPROVALS: readonly InboxOption[] = [
  { label: "a", text: "approve: its parts become issues" },
  { label: "b", text: "reject, and why" },
];

/** What a human decides about a step that stopped; other words tell its agent what to do. */
const AGAIN: readonly InboxOption[] = [
  { label: "a", text: "let its agent begin again, with what was missing" },
];

/** Collects what waits for a human: first what blocks most, and of equals the oldest. */
export function inboxOf(
  { clarifications, unanswered, questions, risks, issues, conflicts, commands, ...more }:
    InboxSources,
): InboxEntry[] {
  const waiting = waitersOf(issues);
  const entries = [
    ...clarifications.filter(({ status, foreign }) => status === "escalated" && foreign !== true)
      .map((record) => escalationEntry(record, waiting)),
    ...unanswered.map((each) => unansweredEntry(each, waiting)),
    ...questions.map((question) => questionEntry(question, waiting)),
    ...risks.map((one) => assumptionEntry(one, contradicting(one, risks))),
    ...conflicts.map(conflictEntry),
    ...commands.map(commandEntry),
    ...more.sessions.map(permissionEntry),
    ...more.stopped.map((step) => stoppedEntry(step, waiting)),
    ...more.plans.map((plan) => planEntry(plan, { issues, assumed: more.assumed })),
  ];
  return entries.sort((a, b) =>
    b.blocks.length - a.blocks.length || Date.parse(a.created) - Date.parse(b.created) ||
    (a.id < b.id ? -1 : 1)
  );
}

function escalationEntry(record: ClarificationRecord, waiting: Waiting): InboxEntry {
  const { id, blocking, topic } = record;
  const issue = issueNumberOf(id);
  const escalation = lastEntry(record, "escalation");
  const agent = askerOf(record);
  return {
    id,
    kind: "escalation",
    issue,
    agent,
    created: escalation?.timestamp ?? record.created,
    deadline: null,
    topic,
    reason: null,
    content: escalation?.body ?? topic,
    options: lettersOf(record).map(({ letter, text }) => ({ label: letter, text })),
    blocks: blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [],
  };
}

function unansweredEntry({ record, reach }: Unanswered, waiting: Waiting): InboxEntry {
  const { id, blocking, created, to, topic } = record;
  const issue = issueNumberOf(id);
  const question = lastEntry(record, "question");
  const agent = askerOf(record);
  return {
    id,
    kind: "unanswered",
    issue,
    agent,
    created: question?.timestamp ?? created,
    deadline: null,
    topic,
    reason: [describeReach(reach), ...waysOut(reach, "ID")].join("\n"),
    content: `${agent} asks ${to}: ${question?.body ?? topic}\n\n` +
      `${describeReach(reach)}.\n${waysOut(reach, id).join("\n")}`,
    options: [],
    blocks: blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [],
  };
}

function questionEntry(
  question: GateInteraction,
  waiting: Waiting,
): InboxEntry {
  const { id, created, deadline, request } = question;
  const { agent, issue } = request;
  return {
    id,
    kind: "question",
    issue,
    agent,
    created,
    deadline,
    topic: request.question,
    reason: null,
    content: questionText(question),
    options: request.options.map(({ label, text }) => ({ label, text })),
    blocks: [`${agent} on #${issue}`, ...waiting(issue)],
  };
}

/** Nobody waits: the agent continued. */
function assumptionEntry(
  assumption: Assumption,
  others: readonly Assumption[],
): InboxEntry {
  const { id, issue, agent, created, decision, reasoning, risk_if_wrong: risk } = assumption;
  return {
    id,
    kind: "assumption",
    issue,
    agent,
    created,
    deadline: null,
    topic: decision,
    reason: null,
    content: [
      `Assumed: ${decision}`,
      `Because: ${reasoning}`,
      `If it is wrong: ${risk}`,
      ...others.map((other) => `Confirmed too, and says otherwise: ${other.id} ${other.decision}`),
    ].join("\n"),
    options: [...JUDGEMENTS],
    blocks: [],
  };
}

/** The session was refused, and may try again. */
function commandEntry({ id, issue, agent, created, ...asked }: GuardRequest): InboxEntry {
  const { command, reason, rule, session, line } = asked;
  return {
    id,
    kind: "command",
    issue: issue ?? 0,
    agent: agent ?? "agent",
    created,
    deadline: null,
    topic: command,
    reason,
    content: `${command}\n\n${reason} (${rule}); session ${session}`,
    options: DECISIONS.filter((decision) => decision !== "rule" || line !== null)
      .map((text, at) => ({ label: "abcd"[at], text })),
    blocks: [`session ${session}`],
  };
}

/** Only its own terminal takes the answer. */
function permissionEntry(
  { session, cwd, permission: { what, since, worker, agent, issue } }: WaitingSession,
): InboxEntry {
  return {
    id: worker ?? session,
    kind: "permission",
    issue: issue ?? 0,
    agent: agent ?? "agent",
    created: since,
    deadline: null,
    topic: what.split("\n", 1)[0],
    reason: "It waits in its own terminal: answer it there",
    content: [
      ...what.includes("\n") ? [what, ""] : [],
      `Answer it in its own terminal${cwd ? `, in ${cwd}` : ""}.`,
    ].join("\n"),
    options: [],
    blocks: [`session ${session}`],
  };
}

/** With what its agent assumes: who approves the one has seen the other. */
function planEntry(
  { id, issueUid, by, created, text }: WaitingPlan,
  { issues, assumed }: Pick<InboxSources, "issues" | "assumed">,
): InboxEntry {
  const issue = issues.find(({ uid }) => uid === issueUid)?.number ?? Number(id.split("-")[1]);
  const count = parsePlan(text).length;
  const assumptions = assumed.filter((one) => one.issue === issue)
    .map((one) => `- ${one.decision} (${one.id}; if it is wrong: ${one.risk_if_wrong})`);
  return {
    id,
    kind: "plan",
    issue,
    agent: by,
    created,
    deadline: null,
    topic: `${count} ${count === 1 ? "part" : "parts"} for #${issue}`,
    reason: null,
    content: [text.trim(), ...assumptions.length === 0 ? [] : ["", "Assumed:", ...assumptions]]
      .join("\n"),
    options: [...APPROVALS],
    blocks: [`${by} on #${issue}`],
  };
}

function stoppedEntry(
  { id, step, agent, created, reasons, issue }: StoppedStep & { issue: number },
  waiting: Waiting,
): InboxEntry {
  return {
    id,
    kind: "stopped",
    issue,
    agent,
    created,
    deadline: null,
    topic: `${step}: ${reasons[0] ?? "it was not done"}`,
    reason: null,
    content: step === CLARIFY_FIRST ? questionsText(reasons, issue) : [
      `${agent} did not get ${step} of #${issue} done:`,
      ...reasons.map((reason) => `- ${reason}`),
      "",
      "Let its agent begin again, or save what it should be in " +
      `${treeOf(stepBranch(issue, step))} (no commit);`,
      `then continue with: agentx workflow run ${issue}`,
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

/** Nobody waits: one side holds. */
function conflictEntry(conflict: IssueConflict): InboxEntry {
  const { id, issue, field, shown, others } = conflict;
  const sides = field === "deletion"
    ? []
    : [shown, ...others].map((side, index) =>
      `${letterOf(index)}) ${whoAndWhen(side)}:\n${side.value === "" ? "(empty)" : side.value}`
    );
  return {
    id,
    kind: "conflict",
    issue,
    agent: others[0].by,
    created: [shown, ...others].map(({ time }) => time).sort().at(-1)!,
    deadline: null,
    topic: field === "deletion" ? "it was deleted, and changed" : `its ${field} was changed twice`,
    reason: null,
    content: [conflictText(conflict), ...sides].join("\n\n"),
    options: choicesIn(conflict).map(({ label, text }) => ({ label, text })),
    blocks: [],
  };
}

/** What can be chosen, and the side that it stands for. */
export interface ConflictChoice extends InboxOption {
  side: ConflictSide;
}

/** What a human can choose by a letter. */
export function choicesIn({ field, shown, others }: IssueConflict): ConflictChoice[] {
  if (field === "deletion") {
    return [
      { label: "a", text: "keep it", side: shown },
      { label: "b", text: "delete it: undo brings it back", side: others[0] },
    ];
  }
  return [shown, ...others].slice(0, MAX_CHOICES).map((side, index) => ({
    label: letterOf(index),
    text: `${index === 0 ? "keep" : "take"} ${clip(`${side.value}`.split("\n", 1)[0])}`,
    side,
  }));
}

const MAX_CHOICES = 7;

function letterOf(index: number): string {
  return index < MAX_CHOICES ? "abcdefg"[index] : "-";
}

/** Gives the open issues that wait for one, also through others. */
type Waiting = (issue: number) => string[];

function waitersOf(issues: readonly Issue[]): Waiting {
  const { blocks } = dependencyGraph(issues);
  const open = new Set(issues.filter(isOpen).map(({ number }) => number));
  return (issue) => {
    const reached = new Set([issue]);
    for (const each of reached) for (const waiter of blocks.get(each) ?? []) reached.add(waiter);
    reached.delete(issue);
    return [...reached].filter((number) => open.has(number)).sort((a, b) => a - b)
      .map((number) => `#${number}`);
  };
}
