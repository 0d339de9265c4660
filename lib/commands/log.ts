// `agentx log`: what was done by whom, as the log has it.

import { countNames } from "../base/groups.ts";
import { agentLabel } from "../text/agent_label.ts";
import { defineCommand } from "../cli/command.ts";
import { agentName, durationMs, firstRows, issueNumber, rowLimit } from "../cli/inputs.ts";
import { flag, optional, rule } from "../cli/spec.ts";
import type { LogLine } from "../events/follower.ts";
import { logDetail, logIssue } from "../events/log_line.ts";
import { readLog } from "../events/read_log.ts";
import { sys } from "../sys/mod.ts";
import { formatTable, moreRows } from "../text/table.ts";
import { minuteOf } from "../base/time.ts";

/** How often an event or an operation stands in the log. */
interface OperationCount {
  operation: string;
  count: number;
}

/** The latest lines; under `--summary` how often each operation occurred. */
interface LogOutput {
  lines: LogLine[];
  more: number;
  summary?: OperationCount[];
}

export const command = defineCommand({
  kind: "log.list",
  examples: [
    "agentx log",
    "agentx log --agent engineer --kind clarification --since 2h",
    "agentx log --issue 42 --summary",
  ],
  input: {
    agent: optional(agentName("Only what this agent did, or what was done with it")),
    kind: optional(
      { ...rule(/^[a-z][a-z-]{0,40}$/, "be a word such as clarification"), placeholder: "KIND" },
      "Only events and operations whose name begins so",
    ),
    issue: optional(issueNumber, "Only what was about this issue"),
    since: optional(durationMs, "How far back, such as 2h (default: 24h)"),
    limit: rowLimit,
    summary: flag("Count the lines by event and operation", { short: "m" }),
  },
  async run({ openState }, { summary, since, limit, ...filter }) {
    const { root } = await openState();
    const sinceMs = since === undefined ? undefined : sys.now() - since;
    const all = readLog(`${root}/.agentx/log`, { ...filter, sinceMs });
    const { rows, more } = firstRows([...all].reverse(), limit);
    const output: LogOutput = { lines: rows.reverse(), more };
    return { output: summary ? { lines: [], more: 0, summary: countsOf(all) } : output };
  },
  render({ lines, more, summary }: LogOutput, view) {
    if (summary !== undefined) {
      if (summary.length === 0) return NOTHING;
      const rows = summary.map(({ operation, count }) => [operation, String(count)]);
      return formatTable(["WHAT", "COUNT"], rows, view);
    }
    if (lines.length === 0) return NOTHING;
    const rows = lines.map((line) => [
      minuteOf(line.time),
      line.operation,
      agentLabel(`${line.agent ?? line.fromAgent ?? "-"}`),
      logIssue(line) === undefined ? "-" : `#${logIssue(line)}`,
      logDetail(line),
    ]);
    const table = formatTable(["TIME (UTC)", "WHAT", "WHO", "ISSUE", "DETAILS"], rows, view);
    return [table, ...moreRows(more, view)].join("\n");
  },
});

const NOTHING = "  Nothing in the log.";

/** The most frequent first. */
function countsOf(lines: readonly LogLine[]): OperationCount[] {
  return countNames(lines.map(({ operation }) => operation).sort())
    .map(({ name, count }) => ({ operation: name, count }));
}
