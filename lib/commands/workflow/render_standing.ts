// Renders the standing of an issue for people. Pure.

import { agentLabel } from "../../text/agent_label.ts";
import { minuteOf } from "../../base/time.ts";
import { displayWidth, fitCell, terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { IssueStanding, StepStanding } from "../../pipeline/standing.ts";
import { heldBy } from "../../work/issue/row.ts";
import type { Issue } from "../../work/issue/issue.ts";
import type { StoppedStep } from "../../pipeline/stopped_steps.ts";

const STYLES = {
  done: "green",
  running: "yellow",
  ready: "bold",
  waiting: "dim",
  skipped: "dim",
} as const;

/** A standing, with facts of the issue that people want to know. */
export interface StandingView
  extends IssueStanding, Pick<Issue, "title" | "assignee" | "leaseUntil"> {
  stopped: readonly StoppedStep[];
}

/** Renders a line for each step, with its reasons to wait below. */
export function renderStanding(
  { issueNumber, title, workflow, returns, steps, stopped, ...issue }: StandingView,
  { style, width }: RenderView,
): string {
  const column = Math.max(...steps.map(({ step }) => Math.min(20, displayWidth(step))));
  const sentBack = returns === 0
    ? ""
    : `, sent back ${returns === 1 ? "once" : `${returns} times`}`;
  // A claim without a step holds the whole issue.
  const held = issue.assignee === null ? "" : `, ${heldBy(issue)}`;
  return [
    style.bold(terminalLine(`  #${issueNumber} ${title}`, width)),
    style.dim(terminalLine(`  ${workflow}${sentBack}${held}`, width)),
    ...steps.flatMap((each) => {
      const { step, agent, state, why } = each;
      const line = `  ${state.padEnd(8)} ${fitCell(step, column)}  ${agent}${noteOf(each)}`;
      const accept = `agentx workflow ${issueNumber} --accept ${step}`;
      const next = each.isChanged ? [`edited since; accept that with: ${accept}`] : [...why];
      if (each.isUndecided && state === "skipped") {
        const decide = `agentx workflow ${issueNumber} --take|--skip ${step} --because TEXT`;
        next.push(`its agent decides as it begins, or you do: ${decide}`);
      }
      const { id, reasons } = stopped.find((one) => one.step === step) ?? { reasons: [] };
      if (id !== undefined) next.push(...reasons, `waits for you: agentx answer ${id} a|TEXT`);
      return [
        style[STYLES[state]](terminalLine(line, width)),
        ...next.flatMap((text) => terminalBlock(text, { indent: "           ", width }))
          .map(style.dim),
      ];
    }),
  ].join("\n");
}

function noteOf({ state, by, since, artifact }: StepStanding): string {
  if (state === "running") return `, claimed by ${agentLabel(by!)}`;
  if (state !== "done") return artifact === null ? "" : `, writes ${artifact}`;
  return since === null ? "" : `, ${minuteOf(since)} by ${agentLabel(by!)}`;
}
