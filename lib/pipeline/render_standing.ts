// Where an issue stands, as people read it. Pure.

import { agentLabel } from "../text/agent_label.ts";
import { minuteOf } from "../base/time.ts";
import { displayWidth, fitCell, terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { Standing, StepStanding } from "./standing.ts";
import type { StoppedStep } from "./stopped_steps.ts";

const STYLES = {
  done: "green",
  running: "yellow",
  ready: "bold",
  waiting: "dim",
  skipped: "dim",
} as const;

/** A standing, with what else people want to know. */
interface StandingView extends Standing {
  title: string;
  stopped: readonly StoppedStep[];
}

/** A line for each step, with what it waits for below. */
export function renderStanding(
  { issueNumber, title, workflow, returns, steps, stopped }: StandingView,
  { style, width }: RenderView,
): string {
  const column = Math.max(...steps.map(({ step }) => Math.min(20, displayWidth(step))));
  const sentBack = returns === 0
    ? ""
    : `, sent back ${returns === 1 ? "once" : `${returns} times`}`;
  return [
    style.bold(terminalLine(`  #${issueNumber} ${title}`, width)),
    style.dim(terminalLine(`  ${workflow}${sentBack}`, width)),
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
