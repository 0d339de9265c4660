/**
 * Issues as text for a terminal. Pure; whatever an agent wrote goes through `text.ts`, and is
 * indented so that no line of it can pass for one of ours.
 *
 * @module
 */

import { agentLabel, type RenderView } from "../../clarify/render/threads.ts";
import { displayWidth, fitCell, terminalBlock, terminalLine } from "../../text/text.ts";
import type { Issue, IssueComment } from "../issue/issue.ts";
import { priorityOf, typeOf } from "../issue/labels.ts";

const RULE = "  " + "-".repeat(47);
const MIN_TITLE = 12;

/** What a list shows of an issue: all but what can be long. */
export type IssueRow = Omit<Issue, "body" | "comments">;

/** @returns the issue without body and comments */
export function issueRow({ body: _body, comments: _comments, ...row }: Issue): IssueRow {
  return row;
}

/**
 * One issue, whole.
 *
 * @param issue any issue
 * @param view where it is shown
 * @returns its head, its body and its comments
 */
export function renderIssue(issue: Issue, view: RenderView): string {
  const { number, title, body, status, labels, comments } = issue;
  const { style, width } = view;
  const facts = [
    [status, ...labels].join(", "),
    `created ${shortTime(issue.created)}, updated ${shortTime(issue.updated)}`,
    ...(issue.assignee === null ? [] : [heldBy(issue)]),
  ];
  return [
    `  ${style.bold(`#${number}`)} ${style.bold(terminalLine(title, width - 12))}`,
    ...facts.map((fact) => style.dim(`  ${terminalLine(fact, width - 2)}`)),
    style.dim(RULE),
    ...(body === "" ? [style.dim("  No body.")] : terminalBlock(body, { indent: "    ", width })),
    ...comments.flatMap((comment) => ["", ...renderComment(comment, view)]),
    style.dim(RULE),
  ].join("\n");
}

/**
 * Issues as a table.
 *
 * @param issues at least one
 * @param view where they are shown
 * @returns a line for each under a header
 */
export function renderIssues(issues: readonly IssueRow[], { style, width }: RenderView): string {
  const hasOwner = issues.some(({ assignee }) => assignee !== null);
  const owner = (cell: string) => hasOwner ? [cell] : [];
  const header = ["ISSUE", "PRIO", "TYPE", "STATUS", ...owner("OWNER"), "CREATED", "TITLE"];
  const rows = issues.map((issue) => [
    `#${issue.number}`,
    priorityOf(issue) ?? "-",
    terminalLine(typeOf(issue) ?? "-", 16),
    terminalLine(issue.status, 16),
    ...owner(agentLabel(issue.assignee ?? "-")),
    issue.created.slice(0, 10),
    terminalLine(issue.title),
  ]);
  const widths = header.map((name, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column])), name.length)
  );
  const used = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 2);
  widths[widths.length - 1] = Math.max(MIN_TITLE, width - used - 1);
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => fitCell(cell, widths[column])).join("  ").trimEnd()}`;
  return [style.dim(line(header)), ...rows.map(line)].join("\n");
}

/** @returns who works on an issue, and until when */
export function heldBy({ assignee, leaseUntil }: Pick<Issue, "assignee" | "leaseUntil">): string {
  const until = leaseUntil === null ? "" : ` until ${shortTime(leaseUntil)} UTC`;
  return `claimed by ${agentLabel(assignee ?? "nobody")}${until}`;
}

function renderComment({ author, body, created }: IssueComment, view: RenderView): string[] {
  const { style, width } = view;
  const head = `  ${style.bold(agentLabel(author))}  ${style.dim(`(${shortTime(created)})`)}`;
  return [head, ...terminalBlock(body, { indent: "    ", width })];
}

/** To the minute; a time of a foreign file is brought into the same form. */
function shortTime(time: string): string {
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}
