// Computes the figures of a period, and of each of its weeks. Pure.

import { countNames, groupBy } from "../../base/groups.ts";
import { roleOf } from "../../base/agent_names.ts";
import { dayOf, formatDuration } from "../../base/time.ts";
import type { Assumption } from "../../gate/assumption.ts";
import { normalizeTopic } from "../../text/topic.ts";
import { type ClosedIssue, type Facts, factsWithin } from "./facts.ts";
import { formatIsoWeek, type IsoWeek, isoWeekOf, weekBounds } from "./iso_week.ts";
import { isReturn, quantile, stepOf, tokensBy } from "./measures.ts";
import { type FigureTarget, ROWS, type Unit } from "./rows.ts";

/** A figure of a period, with its target. */
export interface Figure {
  name: string;
  label: string;
  unit: Unit;
  target: FigureTarget | null;
  /** How the figure is measured. */
  measure: string;
  /** Null if the period has nothing to measure. */
  value: number | null;
  /** The counted part of a share; for a count, the value itself. */
  count: number | null;
  /** The whole that a share is a part of. */
  of: number | null;
  /** Null without a target or a value. */
  isMet: boolean | null;
}

/** A name, and how often it occurred. */
export interface Count {
  name: string;
  /** From 1. */
  count: number;
}

/** Statistics of one workflow step. */
export interface StepFigure {
  step: string;
  /** How often the step was completed. */
  done: number;
  /** Median time from claim to completion; null if no agent claimed the step. */
  medianMs: number | null;
  /** Median of the tokens that one issue used for this step; null if the log has none. */
  medianTokens: number | null;
}

/** Statistics of one period, with the steps, topics and roles that stand out. */
export interface Figures {
  figures: Figure[];
  steps: StepFigure[];
  /** The commonest topics of clarifications, in lower case: at most five. */
  topics: Count[];
  /** The roles that ask most: at most five. */
  asking: Count[];
  /** The roles that are asked most: at most five. */
  asked: Count[];
}

/** Figures of several weeks; the last week ends now. */
export interface WeeklyFigures extends Figures {
  /** The first day, such as `2026-02-23`. */
  from: string;
  /** The last day. */
  to: string;
  weeks: Array<{ week: string; figures: Figure[] }>;
}

/** Computes the figures of a period from its facts. */
export function figuresOf(facts: Facts): Figures {
  const { clarifications } = facts;
  return {
    figures: valuesOf(facts),
    steps: stepFigures(facts),
    topics: commonest(clarifications.map(({ topic }) => normalizeTopic(topic))),
    asking: commonest(clarifications.map(({ from }) => roleOf(from))),
    asked: commonest(clarifications.map(({ to }) => roleOf(to))),
  };
}

/** Computes the figures of all facts, and those of each week from `startMs` to `nowMs`. */
export function weeklyFigures(
  facts: Facts,
  { startMs, nowMs }: { startMs: number; nowMs: number },
): WeeklyFigures {
  const weeks = [];
  for (let ms = startMs; ms <= nowMs;) {
    const week = isoWeekOf(ms);
    const { startMs: from, endMs: to } = weekBounds(week);
    weeks.push({ week: formatIsoWeek(week), figures: valuesOf(factsWithin(facts, from, to)) });
    ms = to;
  }
  return { from: dayOf(startMs), to: dayOf(nowMs), ...figuresOf(facts), weeks };
}

function valuesOf(facts: Facts): Figure[] {
  return Object.entries(ROWS).map(([name, { read, target = null, ...row }]) => {
    const reading = read(facts);
    const isShare = typeof reading === "object" && reading !== null;
    const value = isShare ? reading.of === 0 ? null : reading.count / reading.of : reading;
    const count = isShare ? reading.count : row.unit === "count" ? value : null;
    return {
      name,
      ...row,
      target,
      value,
      count,
      of: isShare ? reading.of : null,
      isMet: target === null || value === null ? null : isWithin(value, target),
    };
  });
}

function isWithin(
  value: number,
  { above = -Infinity, below = Infinity, min = -Infinity, max = Infinity }: FigureTarget,
): boolean {
  return value > above && value < below && value >= min && value <= max;
}

function stepFigures({ steps, log }: Facts): StepFigure[] {
  const byStep = groupBy(steps.filter((one) => !isReturn(one)), ({ step }) => step!);
  return Array.from(byStep, ([step, all]) => ({
    step,
    done: all.length,
    medianMs: quantile(all.flatMap(({ tookMs }) => tookMs ?? []), 0.5),
    medianTokens: quantile(tokensBy(log.filter(({ taskId }) => taskId === step), stepOf), 0.5),
  }));
}
/** Maximum length of a list. A longer list would also name uncommon values. */
const LIST_LENGTH = 5;

/** Counts names: the most frequent first, names with the same count in alphabetical order. */
function commonest(names: readonly string[]): Count[] {
  return countNames([...names].sort()).slice(0, LIST_LENGTH);
}

/** The digest of one week of a workspace. */
export interface Digest extends IsoWeek, Figures {
  /** The Monday of the week, such as `2026-02-23`. */
  from: string;
  /** The Sunday of the week, such as `2026-03-01`. */
  to: string;
  /** The issues that were closed in the week, by number. */
  closedIssues: ClosedIssue[];
  /** The assumptions of the week, oldest first. */
  assumptions: Assumption[];
}

/** Computes the mean time that closed issues spent in each column. */
export function columnTimes(closed: readonly ClosedIssue[]): { label: string; value: string }[] {
  const totals = new Map<string, number>();
  for (const { statusMs } of closed) {
    for (const [status, ms] of Object.entries(statusMs)) {
      totals.set(status, (totals.get(status) ?? 0) + ms);
    }
  }
  return Array.from(totals, ([status, ms]) => {
    return { label: `${status} (mean)`, value: formatDuration(ms / closed.length) };
  });
}
