// The acceptance criteria of an issue: the task list under a heading of that name in its body. Pure.

import { outlineOf } from "../../text/outline.ts";
import type { Progress } from "./parents.ts";

/** One acceptance criterion. */
export interface Criterion {
  /** Its words. */
  text: string;
  /** Whether it is ticked; `[~]` (begun) and `[-]` (given up) are not. */
  isDone: boolean;
  /** The line of the body, from 1. */
  line: number;
}

const HEADING = /^[*_]*acceptance criteria[*_]*:?[*_]*$/i;
const ITEM = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX~-])(\]\s+)(.*)$/;

/** The items of the task lists under "Acceptance criteria", in order. */
export function criteriaOf(body: string): Criterion[] {
  if (!/acceptance criteria/i.test(body)) return [];
  const criteria: Criterion[] = [];
  let level = 0; // of the heading; 0 outside of the section
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

/** How many criteria are ticked; undefined if the issue has none. */
export function criteriaCount(body: string): Progress | undefined {
  const criteria = criteriaOf(body);
  if (criteria.length === 0) return undefined;
  return { done: criteria.filter(({ isDone }) => isDone).length, all: criteria.length };
}

/**
 * The body with one criterion, counted from 1, ticked or not; undefined if there is no such
 * criterion.
 */
export function withCriterion(body: string, item: number, isDone: boolean): string | undefined {
  const criterion = criteriaOf(body)[item - 1];
  if (criterion === undefined) return undefined;
  const parts = body.split(/(\r?\n)/); // lines, and what ends them
  const index = 2 * (criterion.line - 1);
  parts[index] = parts[index].replace(ITEM, `$1${isDone ? "x" : " "}$3$4`);
  return parts.join("");
}
