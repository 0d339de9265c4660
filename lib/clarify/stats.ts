// Figures about clarifications (SPEC-1 section 12.1, PRD US-7.1). Pure.

import { HUMAN, roleOf } from "../base/agent_names.ts";
import type { ClarificationRecord } from "./schema.ts";

/** How often something occurred. */
export interface Count {
  name: string;
  /** From 1. */
  count: number;
}

/** Figures about a set of clarifications. */
export interface ClarificationStats {
  total: number;
  /** Those that the agents resolved among themselves, without a human. */
  resolvedWithoutHuman: number;
  /** Those that a human answered or decided. */
  resolvedWithHuman: number;
  /** Those that are waiting for an agent or a human. */
  open: number;
  /** Those whose asker moved on without an answer; with the three above, the total. */
  abandoned: number;
  /** Those that a human was ever asked to decide, whatever the end. */
  escalated: number;
  /** Average rounds of a clarification; null if there are none. */
  averageRounds: number | null;
  /** From each question to its first answer, in milliseconds; null if nothing is answered. */
  timeToAnswerMs: { median: number; p90: number } | null;
  /** The most common topics, in lower case: at most five. */
  topics: Count[];
  /** The roles that ask most: at most five. */
  asking: Count[];
  /** The roles that are asked most: at most five. */
  asked: Count[];
}

/** Longer lists say nothing about what is common. */
const LIST_LENGTH = 5;

/** Counts and sums up clarifications. */
export function clarificationStats(records: readonly ClarificationRecord[]): ClarificationStats {
  const total = records.length;
  const rounds = records.reduce((sum, { round }) => sum + round, 0);
  const times = records.flatMap(timesToAnswer).sort((a, b) => a - b);
  const resolved = records.filter(({ status }) => status === "resolved");
  const resolvedWithoutHuman = resolved.filter(isWithoutHuman).length;
  const abandoned = records.filter(({ status }) => status === "abandoned").length;
  return {
    total,
    resolvedWithoutHuman,
    resolvedWithHuman: resolved.length - resolvedWithoutHuman,
    open: total - resolved.length - abandoned,
    abandoned,
    escalated: records.filter(wasEscalated).length,
    averageRounds: total === 0 ? null : rounds / total,
    timeToAnswerMs: times.length === 0
      ? null
      : { median: quantile(times, 0.5), p90: quantile(times, 0.9) },
    topics: commonest(records.map(({ topic }) => normalizeTopic(topic))),
    asking: commonest(records.map(({ from }) => roleOf(from))),
    asked: commonest(records.map(({ to }) => roleOf(to))),
  };
}

/**
 * Makes one topic of those that differ only in how they are written: lower case, single spaces, no
 * punctuation at its ends.
 */
export function normalizeTopic(topic: string): string {
  const words = topic.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  return words.replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, "") || words;
}

function isWithoutHuman(record: ClarificationRecord): boolean {
  return !wasEscalated(record) && record.thread.every(({ from }) => from !== HUMAN);
}

function wasEscalated({ status, thread }: ClarificationRecord): boolean {
  return status === "escalated" || thread.some(({ type }) => type === "escalation");
}

/** One time for each round that was answered; a clock that went backwards gives none. */
function timesToAnswer({ thread }: ClarificationRecord): number[] {
  const nextAnswers = new Map<number, string>();
  return thread.toReversed().flatMap(({ type, round, timestamp }) => {
    if (type === "answer") nextAnswers.set(round, timestamp);
    if (type !== "question") return [];
    const ms = Date.parse(nextAnswers.get(round) ?? "") - Date.parse(timestamp);
    return ms >= 0 ? [ms] : [];
  });
}

/** By linear interpolation between the two nearest. */
function quantile(sorted: readonly number[], part: number): number {
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below + (above - below) * (position - Math.floor(position));
}

/** The most frequent first, and equals by name. */
function commonest(names: readonly string[]): Count[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, LIST_LENGTH);
}
