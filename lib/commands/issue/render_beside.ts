// Renders the steps and the open questions of an issue, below its text. Pure.

import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { StepStanding } from "../../pipeline/standing.ts";
import { agentLabel } from "../../text/agent_label.ts";
import { formatTable } from "../../text/table.ts";
import type { RenderView } from "../../text/view.ts";

/** The fields of a step that a list shows. */
export type BriefStep = Pick<StepStanding, "step" | "state" | "agent" | "by"> & {
  /** Id of its entry in the inbox if the step stopped, such as `STP-1-fix`; otherwise null. */
  stopped: string | null;
};

/** The fields of an open question that a list shows. */
export type BriefThread = Pick<
  ClarificationRecord,
  "id" | "status" | "from" | "to" | "topic" | "foreign"
>;

/** Renders a table of the steps and one of the questions; an empty table is left out. */
export function renderBeside(
  { number, steps, threads }: {
    number: number;
    steps: readonly BriefStep[];
    threads: readonly BriefThread[];
  },
  view: RenderView,
): string {
  const stepRows = steps.map((
    { step, state, agent, by, stopped },
  ) => [step, stopped === null ? state : "waits for you", agentLabel(by ?? agent)]);
  const threadRows = threads.map(({ id, status, foreign, from, to, topic }) => [
    id,
    foreign ? "foreign" : status,
    `${agentLabel(from)} -> ${agentLabel(to)}`,
    topic,
  ]);
  const part = (table: string, command: string) =>
    `\n${table}\n${view.style.dim(`  More: agentx ${command} ${number}`)}`;
  return [
    ...stepRows.length === 0
      ? []
      : [part(formatTable(["STEP", "STATE", "AGENT"], stepRows, view), "workflow")],
    ...threadRows.length === 0 ? [] : [
      part(
        formatTable(
          [{ whole: "QUESTION" }, "STATE", { name: "AGENTS" }, "TOPIC"],
          threadRows,
          view,
        ),
        "clarify",
      ),
    ],
  ].map((text) => `\n${text}`).join("");
}
