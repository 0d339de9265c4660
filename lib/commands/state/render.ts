// Renders the work of agents for people. Pure.

import type { Mark } from "../../text/style.ts";
import { type Cell, formatTable } from "../../text/table.ts";
import type { RenderView } from "../../text/view.ts";
import { formatDuration } from "../../base/time.ts";
import type { AgentState, AgentWork } from "../../clarify/status/agent_states.ts";
import { renderUnreached } from "../clarify/render_runs.ts";
import { describeSeen, REPLY_HERE } from "../../clarify/reach.ts";
import { agentLabel } from "../../text/agent_label.ts";

const COLOURS: Record<AgentState["status"], Mark> = {
  idle: "dim",
  working: "green",
  clarifying: "cyan",
  "blocked-clarification": "yellow",
  done: "dim",
  stuck: "red",
};

export function renderStates(
  agents: readonly AgentState[],
  nowMs: number,
  view: RenderView,
): string {
  const rows = agents.flatMap(({ agent, base, gone, work }) =>
    work.map((each, index) => {
      const { issue, since, clarificationId, waitingOn, respondingTo } = each;
      return [
        index === 0 ? agentLabel(agent) : "",
        gone && each.status === "done" && base.status !== "done"
          ? { text: "gone", mark: "dim" } as const
          : statusCell(each, nowMs),
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
  if (agents.length === 0) return "  No agent has done anything here yet.";
  const runs = agents.flatMap(({ work }) => work.flatMap(({ run }) => run ?? []));
  const unreached = renderUnreached(runs, view.width).map((line) => view.style.dim(line));
  return [formatTable(headings, rows, view), ...unreached.length > 0 ? ["", ...unreached] : []]
    .join("\n");
}

const NOT_RUNNING = "not running";

/** Renders a status. An agent that is asked answers only while a process runs it, so a missing run is marked. */
function statusCell({ status, run }: AgentWork, nowMs: number): Cell {
  const text = status !== "clarifying" || run?.state === "running"
    ? status
    : run?.state === "unseen"
    ? describeSeen(run, nowMs)
    : run?.hasReply
    ? REPLY_HERE
    : NOT_RUNNING;
  const needsRun = text === NOT_RUNNING || text === REPLY_HERE;
  return { text, mark: needsRun ? "yellow" : COLOURS[status] };
}
