/**
 * `agentx clarify graph`. The monitor looks after the clarifications when the picture is taken, and
 * not before as elsewhere: nobody would see a circle that it has broken already.
 *
 * @module
 */

import * as z from "zod/mini";
import { renderWaitGraph, waitGraphMermaid } from "../../clarify/render/graph.ts";
import { waitGraph } from "../../clarify/wait_graph.ts";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { readLedgers } from "../../cli/read_ledgers.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

/** Shows who waits for whom, and who waits in a circle. */
export const command = defineCommand({
  name: "clarify graph",
  summary: "Show who waits for whom, and who in a circle",
  kind: "clarification.graph",
  examples: ["agentx clarify graph", "agentx clarify graph --mermaid"],
  input: z.object({
    mermaid: argument(z.boolean(), "Print a Mermaid diagram"),
  }),
  async run(context, { mermaid }) {
    const state = await context.openState();
    const { clarifications, exitCode } = readLedgers(state.ledger.scan(), context.io);
    const graph = waitGraph(clarifications);
    await runMonitorIfNeeded(state, context.signal);
    const output = {
      nowMs: Date.now(),
      clarifications: graph.edges,
      cycles: graph.cycles.map((cycle) => cycle.map(({ id }) => id)),
      mermaid: mermaid ? waitGraphMermaid(graph) : null,
    };
    return { output, exitCode };
  },
  render({ nowMs, clarifications, mermaid }, view) {
    return mermaid ?? renderWaitGraph(waitGraph(clarifications), nowMs, view);
  },
});
