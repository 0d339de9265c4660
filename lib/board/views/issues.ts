// The issues as columns or as a tree. Pure.

import { html } from "hono/html";
import type { WaitReason } from "../../work/queue/selection.ts";
import { type Issue, ISSUE_STATUSES } from "../../work/issue/issue.ts";
import { priorityOf, typeOf } from "../../work/issue/labels.ts";
import { matching } from "../../work/issue/matching.ts";
import { type Family, familyOf, rollUps, rowsBelow } from "../../work/issue/parents.ts";
import { agent, choice, empty, type Html, line, options } from "./parts.ts";

/** What the issues view shows. */
export interface IssuesData {
  issues: readonly Issue[];
  /** The numbers of those that match. */
  matching: ReadonlySet<number>;
  /** Why an issue cannot be taken, by its number. */
  reasons: ReadonlyMap<number, readonly WaitReason[]>;
  /** The types that there are workflows for. */
  types: readonly string[];
}

/** So many cards of a column are shown at first. */
const MAX_CARDS = 200;

/** Reasons that say that something else has to happen first. */
const BLOCKED: readonly WaitReason["kind"][] = ["clarification", "dependency"];

/** @returns the view of those that match */
export function issuesView(data: IssuesData, query: URLSearchParams): Html {
  const { issues, types } = data;
  const shown = issues.filter(({ number }) => data.matching.has(number));
  const isTree = query.get("as") === "tree";
  const body = issues.length === 0
    ? empty(
      "No issues yet.",
      "Create the first one above, or import those of another tracker with agentx issue import.",
    )
    : shown.length === 0
    ? empty("No matching issues.", html`<a href="#issues">Show all</a>`)
    : isTree
    ? tree(shown, familyOf(issues), data)
    : columns(shown, data, query);
  return html`<h1>Issues <small>${shown.length} of ${issues.length}</small></h1>
${filters(issues, query)}
${newIssue(types)}
${body}`;
}

/** @returns the issues that match what was filled in */
export function issuesFor(issues: readonly Issue[], query: URLSearchParams): Issue[] {
  const given = (name: string) => query.get(name) || undefined;
  const search = given("q");
  const number = /^#?(\d+)$/.exec(search ?? "")?.[1];
  const [type, priority] = [given("type"), given("priority")];
  return matching([...issues], {
    state: "all",
    labels: type === undefined ? [] : [`type:${type}`],
    assignee: given("assignee"),
    search: number === undefined ? search : undefined,
  }).filter((issue) =>
    (number === undefined || issue.number === Number(number)) &&
    (priority === undefined || priorityOf(issue) === priority)
  );
}

function filters(issues: readonly Issue[], query: URLSearchParams): Html {
  const types = [...new Set(issues.flatMap((issue) => typeOf(issue) ?? []))].sort();
  const assignees = [...new Set(issues.flatMap(({ assignee }) => assignee ?? []))].sort();
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

function columns(shown: readonly Issue[], data: IssuesData, query: URLSearchParams): Html {
  const others = new Set(shown.map(({ status }) => status));
  const names = [...new Set([...ISSUE_STATUSES, ...others])];
  const all = query.get("all");
  return html`<div class="columns">${
    names.map((name) => {
      const own = shown.filter(({ status }) => status === name);
      const newest = name === "Done" ? [...own].reverse() : own;
      const cards = all === name ? newest : newest.slice(0, MAX_CARDS);
      const rest = own.length - cards.length;
      return html`<section class="column" data-status="${name}" aria-label="${name}">
<h2>${line(name)} <small>${own.length}</small></h2>
<ul>${cards.map((issue) => card(issue, data))}</ul>${
        rest === 0
          ? ""
          : html`<a class="more" href="#issues?${withAll(query, name)}">${rest} more</a>`
      }</section>`;
    })
  }</div>`;
}

function withAll(query: URLSearchParams, name: string): string {
  const all = new URLSearchParams(query);
  all.set("all", name);
  return `${all}`;
}

function card(issue: Issue, { reasons }: IssuesData): Html {
  const { number, title, assignee, status } = issue;
  const id = `move-${number}`;
  return html`
    <li class="card" id="issue-${number}" data-item data-number="${number}" draggable="true"
      tabindex="0">
    <a href="#issue?n=${number}"><span class="dim">#${number}</span> ${line(title)}</a>
    <p class="meta">${tags(issue)}${assignee === null ? "" : agent(assignee)}
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

/** An issue that matches is shown with all above it. */
function tree(shown: readonly Issue[], family: Family, { reasons }: IssuesData): Html {
  const wanted = new Set<string>();
  for (const issue of shown) {
    for (let at: Issue | undefined = issue; at !== undefined && !wanted.has(at.uid);) {
      wanted.add(at.uid);
      at = family.parentOf.get(at.uid);
    }
  }
  const below = rollUps(family);
  const rows = rowsBelow(family.roots, family).filter(({ issue }) => wanted.has(issue.uid));
  return html`<ul class="tree">${
    rows.map(({ issue, depth }) => {
      const parts = below.get(issue.uid);
      return html`<li data-item tabindex="0" class="depth-${Math.min(depth, 6)}">
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
      }</span>${blocked(reasons.get(issue.number))}</li>`;
    })
  }</ul>`;
}
