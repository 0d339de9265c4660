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
import type { LeftQuestion } from "../../workspace/outbox/outbox_asker.ts";
import { questionsLeftHere, renderLeftQuestions } from "../../workspace/outbox/outbox_here.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

interface ClarifyOutput {
  nowMs: number;
  clarifications: ClarificationRecord[];
  /** Who is at the open questions among them. */
  runs: OpenRun[];
  /** Questions in the outbox of this worktree that no runner has asked; of one thread there is none. */
  left?: LeftQuestion[];
}

/** Lists the active clarifications, or shows the threads of an issue. */
export const command = defineCommand({
  kind: "clarification.list",
  examples: ["agentx clarify", "agentx clarify --issue 42", "agentx clarify CLR-42-001"],
  input: {
    issue: optional(issueNumber, "Show the threads of this issue"),
    id: optional(clarificationId, "Show this thread"),
  },
  conflicts: [["id", "issue"]],
  async run(context, { issue, id }) {
    const state = await context.openState();
    const scan = await runMonitorIfNeeded(state, context.signal);
    if (id !== undefined) {
      const { issueNumber } = parseClarificationId(id);
      const clarifications = [state.ledger.getById(id)];
      const runs = await state.runs.ofAll(clarifications);
      return { output: { nowMs: Date.now(), issue: issueNumber, clarifications, runs } };
    }
    if (issue !== undefined) {
      const clarifications = state.ledger.getByIssue(issue);
      const runs = await state.runs.ofAll(clarifications);
      const left = (await questionsLeftHere(context.io.env, state.tree))
        .filter(({ issueNumber }) => issueNumber === issue);
      return { output: { nowMs: Date.now(), issue, clarifications, runs, left } };
    }
    const exitCode = noteProblems(context.io, scan.problems);
    const active = scan.clarifications.filter(isActive);
    // A table shows no thread: what is not shown need not be looked through for secrets.
    const listed = context.isJson ? active : active.map(withoutThread);
    const runs = await state.runs.ofAll(active);
    const left = await questionsLeftHere(context.io.env, state.tree);
    return { output: { nowMs: Date.now(), clarifications: listed, runs, left }, exitCode };
  },
  render(output: ClarifyOutput & { issue?: number }, view) {
    const { clarifications, runs, left = [], issue, nowMs } = output;
    const standing = renderRuns(clarifications, runs, { ...view, nowMs });
    if (issue !== undefined) {
      const threads = clarifications.map((record) => renderThread(record, view)).join("\n\n");
      const shown = clarifications.length > 0
        ? [threads, ...standing]
        : [`  Issue #${issue} has no clarifications.`];
      return [...shown, ...renderLeftQuestions(left, view)].join("\n");
    }
    const table = clarifications.length > 0
      ? [renderTable(clarifications, nowMs, view), ...standing]
      : [
        "  No active clarifications.",
        view.style.dim("  Ask one with: agentx clarify ask --help"),
      ];
    return [...table, ...renderLeftQuestions(left, view)].join("\n");
  },
});

/** A table says who asked last, and shows nothing else of a thread. */
function withoutThread(record: ClarificationRecord): ClarificationRecord {
  return { ...record, from: askerOf(record), thread: [] };
}
