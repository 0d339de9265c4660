// The figures that the documents name and that can be measured: each with its target and its measure. Pure.

import { roleOf } from "../../base/agent_names.ts";
import { isUnanswered } from "../../clarify/schema.ts";
import type { Facts } from "./facts.ts";
import {
  averageOf,
  firstPass,
  isResolved,
  isReturn,
  issueOf,
  isWithAgents,
  isWithoutHuman,
  named,
  p95Of,
  quantile,
  ratioOf,
  type Reading,
  shareOf,
  stepOf,
  sumOf,
  tasksThatAsked,
  timesToAnswer,
  tokensBy,
  total,
  wasEscalated,
} from "./measures.ts";

/** The unit of a figure; a share is a number from 0 to 1. */
export type Unit = "count" | "share" | "average" | "ms" | "tokens";

/** The limits of a good value. */
export interface FigureTarget {
  above?: number;
  below?: number;
  min?: number;
  max?: number;
}

/** One figure of the table: how it is shown and how it is read from facts. */
export interface Row {
  label: string;
  unit: Unit;
  /** How the figure is measured, for people. */
  measure: string;
  target?: FigureTarget;
  read: (facts: Facts) => Reading;
}

/** All rows by name, in display order. */
export const ROWS: Readonly<Record<string, Row>> = {
  clarifications: {
    label: "Clarifications",
    unit: "count",
    measure: "Asked in the period",
    read: ({ clarifications }) => clarifications.length,
  },
  resolvedWithoutHuman: {
    label: "Resolved without a human",
    unit: "share",
    target: { above: 0.8 },
    measure: "Of clarifications that were resolved or went to a human, not of abandoned ones",
    read: ({ clarifications }) =>
      shareOf(
        clarifications.filter((one) => !isWithAgents(one) && one.status !== "abandoned"),
        isWithoutHuman,
      ),
  },
  escalated: {
    label: "Escalated",
    unit: "share",
    target: { below: 0.2 },
    measure: "Of all clarifications, whatever became of them",
    read: ({ clarifications }) => shareOf(clarifications, wasEscalated),
  },
  open: {
    label: "Waiting for an agent",
    unit: "count",
    measure: "Clarifications of the period that no agent has answered yet, as in agentx status",
    read: ({ clarifications }) =>
      clarifications.filter((one) => isWithAgents(one) && isUnanswered(one)).length,
  },
  rounds: {
    label: "Rounds",
    unit: "average",
    target: { min: 2, max: 3 },
    measure: "Average of resolved clarifications",
    read: ({ clarifications }) =>
      averageOf(clarifications.filter(isResolved).map(({ round }) => round)),
  },
  timeToAnswer: {
    label: "Time to answer, median",
    unit: "ms",
    measure: "From each question to its first answer",
    read: ({ clarifications }) => quantile(clarifications.flatMap(timesToAnswer), 0.5),
  },
  timeToAnswerP90: {
    label: "Time to answer, 90% within",
    unit: "ms",
    target: { below: 15_000 },
    measure: "As the median; an agent in a session answers when it gets to it",
    read: ({ clarifications }) => quantile(clarifications.flatMap(timesToAnswer), 0.9),
  },
  stale: {
    label: "Stale",
    unit: "count",
    target: { max: 0 },
    measure: "Log: clarifications that waited too long",
    read: ({ log }) =>
      new Set(named(log, "clarification-stale").map(({ clarificationId: id }) => id)).size,
  },
  stuck: {
    label: "Stuck",
    unit: "count",
    measure: "Log: clarifications that went in circles",
    read: ({ log }) => sumOf(named(log, "monitor"), "stuckCount"),
  },
  deadlocks: {
    label: "Deadlocks",
    unit: "count",
    target: { max: 0 },
    measure: "Log: clarifications escalated to break a deadlock",
    read: ({ log }) => sumOf(named(log, "monitor"), "deadlockedCount"),
  },
  tasksThatAsked: {
    label: "Tasks that asked a human",
    unit: "share",
    target: { below: 0.05 },
    measure: "Of issues that were changed or asked about; standing answers do not count",
    read: tasksThatAsked,
  },
  firstPass: {
    label: "First-pass validation",
    unit: "share",
    measure: "Log: first check of each role on each issue",
    read: firstPass,
  },
  rejections: {
    label: "Review rejections",
    unit: "share",
    target: { below: 0.15 },
    measure: "Of all reviews; which ones were due to a misunderstanding is not recorded",
    read: ({ steps }) =>
      shareOf(steps.filter((one) => isReturn(one) || roleOf(one.by) === "reviewer"), isReturn),
  },
  rework: {
    label: "Rework cycles",
    unit: "average",
    target: { below: 1.5 },
    measure: "How often an issue was sent back, on average of issues that were worked on",
    read({ steps, closed }) {
      const issues = new Set([...steps, ...closed].map(issueOf)).size;
      return issues === 0 ? null : steps.filter(isReturn).length / issues;
    },
  },
  timePerStep: {
    label: "Time per step, median",
    unit: "ms",
    measure: "From claim to validation",
    read: ({ steps }) => quantile(steps.flatMap(({ tookMs }) => tookMs ?? []), 0.5),
  },
  tokensPerStep: {
    label: "Tokens per step, median",
    unit: "tokens",
    measure:
      "Log: runs of workflow run, repeated ones included; an estimate where the host reports none",
    read: ({ log }) => quantile(tokensBy(log, stepOf), 0.5),
  },
  closed: {
    label: "Issues closed",
    unit: "count",
    measure: "Closed in the period, and not reopened",
    read: ({ closed }) => closed.length,
  },
  timePerIssue: {
    label: "Time per issue, median",
    unit: "ms",
    measure: "From first start to close",
    read: ({ closed }) => quantile(closed.flatMap(({ cycleMs }) => cycleMs ?? []), 0.5),
  },
  tokensPerIssue: {
    label: "Tokens per issue, median",
    unit: "tokens",
    measure: "Log: as per step, for all runs of an issue in the period",
    read: ({ log }) => quantile(tokensBy(log, ({ issueNumber }) => `${issueNumber}`), 0.5),
  },
  commits: {
    label: "Commits that name an issue",
    unit: "share",
    target: { min: 1 },
    measure: "Of commits on the current branch, without merges and those of the issues themselves",
    read: ({ commits }) => commits && shareOf(commits, ({ namesIssue }) => namesIssue),
  },
  stored: {
    label: "Observations stored",
    unit: "count",
    measure: "Log",
    read: ({ log }) => sumOf(named(log, "memory-stored"), "count"),
  },
  captureFailures: {
    label: "Failed captures",
    unit: "count",
    target: { max: 0 },
    measure: "Log",
    read: ({ log }) => named(log, "memory-captured").filter(({ code }) => code != null).length,
  },
  captureP95: {
    label: "Capture, p95",
    unit: "ms",
    measure: "Log; includes reading the session",
    read: ({ log }) => p95Of(log, "memory-captured"),
  },
  recalled: {
    label: "Observations recalled",
    unit: "count",
    measure: "Log",
    read: ({ log }) => sumOf(named(log, "memory-recalled"), "count"),
  },
  used: {
    label: "Recalled and used",
    unit: "share",
    measure:
      "Of observations recalled to captured sessions: words, files or symbols of theirs came back",
    read: ({ uses }) => ratioOf(total(uses, "used"), total(uses, "recalled")),
  },
  tokensSpared: {
    label: "Tokens saved by recall",
    unit: "tokens",
    measure: "Estimate: files that did not have to be read again",
    read: ({ uses }) => uses.length === 0 ? null : total(uses, "displacedTokens"),
  },
  primingSaved: {
    label: "Priming tokens saved",
    unit: "share",
    target: { min: 0.4 },
    measure:
      "Tokens saved by recall minus tokens of the recall, as a share of the former; at least 0",
    read({ uses }) {
      const spared = total(uses, "displacedTokens");
      return ratioOf(Math.max(0, spared - total(uses, "recalledTokens")), spared);
    },
  },
  recallP95: {
    label: "Recall, p95",
    unit: "ms",
    target: { below: 500 },
    measure: "Log: recalls that found something",
    read: ({ log }) => p95Of(log, "memory-recalled"),
  },
  searchP95: {
    label: "Search of memory, p95",
    unit: "ms",
    target: { below: 200 },
    measure: "Log",
    read: ({ log }) => p95Of(log, "memory-searched"),
  },
  compacted: {
    label: "Reduction by compaction",
    unit: "share",
    target: { min: 0.5 },
    measure: "Log: of the observations of compacted issues",
    read({ log }) {
      const lines = named(log, "memory-compacted");
      const before = sumOf(lines, "before");
      return ratioOf(before - sumOf(lines, "after"), before);
    },
  },
  lockP95: {
    label: "Wait for a lock, p95",
    unit: "ms",
    target: { below: 1_000 },
    measure: "Log, which has only locks that were not free at once",
    read: ({ log }) => p95Of(log, "lock-waited"),
  },
  lockFailures: {
    label: "Lock timeouts",
    unit: "count",
    target: { max: 0 },
    measure: "Log",
    read: ({ log }) => named(log, "lock-failed").length,
  },
};
