// The issues as columns or as a tree. Pure.

import { html } from "hono/html";
import type { WaitReason } from "../../work/queue/selection.ts";
import { type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import { priorityOf, typeOf } from "../../work/issue/labels.ts";
import { matching } from "../../work/issue/matching.ts";
import {
  type Family,
  familyOf,
  type RollUp,
  rollUps,
  rowsBelow,
} from "../../work/issue/parents.ts";
import { type IssueRow, issueRow } from "../../work/issue/row.ts";
import { agent, choice, empty, type Html, line, options } from "./parts.ts";

/** An issue of a list. */
interface Row {
  issue: IssueRow;
  /** How deep it is in the tree. */
  depth: number;
  /** What its parts come to, if it has any. */
  parts: RollUp | undefined;
}

/** A column, or the tree, as far as it is shown. */
interface List {
  /** The status of a column. */
  status: string;
  /** How many it has in all. */
  count: number;
  rows: readonly Row[];
}

/** The issues that match what was filled in, as far as they are shown. */
export interface IssuesFound {
  /** How many issues there are. */
  all: number;
  /** How many match. */
  found: number;
  /** The types that issues have. */
  types: readonly string[];
  /** Who has claimed any. */
  assignees: readonly string[];
  columns: readonly List[];
  /** Undefined where columns are shown. */
  tree: List | undefined;
}

/** What the issues view shows. */
export interface IssuesData extends IssuesFound {
  /** Why an issue cannot be taken, by its number. */
  reasons: ReadonlyMap<number, readonly WaitReason[]>;
  /** The types that there are workflows for. */
  newTypes: readonly string[];
}

/** So many rows of a column or of the tree are shown at first: nobody reads thousands. */
const FIRST_ROWS = 100;

/** Reasons that say that something else has to happen first. */
const BLOCKED: readonly WaitReason["kind"][] = ["clarification", "dependency"];

/** @returns the view of those that match */
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
  return html`<h1>Issues <small>${found} of ${all}</small></h1>
${filters(data, query)}
${newIssue(data.newTypes)}
${body}`;
}

/** @returns the issues that match what was filled in, the newest first, and so many rows of each list */
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
    columns: isTree ? [] : statuses.map((status) => {
      const own = found.filter((issue) => issue.status === status);
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
  const [type, priority] = [given("type"), given("priority")];
  return matching(issues, {
    state: "all",
    labels: type === undefined ? [] : [`type:${type}`],
    assignee: given("assignee"),
    search: number === undefined ? search : undefined,
    order: "desc",
  }).filter((issue) =>
    (number === undefined || issue.number === Number(number)) &&
    (priority === undefined || priorityOf(issue) === priority)
  );
}

/** An issue that matches is shown with all above it. */
function treeAbove(found: readonly Issue[], family: Family, maxRows: number): List {
  const wanted = new Set<string>();
  for (const issue of found) {
    for (let at: Issue | undefined = issue; at !== undefined && !wanted.has(at.uid);) {
      wanted.add(at.uid);
      at = family.parentOf.get(at.uid);
    }
  }
  const below = rollUps(family);
  const rows = rowsBelow(family.roots.toReversed(), family)
    .filter(({ issue }) => wanted.has(issue.uid));
  return {
    status: "",
    count: rows.length,
    rows: rows.slice(0, maxRows)
      .map(({ issue, depth }) => ({ issue: issueRow(issue), depth, parts: below.get(issue.uid) })),
  };
}

function filters({ types, assignees }: IssuesFound, query: URLSearchParams): Html {
  return html`<form class="filters" data-view="issues" role="search">
<input type="search" name="q" id="q" value="${query.get("q") ?? ""}" placeholder="Search, or #12"
 aria-label="Search issues" autocomplete="off">
${choice("type", "Any type", types.map((type) => [type, type]), query)}
${choice("priority", "Any priority", ["p0", "p1", "p2", "p3"].map((one) => [one, one]), query)}
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
        <label>Body <textarea name="body" id="new-body" rows="5"></textarea></label>
        <div
          class="row"><label>Type <select name="label">${types.map((type) =>
            html`<option value="type:${type}">${type}</option>`
          )}</select></label><button class="primary">Create</button></div>
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

/** A link to twice as many rows, if there are more. */
function more({ count, rows }: List, query: URLSearchParams): Html | string {
  if (count === rows.length) return "";
  const next = new URLSearchParams(query);
  next.set("rows", `${2 * rows.length}`);
  return html`<a class="more" href="#issues?${next}">${count - rows.length} more</a>`;
}

function card(
  { number, title, assignee, status, labels }: IssueRow,
  { reasons }: IssuesData,
): Html {
  const id = `move-${number}`;
  return html`
    <li class="card" id="issue-${number}" data-item data-number="${number}" draggable="true"
      tabindex="0">
    <a href="#issue?n=${number}"><span class="dim">#${number}</span> ${line(title)}</a>
    <p class="meta">${tags({ labels })}${assignee === null ? "" : agent(assignee)}
    <select data-move="${number}" id="${id}" aria-label="Move #${number} to another column">${options(
      [...new Set([...ISSUE_STATUSES, status])].map((name) => [name, name]),
      status,
    )}</select></p>${blocked(reasons.get(number))}</li>
  `;
}

/** @returns type and priority of an issue */
export function tags(issue: Pick<Issue, "labels">): Html {
  const [type, priority] = [typeOf(issue), priorityOf(issue)];
  return html`${
    priority === null ? "" : html`
      <span class="tag ${priority}">${priority}</span>
    `
  }${
    type === undefined ? "" : html`
      <span class="tag">${line(type)}</span>
    `
  }`;
}

/** @returns what has to happen first, if anything has */
export function blocked(reasons: readonly WaitReason[] = []): Html | string {
  const blocking = reasons.filter(({ kind }) => BLOCKED.includes(kind));
  if (blocking.length === 0) return "";
  return html`<p class="blocked"><b>BLOCKED</b> ${
    blocking.map(({ text }) =>
      html`
        <span>${line(text.replace(/^BLOCKED: /, ""))}</span>
      `
    )
  }</p>`;
}

function treeOf(tree: List, { reasons }: IssuesData, query: URLSearchParams): Html {
  return html`<ul class="tree">${
    tree.rows.map(({ issue, depth, parts }) =>
      html`<li data-item tabindex="0" class="depth-${Math.min(depth, 6)}">
<a href="#issue?n=${issue.number}"><span class="dim">#${issue.number}</span> ${
        line(issue.title)
      }</a>
<span class="meta">${tags(issue)}<span class="tag">${line(parts?.status ?? issue.status)}</span>${
        parts === undefined ? "" : html`
          ${parts.done} of ${parts.all} done
        `
      }${
        issue.assignee === null ? "" : html`
          ${agent(issue.assignee)}
        `
      }</span>${blocked(reasons.get(issue.number))}</li>`
    )
  }</ul>${more(tree, query)}`;
}
