// Renders the graph of agents that wait for each other, as a table and as a Mermaid diagram. Pure.

import { formatTable } from "../../text/table.ts";
import { mermaidLabel, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { formatDuration } from "../../base/time.ts";
import { askerOf, type ClarificationRecord } from "../../clarify/schema.ts";
import { deadlockOf, type WaitGraph } from "../../clarify/monitor/wait_graph.ts";
import { agentLabel } from "../../text/agent_label.ts";

/** Renders a table of the waits, and a paragraph on each deadlock. */
export function renderWaitGraph(
  { edges, cycles }: WaitGraph,
  nowMs: number,
  view: RenderView,
): string {
  if (edges.length === 0) return "  No agent is waiting for another.";
  const rows = edges.map((edge) => {
    const deadlock = cycles.findIndex((cycle) => cycle.includes(edge)) + 1;
    return [
      agentLabel(askerOf(edge)),
      agentLabel(edge.to),
      edge.id,
      formatDuration(nowMs - Date.parse(edge.created)),
      deadlock === 0 ? "-" : { text: String(deadlock), mark: "red" as const },
      edge.topic,
    ];
  });
  const headings = [
    "AGENT",
    { name: "WAITS FOR" },
    { whole: "ID" },
    { spare: "AGE" },
    "DEADLOCK",
    "TOPIC",
  ];
  const table = formatTable(headings, rows, view);
  return [table, ...cycles.map((cycle, index) => renderDeadlock(cycle, index + 1, view))].join(
    "\n\n",
  );
}

function renderDeadlock(
  cycle: readonly ClarificationRecord[],
  number: number,
  { style, width }: RenderView,
): string {
  const agents = [...new Set(cycle.map((edge) => agentLabel(askerOf(edge))))].sort();
  const what = agents.length > 1 ? "wait for each other" : "waits for itself";
  const room = Math.max(40, width) - 2;
  const { escalated, continued } = deadlockOf(cycle);
  const rest = continued.length > 0 ? `; continues: ${continued.join(", ")}` : "";
  return [
    `  ${style.red(terminalLine(`Deadlock ${number}: ${agents.join(", ")} ${what}`, room))}`,
    `  ${terminalLine(`Escalated: ${escalated.join(", ")}${rest}`, room)}`,
    style.dim(`  A human can decide it with: agentx answer ${escalated[0]} "..."`),
  ].join("\n");
}

/** Renders the graph as a Mermaid diagram for a fenced block, with the requests of deadlocks in red. */
export function waitGraphMermaid({ edges, cycles }: WaitGraph): string {
  const agents = [...new Set(edges.flatMap((edge) => [askerOf(edge), edge.to]))].sort();
  const node = (agent: string) => `agent${agents.indexOf(agent)}`;
  const inDeadlock = edges.flatMap((edge, index) =>
    cycles.some((cycle) => cycle.includes(edge)) ? [index] : []
  );
  return [
    "graph LR",
    ...agents.map((agent) => `  ${node(agent)}["${mermaidLabel(agent)}"]`),
    ...edges.map((edge) =>
      `  ${node(askerOf(edge))} -->|"${mermaidLabel(edge.id)}"| ${node(edge.to)}`
    ),
    ...inDeadlock.length === 0 ? [] : [`  linkStyle ${inDeadlock.join(",")} stroke:red`],
  ].join("\n");
}
