/**
 * The commands that list clarifications: `agentx clarify` and `agentx clarify stale`.
 *
 * @module
 */

import { renderRuns } from "../../clarify/render/runs.ts";
import { renderTable, renderThread } from "../../clarify/render/threads.ts";
import type { OpenRun } from "../../clarify/runs.ts";
import {
  askerOf,
  type ClarificationRecord,
  isActive,
  parseClarificationId,
} from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { clarificationId, issueNumber } from "../../cli/inputs.ts";
import { noteProblems } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { deliveryLine } from "../../hosts/hook/delivery_line.ts";
import type { DeliveryReport } from "../../hosts/hook/delivery.ts";
import { sys } from "../../sys/mod.ts";
import type { RenderView } from "../../text/view.ts";
import type { LeftQuestion } from "../../workspace/outbox/outbox_asker.ts";
import { questionsLeftHere, renderLeftQuestions } from "../../workspace/outbox/outbox_here.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

interface ListOutput {
  nowMs: number;
  /** The issue whose threads are shown, if it is those of one. */
  issue?: number;
  clarifications: ClarificationRecord[];
  /** Who is at the open questions among them. */
  runs: OpenRun[];
  /** How far the last entry of each thread got; only with threads. */
  deliveries?: DeliveryReport[];
  /** Questions in the outbox of this worktree that no runner has asked; of one thread there is none. */
  left?: LeftQuestion[];
}

export const active = defineCommand({
  kind: "clarification.list",
  examples: ["agentx clarify", "agentx clarify --issue 42", "agentx clarify CLR-42-001"],
  input: {
    issue: optional(issueNumber, "Show the threads of this issue"),
    id: optional(clarificationId, "Show this thread"),
  },
  conflicts: { issue: ["id"] },
  async run(context, { issue, id }) {
    const state = await context.openState();
    const scan = await runMonitorIfNeeded(state, context.signal);
    const nowMs = sys.now();
    if (id !== undefined) {
      const clarifications = [state.ledger.getById(id)];
      const runs = await state.runs.ofAll(clarifications);
      const { issueNumber: issue } = parseClarificationId(id);
      const deliveries = await deliveriesOf(clarifications, state);
      return { output: { nowMs, issue, clarifications, runs, deliveries } };
    }
    const left = await questionsLeftHere(context.io.env, state.tree);
    if (issue !== undefined) {
      const clarifications = state.ledger.getByIssue(issue);
      const runs = await state.runs.ofAll(clarifications);
      const deliveries = await deliveriesOf(clarifications, state);
      const leftHere = left.filter(({ issueNumber }) => issueNumber === issue);
      return { output: { nowMs, issue, clarifications, runs, deliveries, left: leftHere } };
    }
    const exitCode = noteProblems(context.io, scan.problems);
    const active = scan.clarifications.filter(isActive);
    // A table shows no thread: what is not shown need not be looked through for secrets.
    const clarifications = context.isJson ? active : active.map(withoutThread);
    return {
      output: { nowMs, clarifications, runs: await state.runs.ofAll(active), left },
      exitCode,
    };
  },
  render(output: ListOutput, view) {
    const { clarifications, issue, left = [] } = output;
    const nothing = issue === undefined
      ? ["  No active clarifications.", view.style.dim("  Ask one with: agentx clarify ask --help")]
      : [`  Issue #${issue} has no clarifications.`];
    const lines = clarifications.length === 0 ? nothing : renderList(output, view);
    return [...lines, ...renderLeftQuestions(left, view)].join("\n");
  },
});

/** Those that somebody should look at. */
export const stale = defineCommand({
  kind: "clarification.list",
  runsMonitor: true,
  examples: ["agentx clarify stale"],
  async run(context) {
    const { monitor, runs } = await context.openWorkspace();
    const clarifications = monitor.overdueOrStuck();
    const output = { clarifications, runs: await runs.ofAll(clarifications), nowMs: sys.now() };
    return { output };
  },
  render: (output: ListOutput, view) =>
    output.clarifications.length === 0
      ? "  Nothing is stale or stuck."
      : renderList(output, view).join("\n"),
});

function renderList(
  { clarifications, runs, deliveries = [], issue, nowMs }: ListOutput,
  view: RenderView,
): string[] {
  const shown = issue === undefined
    ? renderTable(clarifications, nowMs, view)
    : clarifications.map((record) => renderThread(record, view)).join("\n\n");
  const standing = renderRuns(clarifications, runs, { ...view, nowMs });
  return [shown, ...standing, ...deliveries.map(deliveryLine)];
}

/** Only a thread says how far it got, and only where hosts call hooks: else nothing is delivered. */
async function deliveriesOf(
  clarifications: readonly ClarificationRecord[],
  { root, locks }: WorkspaceState,
): Promise<DeliveryReport[]> {
  const [{ deliveryOf }, { SessionFiles }] = await Promise.all([
    import("../../hosts/hook/delivery.ts"),
    import("../../hosts/hook/session_files.ts"),
  ]);
  const sessions = new SessionFiles(`${root}/.agentx`, () => locks).readAll();
  if (sessions.length === 0) return [];
  return clarifications.flatMap((record) => deliveryOf(record, sessions) ?? []);
}

/** A table says who asked last, and shows nothing else of a thread. */
function withoutThread(record: ClarificationRecord): ClarificationRecord {
  return { ...record, from: askerOf(record), thread: [] };
}
