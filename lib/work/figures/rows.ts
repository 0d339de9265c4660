/**
 * The figures that the documents name: the target of each, how it is measured, or why it is not. Pure.
 *
 * @module
 */

import { roleOf } from "../../base/agent_names.ts";
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
  part,
  quantile,
  type Reading,
  shareOf,
  sumOf,
  tasksThatAsked,
  timesToAnswer,
  total,
  wasEscalated,
} from "./measures.ts";

/** What the value of a figure counts; a share is from 0 to 1. */
export type Unit = "count" | "share" | "average" | "ms" | "tokens";

/** Bounds of what a figure should be. */
export interface Target {
  above?: number;
  below?: number;
  min?: number;
  max?: number;
}

/** A figure that the documents name. */
export interface Row {
  label: string;
  unit: Unit;
  /** How it is measured; of one that is not, why. */
  measure: string;
  target?: Target;
  /** Left out where it cannot be measured. */
  read?: (facts: Facts) => Reading;
}

/** By name, in the order in which they are shown. */
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
    measure: "Of the clarifications that are over or with a human",
    read: ({ clarifications }) =>
      shareOf(clarifications.filter((one) => !isWithAgents(one)), isWithoutHuman),
  },
  escalated: {
    label: "Escalated",
    unit: "share",
    target: { below: 0.2 },
    measure: "Of all clarifications, whatever became of them",
    read: ({ clarifications }) => shareOf(clarifications, wasEscalated),
  },
  open: {
    label: "Open among agents",
    unit: "count",
    measure: "Wait for an agent now",
    read: ({ clarifications }) => clarifications.filter(isWithAgents).length,
  },
  rounds: {
    label: "Rounds",
    unit: "average",
    target: { min: 2, max: 3 },
    measure: "Of a resolved clarification",
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
    measure: "As before; agents that work in sessions answer when they look",
    read: ({ clarifications }) => quantile(clarifications.flatMap(timesToAnswer), 0.9),
  },
  stale: {
    label: "Stale",
    unit: "count",
    target: { max: 0 },
    measure: "Clarifications that waited too long, by the log",
    read: ({ log }) =>
      new Set(named(log, "clarification-stale").map(({ clarificationId: id }) => id)).size,
  },
  stuck: {
    label: "Stuck",
    unit: "count",
    measure: "Clarifications that went round in circles, by the log",
    read: ({ log }) => sumOf(named(log, "monitor"), "stuckCount"),
  },
  deadlocks: {
    label: "Deadlocks",
    unit: "count",
    target: { max: 0 },
    measure: "Clarifications that were escalated to break one, by the log",
    read: ({ log }) => sumOf(named(log, "monitor"), "deadlockedCount"),
  },
  tasksThatAsked: {
    label: "Tasks that asked a human",
    unit: "share",
    target: { below: 0.05 },
    measure: "Of the issues that were changed or asked about; standing answers asked nobody",
    read: tasksThatAsked,
  },
  firstPass: {
    label: "Valid at the first check",
    unit: "share",
    measure: "Of the roles that had their work on an issue checked, by the log",
    read: firstPass,
  },
  rejections: {
    label: "Reviews that sent back",
    unit: "share",
    target: { below: 0.15 },
    measure: "Of all reviews, whatever the reason: nobody records which was a misunderstanding",
    read: ({ steps }) =>
      shareOf(steps.filter((one) => isReturn(one) || roleOf(one.by) === "reviewer"), isReturn),
  },
  rework: {
    label: "Rework cycles",
    unit: "average",
    target: { below: 1.5 },
    measure: "Times an issue was sent back, of issues that were worked on",
    read({ steps, closed }) {
      const issues = new Set([...steps, ...closed].map(issueOf)).size;
      return issues === 0 ? null : steps.filter(isReturn).length / issues;
    },
  },
  timePerStep: {
    label: "Time of a step, median",
    unit: "ms",
    measure: "From its claim until it was done",
    read: ({ steps }) => quantile(steps.flatMap(({ tookMs }) => tookMs ?? []), 0.5),
  },
  closed: {
    label: "Issues closed",
    unit: "count",
    measure: "Closed in the period, and not reopened",
    read: ({ closed }) => closed.length,
  },
  timePerIssue: {
    label: "Time of an issue, median",
    unit: "ms",
    measure: "From its first start until it was closed",
    read: ({ closed }) => quantile(closed.flatMap(({ cycleMs }) => cycleMs ?? []), 0.5),
  },
  commits: {
    label: "Commits that name an issue",
    unit: "share",
    target: { min: 1 },
    measure: "Of the commits of the current branch; merges do not count",
    read: ({ commits }) => commits && shareOf(commits, ({ namesIssue }) => namesIssue),
  },
  stored: {
    label: "Observations stored",
    unit: "count",
    measure: "By the log",
    read: ({ log }) => sumOf(named(log, "memory-stored"), "count"),
  },
  captureFailures: {
    label: "Captures that failed",
    unit: "count",
    target: { max: 0 },
    measure: "By the log",
    read: ({ log }) => named(log, "memory-captured").filter(({ code }) => code != null).length,
  },
  captureP95: {
    label: "Capture, p95",
    unit: "ms",
    measure: "By the log; reading the session is part of it",
    read: ({ log }) => p95Of(log, "memory-captured"),
  },
  recalled: {
    label: "Observations recalled",
    unit: "count",
    measure: "By the log",
    read: ({ log }) => sumOf(named(log, "memory-recalled"), "count"),
  },
  used: {
    label: "Recalled and used",
    unit: "share",
    measure: "Of what was recalled to captured sessions: its words, files or symbols came back",
    read: ({ uses }) => part(total(uses, "used"), total(uses, "recalled")),
  },
  tokensSpared: {
    label: "Tokens spared",
    unit: "tokens",
    measure: "Files that need not be read again, estimated",
    read: ({ uses }) => uses.length === 0 ? null : total(uses, "displacedTokens"),
  },
  primingSaved: {
    label: "Tokens of priming saved",
    unit: "share",
    target: { min: 0.4 },
    measure: "Tokens spared, less those of the recall, of tokens spared; 0 where it cost more",
    read({ uses }) {
      const spared = total(uses, "displacedTokens");
      return part(Math.max(0, spared - total(uses, "recalledTokens")), spared);
    },
  },
  recallP95: {
    label: "Recall, p95",
    unit: "ms",
    target: { below: 500 },
    measure: "By the log: recalls that found something",
    read: ({ log }) => p95Of(log, "memory-recalled"),
  },
  searchP95: {
    label: "Search of memory, p95",
    unit: "ms",
    target: { below: 200 },
    measure: "By the log",
    read: ({ log }) => p95Of(log, "memory-searched"),
  },
  compacted: {
    label: "Observations compacted away",
    unit: "share",
    target: { min: 0.5 },
    measure: "By the log: of those of the issues that were compacted",
    read({ log }) {
      const lines = named(log, "memory-compacted");
      const before = sumOf(lines, "before");
      return part(before - sumOf(lines, "after"), before);
    },
  },
  lockP95: {
    label: "Wait for a lock, p95",
    unit: "ms",
    target: { below: 1_000 },
    measure: "By the log, which has only locks that were not free at once",
    read: ({ log }) => p95Of(log, "lock-waited"),
  },
  lockFailures: {
    label: "Locks not got",
    unit: "count",
    target: { max: 0 },
    measure: "By the log",
    read: ({ log }) => named(log, "lock-failed").length,
  },
  recallAccuracy: {
    label: "Relevant decisions recalled",
    unit: "share",
    target: { min: 0.8 },
    measure: "Which decisions were relevant is for a reader to judge",
  },
  reworkReduced: {
    label: "Less rework by memory",
    unit: "share",
    target: { min: 0.25 },
    measure: "What there was without memory is not known; see rework cycles",
  },
  tokensPerStep: {
    label: "Tokens of a step",
    unit: "tokens",
    measure: "Hosts of agents do not say it in one form, and it is not recorded",
  },
  coverage: {
    label: "Test coverage",
    unit: "share",
    target: { min: 0.8 },
    measure: "Checked with each step that has evidence, and not recorded",
  },
  firstWorkflow: {
    label: "Installation to first workflow",
    unit: "ms",
    target: { below: 300_000 },
    measure: "Nothing is recorded before there is a workspace",
  },
  writeLatency: {
    label: "Write of observations",
    unit: "ms",
    target: { below: 50 },
    measure: "Only whole captures are timed at work; measured by bench/",
  },
  ledgerLatency: {
    label: "Read or write of a ledger",
    unit: "ms",
    target: { below: 100 },
    measure: "Not timed at work; measured by bench/",
  },
  monitorScan: {
    label: "Scan of all ledgers",
    unit: "ms",
    target: { below: 500 },
    measure: "Not timed at work; measured by bench/",
  },
  indexLoad: {
    label: "Load of the memory's index",
    unit: "ms",
    target: { below: 100 },
    measure: "Not timed at work; measured by bench/",
  },
};
