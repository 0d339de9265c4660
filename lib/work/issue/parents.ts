// The tree of issues and their parts: an epic, its features, their stories. Pure.
//
// If two branches make two issues parts of each other, the result is a cycle. Such a cycle is cut at its lowest
// number, so that every issue is shown once.

import { addTo } from "../../base/groups.ts";
import { isOpen, type Issue } from "./issue.ts";

/** How many of the issues or criteria below something are done. */
export interface Progress {
  done: number;
  all: number;
}

/** The parents and parts of issues. */
export interface Family {
  /** The issues without a parent, by number. */
  roots: readonly Issue[];
  /** The parent of each issue, by the uid of the part. */
  parentOf: ReadonlyMap<string, Issue>;
  /** The parts of each issue that has any, by the uid of the parent. */
  partsOf: ReadonlyMap<string, readonly Issue[]>;
  /** The cycles that were cut: each issue is a part of the next, and the last is a part of the first. */
  cycles: number[][];
}

/** Finds the parents and parts of issues. A parent that does not exist is ignored. */
export function familyOf(issues: readonly Issue[]): Family {
  const known = new Map(issues.map((issue) => [issue.uid, issue]));
  const parentOf = new Map<string, Issue>();
  for (const { uid, parent } of issues) {
    const found = parent === null ? undefined : known.get(parent);
    if (found !== undefined) parentOf.set(uid, found);
  }
  const cycles = cutCycles(issues, parentOf);
  const partsOf = new Map<string, Issue[]>();
  for (const issue of issues) {
    const parent = parentOf.get(issue.uid);
    if (parent !== undefined) addTo(partsOf, parent.uid, issue);
  }
  return { roots: issues.filter(({ uid }) => !parentOf.has(uid)), parentOf, partsOf, cycles };
}

/** Cuts the cycles in place, and returns them. Each issue is visited once. */
function cutCycles(issues: readonly Issue[], parentOf: Map<string, Issue>): number[][] {
  const cycles: number[][] = [];
  const seen = new Set<string>();
  for (const start of issues) {
    const path: Issue[] = [];
    let issue: Issue | undefined = start;
    for (; issue !== undefined && !seen.has(issue.uid); issue = parentOf.get(issue.uid)) {
      seen.add(issue.uid);
      path.push(issue);
    }
    const cycle = issue === undefined ? [] : path.slice(path.indexOf(issue));
    if (cycle.length === 0 || !path.includes(issue!)) continue;
    const numbers = cycle.map(({ number }) => number);
    const lowest = numbers.indexOf(Math.min(...numbers));
    parentOf.delete(cycle[lowest].uid);
    cycles.push([...numbers.slice(lowest), ...numbers.slice(0, lowest)]);
  }
  return cycles;
}

/** A row of the issue tree. */
export interface TreeRow {
  issue: Issue;
  /** Distance from the root, which has 0. */
  depth: number;
}

/** Returns the rows of the given issues and all their parts, each issue before its parts. */
export function rowsBelow(roots: readonly Issue[], { partsOf }: Family): TreeRow[] {
  const rows: TreeRow[] = [];
  const todo = roots.map((issue) => ({ issue, depth: 0 })).reverse();
  for (let row = todo.pop(); row !== undefined; row = todo.pop()) {
    rows.push(row);
    const depth = row.depth + 1;
    todo.push(...(partsOf.get(row.issue.uid) ?? []).map((issue) => ({ issue, depth })).reverse());
  }
  return rows;
}

/** Counts the leaves below each issue that has parts, by uid. */
export function rollUps(family: Family): Map<string, Progress> {
  const sums = new Map<string, Progress>();
  for (const { issue } of rowsBelow(family.roots, family).reverse()) {
    const { done, all } = sums.get(issue.uid) ?? { done: Number(!isOpen(issue)), all: 1 };
    const parent = family.parentOf.get(issue.uid);
    if (parent === undefined) continue;
    const above = sums.get(parent.uid) ?? { done: 0, all: 0 };
    sums.set(parent.uid, { done: above.done + done, all: above.all + all });
  }
  return sums;
}

/** Returns whether the issue `parent` is the issue `uid` itself or below it. */
export function isBelow(
  parent: string,
  uid: string,
  find: (uid: string) => Issue | undefined,
): boolean {
  const seen = new Set<string>();
  for (let above: string | null = parent; above !== null && !seen.has(above);) {
    if (above === uid) return true;
    seen.add(above);
    above = find(above)?.parent ?? null;
  }
  return false;
}
