// The dependencies between issues, from labels such as `blocked_by:#12` and from the section "## Dependencies" of
// the body ("Blocked by #12, #13", "Blocks #14"). Pure.

import { addTo } from "../../base/groups.ts";
import { cyclesIn } from "../../base/cycles.ts";
import { enumerate } from "../../base/quote.ts";
import { isOpen, type Issue } from "./issue.ts";
import { type OutlineLine, outlineOf } from "../../text/outline.ts";

/** The links of one issue. */
export interface IssueLinks {
  /** The issues that it waits for. */
  blockedBy: number[];
  /** The issues that wait for it. */
  blocks: number[];
  /** The issues of other projects that this issue waits for, such as `owner/repo#12`. */
  elsewhere: string[];
}

/** The dependencies between issues, combined from the links of both sides. */
export interface DependencyGraph {
  /** The numbers of the issues that each issue waits for, in ascending order. */
  blockedBy: ReadonlyMap<number, readonly number[]>;
  /** The numbers of the issues that wait for each issue, in ascending order. */
  blocks: ReadonlyMap<number, readonly number[]>;
}

type LinkKind = "blockedBy" | "blocks";

const LABEL = /^(blocked[_-]by|blocks):#?([1-9]\d{0,8})$/i;
const HAS_SECTION = /^ {0,3}#{2,}[ \t]+Dependencies\b/im;
const STATEMENT = /^\s*(?:[-*+]\s+)?(?:\[[ xX~-]\]\s+)?[*_]*(?=blocked[ _-]by\b|blocks\b)/i;
/** Matches the number of a local issue, but not an issue of another project or a part of a URL. */
const NUMBER = String.raw`(?<![\w/#&])#([1-9]\d{0,8})\b`;
/** Matches an issue of another project, by its repository or by the name that a person gave the project here. */
const ELSEWHERE = String.raw`[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?#[1-9]\d{0,8}\b`;
const LABEL_ELSEWHERE = new RegExp(`^blocked[_-]by:(${ELSEWHERE})$`, "i");
const WORD = new RegExp(
  String.raw`(blocked[ _-]by|blocks)\b|${NUMBER}|(?<![\w/#&.:-])(${ELSEWHERE})`,
  "gi",
);
const REFERENCE = new RegExp(NUMBER, "g");

/** Returns the issues that an issue's labels and body name, each once. */
export function linksOf({ labels, body }: Pick<Issue, "labels" | "body">): IssueLinks {
  const links = { blockedBy: new Set<number>(), blocks: new Set<number>() };
  const elsewhere = new Set(labels.flatMap((label) => LABEL_ELSEWHERE.exec(label)?.[1] ?? []));
  for (const label of labels) {
    const [, word, number] = LABEL.exec(label) ?? [];
    if (word !== undefined) links[kindOf(word)].add(Number(number));
  }
  for (const { text } of dependencyLines(body)) {
    let kind: LinkKind = "blockedBy";
    for (const [, word, number, other] of text.matchAll(WORD)) {
      if (word !== undefined) kind = kindOf(word);
      else if (number !== undefined) links[kind].add(Number(number));
      else if (kind === "blockedBy") elsewhere.add(other); // waiting issues of other projects name ours
    }
  }
  const { blockedBy, blocks } = links;
  return { blockedBy: [...blockedBy], blocks: [...blocks], elsewhere: [...elsewhere] };
}

/** Returns the label that makes an issue wait for `blocker`; undefined if no label does. */
export function waitLabelOf(
  { labels }: Pick<Issue, "labels">,
  blocker: number,
): string | undefined {
  return labels.find((label) => {
    const [, word, number] = LABEL.exec(label) ?? [];
    return word !== undefined && kindOf(word) === "blockedBy" && Number(number) === blocker;
  });
}

/** Returns the body with the numbers under "## Dependencies" replaced. */
export function replaceReferences(body: string, replacement: (number: number) => string): string {
  const parts = body.split(/(\r?\n)/); // lines and their line ends
  for (const { line } of dependencyLines(body)) {
    const index = 2 * (line - 1);
    parts[index] = parts[index].replace(REFERENCE, (_, number) => replacement(Number(number)));
  }
  return parts.join("");
}

/** Builds the dependency graph. It includes issues that exist only in the links of other issues. */
export function dependencyGraph(issues: readonly Issue[]): DependencyGraph {
  const blockedBy = new Map<number, number[]>();
  const blocks = new Map<number, number[]>();
  const link = (waiter: number, blocker: number) => {
    addTo(blockedBy, waiter, blocker);
    addTo(blocks, blocker, waiter);
  };
  for (const issue of issues) {
    const links = linksOf(issue);
    links.blockedBy.forEach((blocker) => link(issue.number, blocker));
    links.blocks.forEach((waiter) => link(waiter, issue.number));
  }
  return { blockedBy: sorted(blockedBy), blocks: sorted(blocks) };
}

/**
 * Returns the open issues that an issue waits for. Issues that cannot be found are included, because they may be
 * open.
 */
export function openBlockers(
  issue: Issue,
  graph: DependencyGraph,
  known: ReadonlyMap<number, Issue>,
): number[] {
  return (graph.blockedBy.get(issue.number) ?? []).filter((number) => {
    const blocker = known.get(number);
    return blocker === undefined || isOpen(blocker);
  });
}

/**
 * Finds cycles of issues that wait for each other, as {@linkcode cyclesIn} does.
 *
 * @returns each cycle once, starting at its lowest number; each issue waits for the next, and the last for the first
 */
export function findCycles({ blockedBy }: DependencyGraph): number[][] {
  const inOrder = new Map([...blockedBy].sort(([a], [b]) => a - b));
  return cyclesIn(inOrder).map(fromLowest);
}

/** Formats a cycle for people: `#3 -> #4 -> #3`, where `->` means "waits for". */
export function formatCycle(cycle: readonly number[]): string {
  return `${enumerate(cycle.map((number) => `#${number}`), " -> ")} -> #${cycle[0]}`;
}

/** Yields the statements under "## Dependencies", up to the next heading of the same or a higher level. */
function* dependencyLines(body: string): Generator<OutlineLine> {
  if (!HAS_SECTION.test(body)) return;
  let sectionLevel: number | undefined;
  for (const each of outlineOf(body)) {
    const { text, heading } = each;
    if (heading !== null && (sectionLevel === undefined || heading.level <= sectionLevel)) {
      const isStart = heading.level >= 2 && /^dependencies:?$/i.test(heading.title);
      sectionLevel = isStart ? heading.level : undefined;
    } else if (sectionLevel !== undefined && STATEMENT.test(text)) {
      yield each;
    }
  }
}

function kindOf(word: string): LinkKind {
  return word.toLowerCase() === "blocks" ? "blocks" : "blockedBy";
}

function sorted(map: Map<number, number[]>): Map<number, number[]> {
  return new Map(Array.from(map, ([key, all]) => [key, [...new Set(all)].sort((a, b) => a - b)]));
}

function fromLowest(cycle: number[]): number[] {
  const start = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(start), ...cycle.slice(0, start)];
}
