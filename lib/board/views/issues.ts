// Renders the issues as columns or as a tree. Pure.

import { html, raw } from "hono/html";
import { HUMAN } from "../../base/agent_names.ts";
import { BLOCKING, type WaitReason } from "../../work/queue/selection.ts";
import { DONE, type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import { priorityOf, typeOf } from "../../work/issue/labels.ts";
import { matching } from "../../work/issue/matching.ts";
import {
  type Family,
  familyOf,
  type Progress,
  rollUps,
  rowsBelow,
} from "../../work/issue/parents.ts";
import { type IssueRow, issueRow } from "../../work/issue/row.ts";
import { agent, choice, dueDay, empty, type Html, line, linked, meta, options } from "./parts.ts";

/** An issue in a list. */
interface Row {
  issue: IssueRow;
  /** The depth in the tree. */
  depth: number;
  /** The progress of the issue's parts, if it has any. */
  parts: Progress | undefined;
}

/** The shown rows of a column, or of the tree. */
interface List {
  /** The status of the column; empty for the tree. */
  status: string;
  /** Number of all rows, including those not shown. */
  count: number;
  rows: readonly Row[];
}

/** The issues that match the filters, as far as they are shown. */
export interface IssuesFound {
  /** Number of all issues. */
  all: number;
  /** Number of matching issues. */
  found: number;
  /** The types of all issues. */
  types: readonly string[];
  /** The assignees of all issues. */
  assignees: readonly string[];
  /** Labels that are not a type, priority or dependency. */
  labels: readonly string[];
  milestones: readonly string[];
  columns: readonly List[];
  /** The tree; undefined if columns are shown. */
  tree: List | undefined;
}

/** The data of the issues view. */
export interface IssuesData extends IssuesFound {
  /** Why an issue cannot be taken, by number of the issue. */
  reasons: ReadonlyMap<number, readonly WaitReason[]>;
  /** The types that have a workflow. */
  newTypes: readonly string[];
}

/** Number of rows of a column or of the tree that are shown at first, because nobody reads thousands. */
const FIRST_ROWS = 50;

/** The priorities, the most urgent first. */
export const PRIORITIES = ["p0", "p1", "p2", "p3"] as const;

/** Matches labels that the page shows in another form. */
const SHOWN_APART = /^(?:type|priority|blocked[_-]by|blocks):|^p[0-3]$/i;

/** @returns the view of the matching issues */
export function issuesView(data: IssuesData, query: URLSearchParams): Html {
  const { all, found, columns, tree } = data;
  const body = all === 0
    ? empty(
      "No issues yet.",
      "Create the first one above, or import those of another tracker with agentx issue import.",
    )
    : found === 0
    ? empty("No matching issues.", html`<a href="#issues">Show all</a>`)
    : tree !== undefined
    ? treeOf(tree, data, query)
    : html`<div class="columns">${columns.map((column) => columnOf(column, data, query))}</div>`;
  return html`<div class="head"><h1>Issues <small>${found} of ${all}</small></h1>
${newIssue(data.newTypes)}</div>
${filters(data, query)}
${body}`;
}

/**
 * @returns the matching issues by priority, then the oldest first; in Done, the latest first. Each list has at most
 *   `maxRows` rows.
 */
export function issuesFor(
  issues: readonly Issue[],
  query: URLSearchParams,
  maxRows: number = rowsIn(query),
): IssuesFound {
  const found = matchingIssues(issues, query);
  const isTree = query.get("as") === "tree";
  const statuses = [...new Set([...ISSUE_STATUSES, ...found.map(({ status }) => status)])];
  return {
    all: issues.length,
    found: found.length,
    types: [...new Set(issues.flatMap((issue) => typeOf(issue) ?? []))].sort(),
    assignees: [...new Set(issues.flatMap(({ assignee }) => assignee ?? []))].sort(),
    labels: [...new Set(issues.flatMap(plainLabels))].sort(),
    milestones: [...new Set(issues.flatMap(({ milestone }) => milestone ?? []))].sort(),
    columns: isTree ? [] : statuses.map((status) => {
      const all = found.filter((issue) => issue.status === status);
      const own = status === DONE ? all.sort((a, b) => a.updated < b.updated ? 1 : -1) : all;
      const rows = own.slice(0, maxRows)
        .map((issue) => ({ issue: issueRow(issue), depth: 0, parts: undefined }));
      return { status, count: own.length, rows };
    }),
    tree: isTree ? treeAbove(found, familyOf(issues), maxRows) : undefined,
  };
}

function rowsIn(query: URLSearchParams): number {
  const rows = Number(query.get("rows"));
  return Number.isSafeInteger(rows) && rows > 0 ? rows : FIRST_ROWS;
}

function matchingIssues(issues: readonly Issue[], query: URLSearchParams): Issue[] {
  const given = (name: string) => query.get(name) || undefined;
  const search = given("q");
  const number = /^#?(\d+)$/.exec(search ?? "")?.[1];
  const [type, priority, label] = [given("type"), given("priority"), given("label")];
  return matching(issues, {
    state: "all",
    labels: [...type === undefined ? [] : [`type:${type}`], ...label === undefined ? [] : [label]],
    assignee: given("assignee"),
    milestone: given("milestone"),
    search: number === undefined ? search : undefined,
    sort: "priority",
  }).filter((issue) =>
    (number === undefined || issue.number === Number(number)) &&
    (priority === undefined || priorityOf(issue) === priority)
  );
}

/** Returns the tree of the matching issues, with all issues above each of them. */
function treeAbove(found: readonly Issue[], family: Family, maxRows: number): List {
  const wanted = new Set<string>();
  for (const issue of found) {
    for (let at: Issue | undefined = issue; at !== undefined && !wanted.has(at.uid);) {
      wanted.add(at.uid);
      at = family.parentOf.get(at.uid);
    }
  }
  const below = rollUps(family);
  const roots = (["open", "closed"] as const).flatMap((state) =>
    matching(family.roots, { state, labels: [], sort: "priority" })
  );
  const rows = rowsBelow(roots, family)
    .filter(({ issue }) => wanted.has(issue.uid));
  return {
    status: "",
    count: rows.length,
    rows: rows.slice(0, maxRows)
      .map(({ issue, depth }) => ({ issue: issueRow(issue), depth, parts: below.get(issue.uid) })),
  };
}

/** @returns the labels that the page shows as labels and not in another form */
export function plainLabels({ labels }: Pick<Issue, "labels">): string[] {
  return labels.filter((label) => !SHOWN_APART.test(label));
}

function filters(
  { types, assignees, labels, milestones }: IssuesFound,
  query: URLSearchParams,
): Html {
  return html`<form class="filters" data-view="issues" role="search">
<input type="search" name="q" id="q" value="${query.get("q") ?? ""}" placeholder="Search, or #12"
 aria-label="Search issues" autocomplete="off">
${choice("type", "Any type", types.map((type) => [type, type]), query)}
${choice("priority", "Any priority", PRIORITIES.map((one) => [one, one]), query)}
${choice("label", "Any label", labels.map((one) => [one, one]), query)}
${choice("milestone", "Any milestone", milestones.map((one) => [one, one]), query)}
${choice("assignee", "Anybody", assignees.map((one) => [one, one]), query)}
${choice("as", "Columns", [["tree", "Tree"]], query)}
</form>`;
}

function newIssue(types: readonly string[]): Html {
  return html`
    <details class="new" id="new-issue">
      <summary>New issue</summary>
      <form data-do="issue create">
        <label>Title <input name="title" id="new-title" required maxlength="200" autocomplete="off"></label>
        <label>Description <textarea name="body" id="new-body" rows="5" placeholder="Markdown"></textarea></label>
        <div class="row">
          <label>Type <select name="label">${options([
            ["", "No type"],
            ...types.map((type) => [`type:${type}`, type] as const),
          ], "")}</select></label>
          <label>Priority <select name="label">${options([
            ["", "No priority"],
            ...PRIORITIES.map((one) => [one, one] as const),
          ], "")}</select></label>
          <button class="primary">Create</button><button type="reset">Cancel</button>
        </div>
      </form>
    </details>
  `;
}

function columnOf(column: List, data: IssuesData, query: URLSearchParams): Html {
  const { status, count, rows } = column;
  return html`<section class="column" data-status="${status}" aria-label="${status}">
<h2>${line(status)} <small>${count}</small></h2>
<ul>${rows.map(({ issue }) => card(issue, data))}</ul>${more(column, query)}</section>`;
}

/** Returns a link to twice as many rows, if there are more. */
function more({ count, rows }: List, query: URLSearchParams): Html | string {
  if (count === rows.length) return "";
  const next = new URLSearchParams(query);
  next.set("rows", `${2 * rows.length}`);
  return html`<a class="more" href="#issues?${next}">${count - rows.length} more</a>`;
}

/**
 * Renders a card. The script fills its menu with the columns on first use, because menus with all columns would be half
 * of the page.
 */
function card(issue: IssueRow, { reasons }: IssuesData): Html {
  const { number, title, assignee, status } = issue;
  return html`
    <li class="card" id="issue-${number}" data-item data-number="${number}" draggable="true"
      tabindex="0">
    <a href="#issue?n=${number}"><span class="dim">#${number}</span> ${line(title)}</a>
    <select data-move="${number}" id="move-${number}" title="Move" aria-label="Move #${number} to another column">${options(
      [[status, status]],
      status,
    )}</select>
    <div class="meta">${tags(issue)}${dueOf(issue)}${assignee === null
      ? ""
      : agent(assignee)}</div>${blocked(reasons.get(number))}</li>
  `;
}

/** Renders the due date of an open issue; a closed issue shows none. */
function dueOf({ due, state }: Pick<Issue, "due" | "state">): Html | string {
  return state === "open" ? dueDay(due) : "";
}

/** @returns the priority, type and other labels of an issue */
export function tags(issue: Pick<Issue, "labels">): Html {
  const priority = priorityOf(issue);
  const names = [...new Set([typeOf(issue) ?? [], plainLabels(issue)].flat())];
  return html`${
    priority === null ? "" : html`
      <span class="tag ${priority}">${priority}</span>
    `
  }${
    names.map((name) =>
      html`
        <span class="tag">${line(name)}</span>
      `
    )
  }`;
}

/** @returns the things that must happen before the issue can be taken, if any */
export function blocked(reasons: readonly WaitReason[] = []): Html | string {
  const blocking = reasons.filter(({ kind }) => BLOCKING.includes(kind));
  if (blocking.length === 0) return "";
  const yours: string[] = [];
  const others: string[] = [];
  for (const one of blocking) {
    if (one.kind === "clarification" && one.waitingOn === HUMAN) yours.push(one.clarificationId);
    else others.push(one.text.replace(/^BLOCKED: /, ""));
  }
  return html`<p class="blocked">${
    [["Needs you", yours.join(", ")], ["BLOCKED", others.join("; ")]].map(([head, text]) =>
      text === "" ? "" : html`
        <b>${head}</b> ${linked(text)}
      `
    )
  }</p>`;
}

function treeOf(tree: List, { reasons }: IssuesData, query: URLSearchParams): Html {
  return html`<ul class="tree">${
    tree.rows.map(({ issue, depth, parts }) =>
      html`<li data-item tabindex="0">${raw('<span class="indent"></span>'.repeat(depth))}
<a href="#issue?n=${issue.number}"><span class="dim">#${issue.number}</span> ${
        line(issue.title)
      }</a>
${
        meta([
          html`<span class="tag">${line(issue.status)}</span> ${tags(issue)}`,
          parts === undefined ? "" : `${parts.done} of ${parts.all} done`,
          dueOf(issue),
          issue.assignee === null ? "" : agent(issue.assignee),
        ])
      }${blocked(reasons.get(issue.number))}</li>`
    )
  }</ul>${more(tree, query)}`;
}
