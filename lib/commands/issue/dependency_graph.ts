// Finds everything that an issue waits for, and everything that waits for it, directly or indirectly. Pure.

import {
  type DependencyGraph,
  dependencyGraph,
  findCycles,
} from "../../work/issue/dependencies.ts";
import type { Issue } from "../../work/issue/issue.ts";

/** An issue among the dependencies of another one. */
export interface Dependency {
  /** The number in the name of the issue's file. */
  number: number;
  /** The title; null if there is no such issue, or it cannot be read. */
  title: string | null;
  /** The status; null if the title is null. */
  status: string | null;
  /** The state; unknown if the title is null. */
  state: "open" | "closed" | "unknown";
}

/** The output of `agentx issue deps`. */
export interface Dependencies {
  /** The requested issue. */
  issue: Dependency;
  /** All issues that it waits for or that wait for it, and the issue itself, by number. */
  issues: Dependency[];
  /** Pairs of these issues: the waiter waits for the blocker. */
  edges: Array<{ waiter: number; blocker: number }>;
  /** Cycles among these issues: each issue waits for the next, and the last for the first. */
  cycles: number[][];
}

/** Returns the dependencies of an issue, direct and indirect. */
export function dependenciesOf(issue: Issue, issues: readonly Issue[]): Dependencies {
  const graph = dependencyGraph(issues);
  const related = relatedTo(issue.number, graph);
  const known = new Map(issues.map((issue) => [issue.number, issue]));
  const numbers = [...related].sort((a, b) => a - b);
  return {
    issue: toDependency(issue.number, issue),
    issues: numbers.map((number) => toDependency(number, known.get(number))),
    edges: numbers.flatMap((waiter) =>
      (graph.blockedBy.get(waiter) ?? [])
        .filter((blocker) => related.has(blocker))
        .map((blocker) => ({ waiter, blocker }))
    ),
    cycles: findCycles(graph).filter((cycle) => cycle.every((number) => related.has(number))),
  };
}

function relatedTo(number: number, { blockedBy, blocks }: DependencyGraph): Set<number> {
  const reach = (links: ReadonlyMap<number, readonly number[]>) => {
    const reached = new Set([number]);
    // A set also iterates over elements added meanwhile: this is a breadth-first search.
    for (const next of reached) links.get(next)?.forEach((other) => reached.add(other));
    return reached;
  };
  return new Set([...reach(blockedBy), ...reach(blocks)]);
}

function toDependency(number: number, issue: Issue | undefined): Dependency {
  const { title = null, status = null, state = "unknown" } = issue ?? {};
  return { number, title, status, state };
}
