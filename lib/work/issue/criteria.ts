// The acceptance criteria of an issue: the task list under the heading "Acceptance criteria" of its body. Pure.

import { outlineOf } from "../../text/outline.ts";
import type { Progress } from "./parents.ts";

/** One acceptance criterion. */
export interface Criterion {
  text: string;
  /** Whether the item is ticked; `[~]` (begun) and `[-]` (given up) do not count. */
  isDone: boolean;
  /** Line number in the body, from 1. */
  line: number;
}

const HEADING = /^[*_]*acceptance criteria[*_]*:?[*_]*$/i;
const ITEM = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX~-])(\]\s+)(.*)$/;

/** Returns the items of the task lists under "Acceptance criteria", in order. */
export function criteriaOf(body: string): Criterion[] {
  if (!/acceptance criteria/i.test(body)) return [];
  const criteria: Criterion[] = [];
  let level = 0; // level of the section's heading; 0 outside of the section
  for (const { line, text, heading } of outlineOf(body)) {
    if (heading !== null) {
      if (HEADING.test(heading.title)) level = heading.level;
      else if (heading.level <= level) level = 0;
      continue;
    }
    const [, , mark, , words] = level === 0 ? [] : ITEM.exec(text) ?? [];
    if (mark !== undefined) {
      criteria.push({ text: words.trim(), isDone: mark.toLowerCase() === "x", line });
    }
  }
  return criteria;
}

/** Counts the ticked criteria; undefined if the issue has no criteria. */
export function criteriaCount(body: string): Progress | undefined {
  const criteria = criteriaOf(body);
  if (criteria.length === 0) return undefined;
  return { done: criteria.filter(({ isDone }) => isDone).length, all: criteria.length };
}

/**
 * Returns the body with a criterion ticked or unticked; undefined if the criterion does not exist. Criteria are
 * counted from 1.
 */
export function withCriterion(body: string, item: number, isDone: boolean): string | undefined {
  const criterion = criteriaOf(body)[item - 1];
  if (criterion === undefined) return undefined;
  const parts = body.split(/(\r?\n)/); // lines and their line ends
  const index = 2 * (criterion.line - 1);
  parts[index] = parts[index].replace(ITEM, `$1${isDone ? "x" : " "}$3$4`);
  return parts.join("");
}
