// Issues as parts of issues: an epic, its features, their stories. Pure.
//
// Two branches can each make one issue a part of the other. Such a circle is cut at its lowest number, so
// that every issue is shown once.

import { addTo } from "../../base/groups.ts";
import { DONE, IN_PROGRESS, isOpen, type Issue, ISSUE_STATUSES } from "./issue.ts";

/** How many of the issues or criteria below something are done. */
export interface Progress {
  /** So many are done. */
  done: number;
  /** Of so many. */
  all: number;
}

/** What the leaves below an issue come to. */
export interface RollUp extends Progress {
  /** Done if the issue is closed; in progress if one of them is begun; else the first column. */
  status: string;
}

/** Which issue is a part of which. */
export interface Family {
  /** The issues that are a part of none, by number. */
  roots: readonly Issue[];
  /** The issue that each is a part of, by uid. */
  parentOf: ReadonlyMap<string, Issue>;
  /** Of each that has parts: those, by number. */
  partsOf: ReadonlyMap<string, readonly Issue[]>;
  /** Circles that a merge made: each is a part of the next, the last a part of the first. */
  cycles: number[][];
}

/** Which issue is a part of which; an unknown parent does not count. */
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

/** Each issue is walked over once. */
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

/** An issue in a tree. */
export interface TreeRow {
  /** The issue. */
  issue: Issue;
  /** 0 for the root. */
  depth: number;
}

/** The issues and everything below them, each before its parts. */
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

/** The progress of each issue that has parts, by uid. */
export function rollUps(family: Family): Map<string, RollUp> {
  const sums = new Map<string, Progress & { begun: number }>();
  for (const { issue } of rowsBelow(family.roots, family).reverse()) {
    const isDone = !isOpen(issue);
    const sum = sums.get(issue.uid) ??
      { done: Number(isDone), all: 1, begun: Number(isDone || issue.status === IN_PROGRESS) };
    sums.set(issue.uid, sum);
    const parent = family.parentOf.get(issue.uid);
    if (parent === undefined) continue;
    const above = sums.get(parent.uid) ?? { done: 0, all: 0, begun: 0 };
    above.done += sum.done;
    above.all += sum.all;
    above.begun += sum.begun;
    sums.set(parent.uid, above);
  }
  return new Map(
    rowsBelow(family.roots, family).filter(({ issue: { uid } }) => family.partsOf.has(uid))
      .map(({ issue }) => {
        const { done, all, begun } = sums.get(issue.uid)!;
        const open = begun > 0 ? IN_PROGRESS : ISSUE_STATUSES[0];
        return [issue.uid, { done, all, status: isOpen(issue) ? open : DONE }];
      }),
  );
}

/** Whether a new parent would make an issue a part of itself. */
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
