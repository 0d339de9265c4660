// Renders the queue of issues for people. Pure.

import { moreRows } from "../../text/table.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { IssueRow } from "../../work/issue/row.ts";
import { BLOCKING, type WaitingIssue } from "../../work/queue/selection.ts";
import { renderIssues } from "../issue/render.ts";

/** The issues that can be claimed, and the issues that wait. */
export interface QueueView {
  issues: IssueRow[];
  /** Number of further issues that can be claimed. */
  more: number;
  waiting: WaitingIssue[];
  /** Number of further issues that wait. */
  moreWaiting: number;
}

/** Renders a table of the ready issues, and the reasons why the others wait. */
export function renderQueue(
  { issues, more, waiting, moreWaiting }: QueueView,
  view: RenderView,
): string {
  const ready = issues.length > 0
    ? [renderIssues(issues, view), ...moreRows(more, view)]
    : ["  No issues are ready."];
  if (waiting.length === 0) return ready.join("\n");
  const waits = waiting.flatMap((entry) => waitingLines(entry, view));
  const heading = view.style.bold("  Waiting");
  return [...ready, "", heading, ...waits, ...moreRows(moreWaiting, view)].join("\n");
}

function waitingLines(
  { number, issue, reasons }: WaitingIssue,
  { style, width }: RenderView,
): string[] {
  const title = issue?.title ?? "(no such issue here)";
  return [
    `  ${terminalLine(`#${number} ${title}`, width - 2)}`,
    ...reasons.flatMap(({ kind, text }) => {
      const isBlocked = BLOCKING.includes(kind);
      return terminalBlock(text, { indent: "      ", width })
        .map((line) => isBlocked ? style.yellow(line) : style.dim(line));
    }),
  ];
}
