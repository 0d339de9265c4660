/**
 * Issues as text for a terminal. Pure; whatever an agent wrote goes through `text.ts`, and is
 * indented so that no line of it can pass for one of ours.
 *
 * @module
 */

import { agentLabel } from "../../clarify/render/agent_label.ts";
import { formatTable } from "../../text/table.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { minuteOf } from "../../time.ts";
import type { Issue, IssueComment } from "../issue/issue.ts";
import { priorityOf, typeOf } from "../issue/labels.ts";
import { heldBy, type IssueRow } from "../issue/row.ts";

const RULE = "  " + "-".repeat(47);

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
    `created ${minuteOf(issue.created)}, updated ${minuteOf(issue.updated)}`,
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
export function renderIssues(issues: readonly IssueRow[], view: RenderView): string {
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
    issue.title,
  ]);
  return formatTable(header, rows, view);
}

function renderComment({ author, body, created }: IssueComment, view: RenderView): string[] {
  const { style, width } = view;
  const head = `  ${style.bold(agentLabel(author))}  ${style.dim(`(${minuteOf(created)})`)}`;
  return [head, ...terminalBlock(body, { indent: "    ", width })];
}

/** @returns one line */
export function renderChange(verb: string, issue: Issue, { style, width }: RenderView): string {
  const { number, title, status } = issue;
  const head = `${verb} #${number} (${terminalLine(status, 20)}): `;
  return `  ${style.bold(head)}${terminalLine(title, Math.max(20, width - head.length - 2))}`;
}
