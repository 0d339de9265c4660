/**
 * What waits for a human, of whatever kind, and what stands still behind it. Pure.
 *
 * @module
 */

import { lettersOf } from "../clarify/escalation.ts";
import { askerOf, type ClarificationRecord, issueNumberOf, lastEntry } from "../clarify/schema.ts";
import type { Assumption } from "../gate/assumption.ts";
import type { OpenRequest } from "../gate/open_requests.ts";
import { dependencyGraph } from "../work/issue/dependencies.ts";
import { isOpen, type Issue } from "../work/issue/issue.ts";

/** What a human can choose by a letter. */
export interface InboxOption {
  /** `a` to `g`. */
  label: string;
  /** What is decided by it. */
  text: string;
}

/** One thing that waits for a human. */
export interface InboxEntry {
  /** `CLR-42-001`, `ASK-001` or `ASM-001`. */
  id: string;
  /** An escalated clarification, a question of the gate, or an assumption of high risk. */
  kind: "escalation" | "question" | "assumption";
  /** The issue that it is about. */
  issue: number;
  /** The agent that asks or assumes. */
  agent: string;
  /** ISO-8601, UTC: since when it waits. */
  created: string;
  /** ISO-8601, UTC: when a fallback is taken; null where it waits as long as it takes. */
  deadline: string | null;
  /** What is to be decided, in a few words. */
  topic: string;
  /** All that a human needs to know. */
  content: string;
  /** None where only words decide. */
  options: InboxOption[];
  /** What stands still: the agent that waits, and the open issues that wait for this one. */
  blocks: string[];
}

/** Where entries come from. */
export interface InboxSources {
  /** All clarifications. */
  clarifications: readonly ClarificationRecord[];
  /** Questions of the gate that are open. */
  questions: readonly OpenRequest[];
  /** Assumptions of high risk that nobody has confirmed or reverted. */
  risks: readonly Assumption[];
  /** All issues. */
  issues: readonly Issue[];
}

/** What a human decides about an assumption. */
export const JUDGEMENTS: readonly InboxOption[] = [
  { label: "a", text: "confirm: it is right" },
  { label: "b", text: "revert: it is wrong" },
];

/**
 * Collects what waits for a human.
 *
 * @param sources as they are now
 * @returns that behind which most stands still first; of equals, the oldest
 */
export function inboxOf({ clarifications, questions, risks, issues }: InboxSources): InboxEntry[] {
  const waiting = waitersOf(issues);
  const entries = [
    ...clarifications.filter(({ status, foreign }) => status === "escalated" && foreign !== true)
      .map((record) => escalationEntry(record, waiting)),
    ...questions.map((question) => questionEntry(question, waiting)),
    ...risks.map(assumptionEntry),
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
    content: escalation?.body ?? topic,
    options: lettersOf(record).map(({ letter, text }) => ({ label: letter, text })),
    blocks: blocking ? [`${agent} on #${issue}`, ...waiting(issue)] : [],
  };
}

function questionEntry(
  { id, created, deadline, interaction, agent, issue }: OpenRequest,
  waiting: Waiting,
): InboxEntry {
  const { content, request } = interaction;
  return {
    id,
    kind: "question",
    issue,
    agent,
    created,
    deadline,
    topic: request.question,
    content,
    options: request.options.map(({ label, text }) => ({ label, text })),
    blocks: [`${agent} on #${issue}`, ...waiting(issue)],
  };
}

/** Nobody waits: the agent went on. */
function assumptionEntry(assumption: Assumption): InboxEntry {
  const { id, issue, agent, created, decision, reasoning, risk_if_wrong: risk } = assumption;
  return {
    id,
    kind: "assumption",
    issue,
    agent,
    created,
    deadline: null,
    topic: decision,
    content: `Assumed: ${decision}\nBecause: ${reasoning}\nIf it is wrong: ${risk}`,
    options: [...JUDGEMENTS],
    blocks: [],
  };
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
