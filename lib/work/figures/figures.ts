// The figures of a period, and of its weeks. Pure.

import { countNames, groupBy } from "../../base/groups.ts";
import { roleOf } from "../../base/agent_names.ts";
import { dayOf, formatDuration } from "../../base/time.ts";
import type { Assumption } from "../../gate/assumption.ts";
import { normalizeTopic } from "../../text/topic.ts";
import { type ClosedIssue, type Facts, factsWithin } from "./facts.ts";
import { formatIsoWeek, type IsoWeek, isoWeekOf, weekBounds } from "./iso_week.ts";
import { isReturn, quantile, stepOf, tokensBy } from "./measures.ts";
import { type FigureTarget, ROWS, type Unit } from "./rows.ts";

/** A figure of a period. */
export interface Figure {
  name: string;
  label: string;
  unit: Unit;
  target: FigureTarget | null;
  /** How it is measured. */
  measure: string;
  /** Null where nothing happened that it could be measured by. */
  value: number | null;
  /** The counted part of a share; for a count, the same as the value. */
  count: number | null;
  /** The whole of a share. */
  of: number | null;
  /** Null without a target or a value. */
  isMet: boolean | null;
}

/** How often something occurred. */
export interface Count {
  name: string;
  /** From 1. */
  count: number;
}

/** A step of workflows. */
export interface StepFigure {
  step: string;
  /** How often it was done. */
  done: number;
  /** From its claim until it was done; null where it was not claimed. */
  medianMs: number | null;
  /** The median over all its runs for an issue; null if none is in the log. */
  medianTokens: number | null;
}

/** Figures of a period. */
export interface Figures {
  figures: Figure[];
  steps: StepFigure[];
  /** Topics of clarifications, in lower case: at most five. */
  topics: Count[];
  /** The roles that ask most: at most five. */
  asking: Count[];
  /** The roles that are asked most: at most five. */
  asked: Count[];
}

/** Figures of several weeks, the last one up to now. */
export interface WeeklyFigures extends Figures {
  /** The first day: `2026-02-23`. */
  from: string;
  /** The last day. */
  to: string;
  weeks: Array<{ week: string; figures: Figure[] }>;
}

/** The figures of the facts of a period. */
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

/** The same figures, and the values of each week from a time on. */
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
/** The length of a list: a longer one would name uncommon ones, too. */
const LIST_LENGTH = 5;

/** The most frequent first, and equals by name. */
function commonest(names: readonly string[]): Count[] {
  return countNames([...names].sort()).slice(0, LIST_LENGTH);
}

/** One week of a workspace. */
export interface Digest extends IsoWeek, Figures {
  /** Its Monday: `2026-02-23`. */
  from: string;
  /** Its Sunday: `2026-03-01`. */
  to: string;
  /** The issues closed in the week, by number. */
  closedIssues: ClosedIssue[];
  /** The assumptions of the week, the oldest first. */
  assumptions: Assumption[];
}

/** How long closed issues stood in each column on average, by label. */
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
