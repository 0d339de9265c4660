/**
 * `agentx state`.
 *
 * @module
 */

import * as z from "zod/mini";
import { agentLabel } from "../clarify/render.ts";
import type { AgentStatus } from "../clarify/status.ts";
import { displayWidth, fitCell, terminalLine } from "../text.ts";
import { agentName } from "./actor.ts";
import { argument } from "./arguments.ts";
import { defineCommand } from "./command.ts";
import { issueNumber } from "./inputs.ts";
import { misuse } from "./misuse.ts";
import type { Style } from "../style.ts";

type AgentState = { agent: string } & AgentStatus;

const COLOURS: Record<AgentStatus["status"], keyof Style> = {
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
    const { status } = await context.openWorkspace();
    if (set !== undefined) await status.setBase(agent!, { status: set, issue });
    const agents: AgentState[] = Object.entries(await status.current())
      .map(([agent, state]) => ({ agent, ...state }))
      .filter((state) => agent === undefined || state.agent === agent)
      .sort((a, b) => a.agent < b.agent ? -1 : 1);
    return { output: { agents } };
  },
  render({ agents }, { style, width }) {
    if (agents.length === 0) return "  No agent has done anything here yet.";
    const rows = agents.map(({ agent, status, issue, waitingOn, respondingTo, ...state }) => {
      const partner = waitingOn
        ? `waiting for ${agentLabel(waitingOn)}`
        : `answering ${agentLabel(respondingTo ?? "")}`;
      const detail = state.clarificationId ? `${partner} (${state.clarificationId})` : "";
      const place = issue === null ? "-" : `#${issue}`;
      return { agent: agentLabel(agent), status, issue: place, detail };
    });
    const columns = ["agent", "status", "issue"] as const;
    const [agent, status, issue] = columns.map((key) =>
      Math.max(key.length, ...rows.map((row) => displayWidth(terminalLine(row[key]))))
    );
    const head = `  ${"AGENT".padEnd(agent)}  ${"STATUS".padEnd(status)}  ISSUE`;
    const lines = rows.map((row) => {
      const cells = [
        fitCell(row.agent, agent),
        style[COLOURS[row.status]](fitCell(row.status, status)),
        fitCell(row.issue, issue),
      ];
      const room = Math.max(10, width - agent - status - issue - 9);
      return `  ${cells.join("  ")}  ${terminalLine(row.detail, room)}`.trimEnd();
    });
    return [style.dim(head), ...lines].join("\n");
  },
});
