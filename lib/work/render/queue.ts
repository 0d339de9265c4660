/**
 * The queue of issues as people read it. Pure.
 *
 * @module
 */

import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { IssueRow } from "../issue/row.ts";
import type { WaitingIssue } from "../queue/selection.ts";
import { renderIssues } from "./issues.ts";

/** What can be taken, and what waits for something. */
export interface QueueView {
  issues: IssueRow[];
  waiting: WaitingIssue[];
}

/** @returns a table of what is ready, and why the rest is not */
export function renderQueue({ issues, waiting }: QueueView, view: RenderView): string {
  const ready = issues.length > 0 ? renderIssues(issues, view) : "  No issues are ready.";
  if (waiting.length === 0) return ready;
  const heading = view.style.bold("  Waiting");
  return [ready, "", heading, ...waiting.flatMap((entry) => waits(entry, view))].join("\n");
}

function waits({ number, issue, reasons }: WaitingIssue, { style, width }: RenderView): string[] {
  const title = issue?.title ?? "(not kept here)";
  return [
    `  ${terminalLine(`#${number} ${title}`, width - 2)}`,
    ...reasons.map(({ kind, text }) => {
      const line = terminalLine(text, width - 6);
      const isBlocked = kind === "clarification" || kind === "dependency";
      return `      ${isBlocked ? style.yellow(line) : style.dim(line)}`;
    }),
  ];
}
