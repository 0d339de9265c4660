// `agentx clarify graph`. Here the monitor runs after the graph was read, not before as in other commands: it breaks
// deadlocks, and nobody would see them.

import { renderWaitGraph, waitGraphMermaid } from "./render_graph.ts";
import { deadlockOf, waitGraph } from "../../clarify/monitor/wait_graph.ts";
import { defineCommand } from "../../cli/command.ts";
import { noteProblems } from "../../cli/note.ts";
import { flag } from "../../cli/spec.ts";
import { sys } from "../../sys/mod.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

export const command = defineCommand({
  kind: "clarification.graph",
  examples: ["agentx clarify graph", "agentx clarify graph --mermaid"],
  input: {
    mermaid: flag("Print a Mermaid diagram"),
  },
  async run(context, { mermaid }) {
    const state = await context.openState();
    const { clarifications, problems } = state.records().ledger.scan();
    const graph = waitGraph(clarifications);
    await runMonitorIfNeeded(state, context.signal);
    const output = {
      nowMs: sys.now(),
      clarifications: graph.edges,
      cycles: graph.cycles.map((cycle) => cycle.map(({ id }) => id)),
      deadlocks: graph.cycles.map((cycle) => deadlockOf(cycle)),
      mermaid: mermaid ? waitGraphMermaid(graph) : null,
    };
    return { output, exitCode: noteProblems(context.io, problems) };
  },
  render({ nowMs, clarifications, mermaid }, view) {
    return mermaid ?? renderWaitGraph(waitGraph(clarifications), nowMs, view);
  },
});
