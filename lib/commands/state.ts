/**
 * `agentx state`.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentLabel } from "../clarify/render.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import type { AgentStatus } from "../clarify/status.ts";
import { formatDuration } from "../duration.ts";
import type { Mark } from "../style.ts";
import { formatTable } from "../table.ts";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";
import { issueNumber } from "./inputs.ts";
import { misuse } from "./misuse.ts";
import { readLedgers } from "./read_ledgers.ts";

/** An agent in the output. */
interface AgentState extends AgentStatus {
  agent: string;
  /** ISO-8601, UTC: when it began what its status says; null where that is not known. */
  since: string | null;
}

const COLOURS: Record<AgentStatus["status"], Mark> = {
  idle: "dim",
  working: "green",
  clarifying: "cyan",
  "blocked-clarification": "yellow",
  done: "dim",
  stuck: "red",
};

/** Shows what each agent is doing, or says it for one. */
export const command = defineCommand({
  name: "state",
  summary: "Show what each agent is doing, or set it for one",
  kind: "agent.list",
  examples: ["agentx state", "agentx state engineer --set working --issue 42"],
  input: z.object({
    set: z.optional(
      argument(z.enum(["idle", "working", "done", "stuck"]), "What the agent does now"),
    ),
    issue: z.optional(argument(issueNumber, "The issue it does it for", { short: "i" })),
    agent: z.optional(agentName("Only this agent")),
  }),
  positional: ["agent"],
  async run(context, { set, issue = null, agent }) {
    if (set !== undefined && agent === undefined) {
      throw misuse("state", { field: "AGENT", value: null, why: "AGENT is required with --set" });
    }
    if (set === undefined && issue !== null) {
      throw misuse("state", { field: "--issue", value: issue, why: "--issue goes with --set" });
    }
    const { status, ledger } = await context.openState();
    if (set !== undefined) await status.setBase(agent!, { status: set, issue });
    const { clarifications, exitCode } = readLedgers(ledger.scan(), context.io);
    const agents: AgentState[] = Object.entries(await status.current())
      .map(([agent, state]) => ({ agent, ...state, since: sinceOf(state, clarifications) }))
      .filter((state) => agent === undefined || state.agent === agent)
      .sort((a, b) => a.agent < b.agent ? -1 : 1);
    return { output: { nowMs: Date.now(), agents }, exitCode };
  },
  render({ nowMs, agents }, view) {
    if (agents.length === 0) return "  No agent has done anything here yet.";
    const rows = agents.map(({ agent, status, issue, since, ...state }) => {
      const { clarificationId, waitingOn, respondingTo } = state;
      return [
        agentLabel(agent),
        { text: status, mark: COLOURS[status] },
        issue === null ? "-" : `#${issue}`,
        since === null ? "-" : `${formatDuration(nowMs - Date.parse(since))} ago`,
        waitingOn
          ? `by ${agentLabel(waitingOn)}`
          : respondingTo
          ? `for ${agentLabel(respondingTo)}`
          : "",
        clarificationId ?? "",
      ];
    });
    return formatTable(["AGENT", "STATUS", "ISSUE", "SINCE", "", ""], rows, view);
  },
});

/** The ledger knows better than the status file, which changes for other reasons too. */
function sinceOf(state: AgentStatus, records: readonly ClarificationRecord[]): string | null {
  const record = records.find(({ id }) => id === state.clarificationId);
  const question = record?.thread.findLast(({ type }) => type === "question");
  const since = state.status === "clarifying" ? question?.timestamp : record?.created;
  const time = since ?? state.lastActivity;
  return Number.isNaN(Date.parse(time)) ? null : time;
}
