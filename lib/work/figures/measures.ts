// Functions that count and measure facts. Pure.

import { HUMAN, roleOf } from "../../base/agent_names.ts";
import { type ClarificationRecord, isActive, issueNumberOf } from "../../clarify/schema.ts";
import type { LogLine } from "../../events/follower.ts";
import type { Facts } from "./facts.ts";

/** The raw value of a row: a number, a part of a whole, or null if there is no data. */
export type Reading = number | null | { count: number; of: number };

export function isResolved({ status }: ClarificationRecord): boolean {
  return status === "resolved";
}

export function wasEscalated({ status, thread }: ClarificationRecord): boolean {
  return status === "escalated" || thread.some(({ type }) => type === "escalation");
}

export function isWithAgents(record: ClarificationRecord): boolean {
  return isActive(record) && !wasEscalated(record);
}

export function isWithoutHuman(record: ClarificationRecord): boolean {
  return isResolved(record) && !wasEscalated(record) &&
    record.thread.every(({ from }) => from !== HUMAN);
}

/** Returns one time per answered round. A negative time, from a clock that was set back, is left out. */
export function timesToAnswer({ thread }: ClarificationRecord): number[] {
  const nextAnswers = new Map<number, string>();
  return thread.toReversed().flatMap(({ type, round, timestamp }) => {
    if (type === "answer") nextAnswers.set(round, timestamp);
    if (type !== "question") return [];
    const ms = Date.parse(nextAnswers.get(round) ?? "") - Date.parse(timestamp);
    return ms >= 0 ? [ms] : [];
  });
}

export function tasksThatAsked({ questions, changes, clarifications }: Facts): Reading {
  const asked = new Set(
    questions.filter(({ standing }) => standing === null).map(({ request }) => request.issue),
  );
  const ledgers = clarifications.map(({ id }) => issueNumberOf(id));
  const tasks = [...asked, ...ledgers, ...changes.map(({ issueNumber }) => issueNumber)];
  return { count: asked.size, of: new Set(tasks).size };
}

export function firstPass({ log }: Facts): Reading {
  const first = new Map<string, LogLine>();
  for (const line of named(log, "validation-result")) {
    const key = `${line.issueNumber} ${roleOf(`${line.agent}`)}`;
    if (!first.has(key)) first.set(key, line);
  }
  return shareOf([...first.values()], ({ passed }) => passed === true);
}

/** Returns a key for the issue and step of a log line. */
export function stepOf({ issueNumber, taskId }: LogLine): string {
  return `${issueNumber} ${taskId}`;
}

/** Adds up the tokens of runs by key. */
export function tokensBy(
  log: readonly LogLine[],
  keyOf: (line: LogLine) => string,
): number[] {
  const sums = new Map<string, number>();
  for (const line of named(log, "validation-result")) {
    if (typeof line.totalTokens !== "number") continue;
    sums.set(keyOf(line), (sums.get(keyOf(line)) ?? 0) + line.totalTokens);
  }
  return [...sums.values()];
}

export function isReturn({ what }: Facts["steps"][number]): boolean {
  return what === "returned";
}

export function issueOf(one: { issueNumber: number } | { number: number }): number {
  return "number" in one ? one.number : one.issueNumber;
}

export function named(log: readonly LogLine[], operation: string): LogLine[] {
  return log.filter((line) => line.operation === operation);
}

export function p95Of(log: readonly LogLine[], operation: string): number | null {
  const times = named(log, operation).map(({ durationMs }) => durationMs);
  return quantile(times.filter((ms) => typeof ms === "number"), 0.95);
}

export function sumOf(lines: readonly LogLine[], field: string): number {
  return lines.reduce((sum, line) => sum + (Number(line[field]) || 0), 0);
}

export function total<Key extends string>(all: readonly Record<Key, number>[], key: Key): number {
  return all.reduce((sum, one) => sum + one[key], 0);
}

export function ratioOf(count: number, of: number): Reading {
  return { count, of };
}

export function shareOf<T>(all: readonly T[], isCounted: (one: T) => boolean): Reading {
  return ratioOf(all.filter(isCounted).length, all.length);
}

export function averageOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Returns a quantile by linear interpolation between the two nearest values; null for an empty list. */
export function quantile(numbers: readonly number[], portion: number): number | null {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * portion;
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position - Math.floor(position));
}
