// Renders the changes of an issue for a terminal. Pure. Texts of agents go through `text.ts`.

import { agentLabel } from "../../text/agent_label.ts";
import { moreRows } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { minuteOf } from "../../base/time.ts";
import type { FollowedChange } from "./follow.ts";
import type { EditValue, HistoryEdit, HistoryEntry } from "../../work/issue/history.ts";
import { heldBy, type IssueRow } from "../../work/issue/row.ts";

/** The changes of an issue, and its name. */
export interface IssueHistory {
  /** The name of the issue, such as `#12`. */
  ref: string;
  title: string;
  isDeleted: boolean;
  /** The changes, the latest first. */
  changes: HistoryEntry[];
  /** Number of earlier changes that are not shown. */
  more: number;
}

/** Renders a heading for each change, and a line for each edit in it. */
export function renderHistory(
  { ref, title, isDeleted, changes, more }: IssueHistory,
  view: RenderView,
): string {
  const { style, width } = view;
  const head = `${ref}${isDeleted ? " (deleted)" : ""} `;
  return [
    `  ${style.bold(head + terminalLine(title, Math.max(20, width - head.length - 2)))}`,
    ...changes.flatMap((change) => ["", ...renderEntry(change, view)]),
    ...moreRows(more, view),
  ].join("\n");
}

/** Renders the undone change, and the command to redo it. */
export function renderUndone(
  { ref, undone, redo }: { ref: string; undone: HistoryEntry; redo: string },
  view: RenderView,
): string {
  return [
    `  ${view.style.bold(`Undid in ${ref}:`)}`,
    ...renderEntry(undone, view),
    view.style.dim(`  Undo that with: agentx issue undo ${ref.slice(1)} ${redo}`),
  ].join("\n");
}

/** Renders a heading with the change, and a line for each edit in it. */
export function renderFollowed(
  { ref, change, issue }: FollowedChange<IssueRow>,
  view: RenderView,
): string {
  const { style, width } = view;
  const gone = issue === null ? " (not in this list now)" : ` ${issue.title}`;
  const head = style.bold(`  ${terminalLine(ref + gone, width - 2)}`);
  if (change !== null) return [head, ...renderEntry(change, view)].join("\n");
  return issue === null ? head : `${head}\n${style.dim(`    ${ownerOf(issue)}`)}`;
}

function ownerOf(issue: IssueRow): string {
  return issue.assignee === null ? "claimed by nobody" : heldBy(issue);
}

function renderEntry(
  { change, time, by, edits, isUndone }: HistoryEntry,
  { style, width }: RenderView,
): string[] {
  const undone = isUndone ? "  undone" : "";
  const head = `  ${minuteOf(time)}  ${agentLabel(by)}  ${change}${undone}`;
  const lines = edits.flatMap((edit) => {
    const text = `    ${textOf(edit, Math.max(20, width - 4))}`;
    return [isUndone ? style.dim(text) : text, ...noteOf(edit).map(style.yellow)];
  });
  return [style.dim(head), ...lines];
}

/** Changes without an earlier value. */
const STATED: readonly string[] = [
  "created",
  "comment",
  "validated",
  "approved",
  "returned",
  "restarted",
  "taken",
  "left out",
];

/** Renders an edit on one line: short values side by side, long values cut. */
function textOf({ what, from, to }: HistoryEdit, width: number): string {
  if (Array.isArray(from) || Array.isArray(to)) {
    const signed = (sign: string, values: EditValue) =>
      Array.isArray(values) ? values.map((value) => `${sign}${value}`) : [];
    const sign = what === "undo" ? "" : "+";
    return terminalLine(`${what}: ${[...signed("-", from), ...signed(sign, to)].join(" ")}`, width);
  }
  if (to === null && from === null) return what;
  if (STATED.includes(what)) return terminalLine(`${what}: ${to}`, width);
  const half = Math.max(8, Math.trunc((width - what.length - " -> : ".length) / 2));
  const before = from === null || from === "" ? "(none)" : terminalLine(`${from}`, half);
  const after = to === null || to === "" ? "(none)" : terminalLine(`${to}`, half);
  return `${what}: ${before} -> ${after}`;
}

function noteOf({ concurrentWith, isOverruled }: HistoryEdit): string[] {
  if (concurrentWith.length === 0) return [];
  const [first, ...others] = concurrentWith;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const held = isOverruled ? "; overruled" : "";
  return [`      concurrent with ${first}${more}${held}`];
}
