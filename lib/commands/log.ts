// `agentx log`: the actions of agents and people in the log.

import { countNames } from "../base/groups.ts";
import { agentLabel } from "../text/agent_label.ts";
import { defineCommand } from "../cli/command.ts";
import { agentName, durationMs, firstRows, issueNumber, rowLimit } from "../cli/inputs.ts";
import { flag, optional, rule } from "../cli/spec.ts";
import type { LogLine } from "../events/follower.ts";
import type { Operation } from "../events/operations.ts";
import { LOG_KINDS, logAgent, logDetail, logIssue } from "../events/log_line.ts";
import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";
import { formatTable, moreRows } from "../text/table.ts";
import { minuteOf } from "../base/time.ts";
import type { RenderView } from "../text/view.ts";
import { checkNamed } from "./agents/check_named.ts";
import { changedBy, hasForgotten } from "../undo/undo.ts";
import type { KnownIssue } from "../work/issue/issue_files.ts";
import type { WorkspaceState } from "../workspace/state.ts";

/** The number of lines for an event or an operation in the log. */
interface OperationCount {
  operation: string;
  count: number;
}

/** The latest lines; with `--summary`, the number of lines for each operation. */
interface LogOutput {
  lines: LogLine[];
  more: number;
  summary?: OperationCount[];
  /** With `--undoable`: the operations that can be undone, the latest last. */
  operations?: UndoableOperation[];
}

/** An operation that `agentx undo` can undo. */
interface UndoableOperation extends Pick<Operation, "id" | "time" | "by" | "command"> {
  /** The changed records, such as `#3` or `CLR-3-001`. */
  changed: string[];
}

export const command = defineCommand({
  kind: "log.list",
  examples: [
    "agentx log",
    "agentx log --agent engineer --kind clarification --since 2h",
    "agentx log --issue 42 --summary",
    "agentx log --undoable",
  ],
  input: {
    agent: optional(agentName("Only what this agent did, or what was done to it")),
    kind: optional(
      { ...rule(/^[a-z][A-Za-z-]{0,40}$/, "be a word such as clarification"), placeholder: "KIND" },
      `Only ${LOG_KINDS.join(", ")}; or events whose name begins with KIND`,
    ),
    issue: optional(issueNumber, "Only what was about this issue"),
    since: optional(durationMs, "How far back, such as 2h (default: 24h; for an issue, all)"),
    limit: rowLimit,
    summary: flag("Count the lines by event and operation", { short: "m" }),
    undoable: flag("List the operations that agentx undo takes back"),
  },
  conflicts: { undoable: ["agent", "kind", "issue", "since", "summary"] },
  async run(context, { summary, undoable, since, limit, ...filter }) {
    const state = await context.openState();
    if (undoable) return { output: await operationsIn(state, limit) };
    const { root } = state;
    const fromStart = filter.issue === undefined ? undefined : 0;
    const sinceMs = since === undefined ? fromStart : sys.now() - since;
    const all = readLog(`${root}/.agentx/log`, { ...filter, sinceMs });
    if (all.length === 0) await checkNamed(context, filter.agent);
    const { rows, more } = firstRows([...all].reverse(), limit);
    const output: LogOutput = { lines: rows.reverse(), more };
    return { output: summary ? { lines: [], more: 0, summary: countsOf(all) } : output };
  },
  render({ lines, more, summary, operations }: LogOutput, view) {
    if (operations !== undefined) return renderOperations(operations, more, view);
    if (summary !== undefined) {
      if (summary.length === 0) return NOTHING;
      const rows = summary.map(({ operation, count }) => [operation, String(count)]);
      return formatTable(["WHAT", "COUNT"], rows, view);
    }
    if (lines.length === 0) return NOTHING;
    const rows = lines.map((line) => [
      minuteOf(line.time),
      line.operation,
      agentLabel(logAgent(line) ?? "-"),
      logIssue(line) === undefined ? "-" : `#${logIssue(line)}`,
      logDetail(line),
    ]);
    const table = formatTable(["TIME (UTC)", "WHAT", "WHO", "ISSUE", "DETAILS"], rows, view);
    return [table, ...moreRows(more, view)].join("\n");
  },
});

const NOTHING = "  Nothing in the log.";

async function operationsIn(state: WorkspaceState, limit: number | undefined): Promise<LogOutput> {
  const all = state.operations.list().filter((one) => !one.isUndone && !hasForgotten(one));
  const { rows, more } = firstRows(all.reverse(), limit);
  const { byUid } = (await state.issueStore()).view();
  const operations: UndoableOperation[] = [];
  for (const operation of rows.reverse()) {
    const { id, time, by } = operation;
    const [step] = stepsIn(operation, byUid);
    const command = step === undefined ? operation.command : `${operation.command}, step ${step}`;
    operations.push({ id, time, by, command, changed: await changedBy(state, operation) });
  }
  return { lines: [], more, operations };
}

/** Returns the steps that an operation claimed or ended. */
function stepsIn({ effects }: Operation, byUid: ReadonlyMap<string, KnownIssue>): string[] {
  return effects.flatMap((effect) => {
    const lines = effect.of === "issues" && "lines" in effect ? Object.entries(effect.lines) : [];
    return lines.flatMap(([uid, ids]) =>
      (byUid.get(uid)?.lines ?? []).flatMap((line) =>
        "step" in line && line.step !== undefined && ids.includes(line.id) ? [line.step] : []
      )
    );
  });
}

function renderOperations(
  operations: readonly UndoableOperation[],
  more: number,
  view: RenderView,
): string {
  if (operations.length === 0) return "  Nothing can be undone.";
  const rows = operations.map(({ id, time, by, command, changed }) => [
    id,
    minuteOf(time),
    agentLabel(by),
    command,
    changed.join(", "),
  ]);
  const headings = ["OPERATION", "TIME (UTC)", "WHO", "WHAT", "CHANGED"];
  return [formatTable(headings, rows, view), ...moreRows(more, view)].join("\n");
}

/** Counts the lines by operation, the most frequent first. */
function countsOf(lines: readonly LogLine[]): OperationCount[] {
  return countNames(lines.map(({ operation }) => operation).sort())
    .map(({ name, count }) => ({ operation: name, count }));
}
