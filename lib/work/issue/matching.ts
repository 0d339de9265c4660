// Filters and sorts a list of issues. Pure.

import { roleOf } from "../../base/agent_names.ts";
import { isOpen, type Issue } from "./issue.ts";
import { priorityOf } from "./labels.ts";

/** A filter for issues; fields that are left out match all. */
export interface IssueFilter {
  /** Whether to match open issues, closed ones, or both. */
  state: "open" | "closed" | "all";
  /** The column of the board. */
  status?: string;
  /** Labels that the issue must all have. */
  labels: readonly string[];
  /** The assignee: an agent or person. */
  assignee?: string;
  /** The author: an agent, in whichever session, or `human`. */
  author?: string;
  /** The milestone; null for none. */
  milestone?: string | null;
  /** Words that the title or body must all contain, in any case. */
  search?: string;
  /** The field to sort by. */
  sort?: "number" | "created" | "updated" | "priority";
  /** Whether the smallest or the greatest value comes first. */
  order?: "asc" | "desc";
}

/** Sort key of an issue without a priority, after every priority. */
const LAST = "~";

/** Returns the issues that match, in the requested order. */
export function matching<T extends Issue>(issues: readonly T[], filter: IssueFilter): T[] {
  const { state, status, labels, assignee, author, milestone, search = "" } = filter;
  const { sort, order } = filter;
  const words = searchWords(search);
  const found = issues.filter((issue) =>
    (state === "all" || isOpen(issue) === (state === "open")) &&
    (status === undefined || issue.status === status) &&
    labels.every((label) => issue.labels.includes(label)) &&
    (assignee === undefined || issue.assignee === assignee) &&
    (author === undefined || [issue.author, roleOf(issue.author)].includes(author)) &&
    (milestone === undefined || issue.milestone === milestone) &&
    hasAll(`${issue.title}\n${issue.body}`, words)
  );
  const sign = order === "desc" ? -1 : 1;
  if (sort === undefined || sort === "number") {
    return sign > 0 ? found : found.reverse();
  }
  const keyOf = (issue: Issue) => sort === "priority" ? priorityOf(issue) ?? LAST : issue[sort];
  return found
    .map((issue) => ({ issue, key: keyOf(issue) }))
    .sort((a, b) => a.key === b.key ? 0 : a.key < b.key ? -sign : sign)
    .map(({ issue }) => issue);
}

/** Splits a search into words, in lower case. */
export function searchWords(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter((word) => word !== "");
}

/** Returns whether a text contains all words, in any case. */
export function hasAll(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const plain = text.toLowerCase();
  return words.every((word) => plain.includes(word));
}
