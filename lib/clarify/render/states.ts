/**
 * What agents are doing as people read it. Pure.
 *
 * @module
 */

import type { Mark } from "../../text/style.ts";
import { type Cell, formatTable } from "../../text/table.ts";
import type { RenderView } from "../../text/view.ts";
import { formatDuration } from "../../time.ts";
import type { AgentState, AgentWork } from "../agent_states.ts";
import { describeSeen, NOBODY_ON_IT } from "./runs.ts";
import { agentLabel } from "./agent_label.ts";

const COLOURS: Record<AgentState["status"], Mark> = {
  idle: "dim",
  working: "green",
  clarifying: "cyan",
  "blocked-clarification": "yellow",
  done: "dim",
  stuck: "red",
};

/** @returns a line for each agent and issue */
export function renderStates(
  agents: readonly AgentState[],
  nowMs: number,
  view: RenderView,
): string {
  const rows = agents.flatMap(({ agent, work }) =>
    work.map((each, index) => {
      const { issue, since, clarificationId, waitingOn, respondingTo } = each;
      return [
        index === 0 ? agentLabel(agent) : "",
        statusCell(each, nowMs),
        issue === null ? "-" : `#${issue}`,
        since === null ? "-" : `${formatDuration(nowMs - Date.parse(since))} ago`,
        clarificationId === null
          ? ""
          : waitingOn === null
          ? `${clarificationId} for ${agentLabel(respondingTo ?? "?")}`
          : `${clarificationId} by ${agentLabel(waitingOn)}`,
      ];
    })
  );
  const headings = ["AGENT", { whole: "STATUS" }, { whole: "ISSUE" }, { spare: "SINCE" }, {
    name: "",
  }];
  return agents.length > 0
    ? formatTable(headings, rows, view)
    : "  No agent has done anything here yet.";
}

/** Whoever is asked answers only where somebody is on it, or the run may be over. */
function statusCell({ status, run }: AgentWork, nowMs: number): Cell {
  const text = status !== "clarifying" || run?.state === "running"
    ? status
    : run?.state === "unseen"
    ? describeSeen(run, nowMs)
    : NOBODY_ON_IT;
  return { text, mark: text === NOBODY_ON_IT ? "yellow" : COLOURS[status] };
}
