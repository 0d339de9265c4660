// Renders issues as text for a terminal. Pure. Texts of agents go through `text.ts`, and are indented so that no line
// of them can pass for one of ours.

import { agentLabel } from "../../text/agent_label.ts";
import { formatTable } from "../../text/table.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { minuteOf } from "../../base/time.ts";
import type { Issue, IssueComment } from "../../work/issue/issue.ts";
import { criteriaCount, criteriaOf } from "../../work/issue/criteria.ts";
import { priorityOf, typeOf } from "../../work/issue/labels.ts";
import type { Progress } from "../../work/issue/parents.ts";
import { heldBy, type IssueRow } from "../../work/issue/row.ts";
import { countOf } from "./render_tree.ts";
import { conflictText, type MergeConflict } from "../../work/issue/conflicts.ts";

const RULE = "  " + "-".repeat(47);

/** The details shown beside an issue. */
interface ShownBeside {
  /** Name of the issue if another one has its number. */
  ref?: string;
  /** The conflicts of a merge. */
  conflicts?: readonly MergeConflict[];
  /** The parent of the issue; null if it has none. */
  parent?: Pick<Issue, "number" | "title"> | null;
  /** The progress of the leaves below the issue. */
  parts?: Progress | null;
}

/**
 * Renders one issue whole.
 *
 * @param beside its name, the conflicts of a merge, its parent and its parts
 * @returns its head, its body and its comments
 */
export function renderIssue(
  issue: Issue,
  view: RenderView,
  { ref = `#${issue.number}`, conflicts = [], parent = null, parts = null }: ShownBeside = {},
): string {
  const { title, body, status, labels, comments } = issue;
  const { style, width } = view;
  const facts = [
    [status, ...labels].join(", "),
    `created ${minuteOf(issue.created)}, updated ${minuteOf(issue.updated)}`,
    ...(issue.assignee === null ? [] : [heldBy(issue)]),
    ...planFacts(issue),
    ...(parent === null ? [] : [`part of #${parent.number} ${parent.title}`]),
    ...(parts === null ? [] : [`parts: ${countOf(parts)} done`]),
  ];
  return [
    ...terminalBlock(`${ref} ${title}`, { indent: "  ", width }).map(style.bold),
    ...facts.map((fact) => style.dim(`  ${terminalLine(fact, width - 2)}`)),
    ...conflicts.flatMap((conflict) => renderConflict(conflict, view)),
    style.dim(RULE),
    ...(body === "" ? [style.dim("  No body.")] : terminalBlock(body, { indent: "    ", width })),
    ...comments.flatMap((comment) => ["", ...renderComment(comment, view)]),
    style.dim(RULE),
  ].join("\n");
}

function planFacts({ due, milestone, body }: Issue): string[] {
  const criteria = criteriaCount(body);
  const facts = [
    ...(due === null ? [] : [`due ${due.slice(0, 10)}`]),
    ...(milestone === null ? [] : [`milestone ${milestone}`]),
    ...(criteria === undefined ? [] : [`acceptance criteria: ${countOf(criteria)} done`]),
  ];
  return facts.length === 0 ? [] : [facts.join(", ")];
}

/** Renders the acceptance criteria with their numbers. */
export function renderCriteria({ number, body }: Issue, { style, width }: RenderView): string {
  return [
    style.bold(`  Acceptance criteria of #${number}`),
    ...criteriaOf(body).map(({ text, isDone }, index) =>
      terminalLine(`  ${index + 1}. [${isDone ? "x" : " "}] ${text}`, width)
    ),
  ].join("\n");
}

/** An issue in a list. */
export interface ListedIssue extends IssueRow {
  /** The progress of its acceptance criteria; absent if they are not counted, null if the issue has none. */
  criteria?: Progress | null;
}

/**
 * Renders issues as a table.
 *
 * @param issues at least one
 * @returns a header, and a line for each issue
 */
export function renderIssues(issues: readonly ListedIssue[], view: RenderView): string {
  const hasOwner = issues.some(({ assignee }) => assignee !== null);
  const owner = <T>(cell: T) => hasOwner ? [cell] : [];
  const hasDue = issues.some(({ due }) => due !== null);
  const due = <T>(cell: T) => hasDue ? [cell] : [];
  const hasCriteria = issues.some(({ criteria }) => criteria);
  const criteria = <T>(cell: T) => hasCriteria ? [cell] : [];
  const header = [
    "ISSUE",
    "PRIO",
    "TYPE",
    "STATUS",
    ...owner({ name: "OWNER" }),
    ...due({ whole: "DUE" }),
    ...criteria({ spare: "CRITERIA" }),
    { spare: "CREATED" },
    "TITLE",
  ];
  const rows = issues.map((issue) => [
    issue.ref ?? `#${issue.number}`,
    priorityOf(issue) ?? "-",
    terminalLine(typeOf(issue) ?? "-", 16),
    terminalLine(issue.status, 16),
    ...owner(agentLabel(issue.assignee ?? "-")),
    ...due(issue.due?.slice(0, 10) ?? "-"),
    ...criteria(issue.criteria ? countOf(issue.criteria) : "-"),
    issue.created.slice(0, 10),
    issue.title,
  ]);
  return formatTable(header, rows, view);
}

function renderConflict(conflict: MergeConflict, { style, width }: RenderView): string[] {
  const { id } = conflict;
  const next = id === null ? [] : [`Decide: agentx answer ${id} a|b`];
  return terminalBlock([conflictText(conflict), ...next].join("\n"), { indent: "  ! ", width })
    .map(style.yellow);
}

function renderComment({ author, body, created }: IssueComment, view: RenderView): string[] {
  const { style, width } = view;
  const head = `  ${style.bold(agentLabel(author))}  ${style.dim(`(${minuteOf(created)})`)}`;
  return [head, ...terminalBlock(body, { indent: "    ", width })];
}

/** Renders a changed issue on one line. */
export function renderChange(verb: string, issue: Issue, { style, width }: RenderView): string {
  const { number, title, status } = issue;
  const head = `${verb} #${number} (${terminalLine(status, 20)}): `;
  return `  ${style.bold(head)}${terminalLine(title, Math.max(20, width - head.length - 2))}`;
}
