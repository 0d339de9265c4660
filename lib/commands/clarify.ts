import type { OpenRun } from "../clarify/reach.ts";
import {
  askerOf,
  type ClarificationRecord,
  isActive,
  issueNumberOf,
  parseClarificationId,
} from "../clarify/schema.ts";
import { type Context, defineCommand } from "../cli/command.ts";
import { firstRows, issueNumber, rowLimit } from "../cli/inputs.ts";
import { noteProblems } from "../cli/note.ts";
import { optional } from "../cli/spec.ts";
import type { DeliveryReport } from "../hooks/delivery_report.ts";
import { sys } from "../sys/mod.ts";
import { moreRows } from "../text/table.ts";
import { deliveriesOf as deliveriesIn, noteThreadsShown } from "../workspace/deliveries.ts";
import { runMonitorIfNeeded } from "../workspace/run_monitor.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import { clarificationId } from "./clarify/input.ts";
import { outsideAmong } from "./clarify/outside.ts";
import { type ListOutput, renderList } from "./clarify/render_list.ts";

export const command = defineCommand({
  kind: "clarification.list",
  examples: ["agentx clarify", "agentx clarify --issue 42", "agentx clarify CLR-42-001"],
  input: {
    issue: optional(issueNumber, "Show the threads of this issue"),
    id: optional(clarificationId, "Show this thread"),
    limit: rowLimit,
  },
  conflicts: { issue: ["id", "limit"], id: ["limit"] },
  async run(context, { issue, id, limit }) {
    const state = await context.openState();
    const scan = await runMonitorIfNeeded(state, context.signal);
    const nowMs = sys.now();
    const about = id === undefined ? issue : parseClarificationId(id).issueNumber;
    if (about !== undefined) {
      const { ledger } = state.records();
      const clarifications = id === undefined ? ledger.getByIssue(about) : [ledger.getById(id)];
      if (clarifications.length === 0) {
        const issues = await state.issueStore();
        if (outsideAmong([about], issues).length > 0) issues.get(about);
      }
      const runs = await runsOf(clarifications, state);
      const deliveries = await deliveriesOf(clarifications, context, state);
      const outside = await outsideIn(clarifications, state);
      return { output: { nowMs, issue: about, clarifications, runs, deliveries, outside } };
    }
    const exitCode = noteProblems(context.io, scan.problems);
    const { rows: active, more } = firstRows(scan.clarifications.filter(isActive), limit);
    // A table shows no thread, so nothing searches the threads for secrets.
    const clarifications = context.isJson ? active : active.map(withoutThread);
    const runs = await runsOf(active, state);
    const outside = await outsideIn(active, state);
    return { output: { nowMs, clarifications, more, runs, outside }, exitCode };
  },
  render(output: ListOutput, view) {
    const { clarifications, issue, more = 0 } = output;
    const nothing = issue === undefined
      ? ["  No active clarifications.", view.style.dim("  Ask one with: agentx ask --help")]
      : [`  Issue #${issue} has no clarifications.`];
    const lines = clarifications.length === 0
      ? nothing
      : [...renderList(output, view), ...moreRows(more, view)];
    return lines.join("\n");
  },
});

/** Returns the runs of some clarifications; without clarifications, nothing is read. */
async function runsOf(
  clarifications: readonly ClarificationRecord[],
  state: WorkspaceState,
): Promise<OpenRun[]> {
  if (clarifications.length === 0) return [];
  return await state.records().runs.ofAll(clarifications);
}

async function outsideIn(
  clarifications: readonly ClarificationRecord[],
  state: WorkspaceState,
): Promise<number[]> {
  if (clarifications.length === 0) return [];
  return outsideAmong(clarifications.map(({ id }) => issueNumberOf(id)), await state.issueStore());
}

/** Returns the deliveries of the shown threads, and notes that this session has seen the threads. */
async function deliveriesOf(
  clarifications: readonly ClarificationRecord[],
  { io }: Context,
  state: WorkspaceState,
): Promise<DeliveryReport[]> {
  await noteThreadsShown(clarifications, io.env, state);
  return await deliveriesIn(clarifications, state);
}

/** Drops the thread, and names the agent that asked last, which is all that a table shows. */
function withoutThread(record: ClarificationRecord): ClarificationRecord {
  return { ...record, from: askerOf(record), thread: [] };
}
