import { isoTime, minuteOf } from "../base/time.ts";
import { defineCommand } from "../cli/command.ts";
import { agentName, durationMs, firstRows, issueNumber, rowLimit } from "../cli/inputs.ts";
import { argument, flag, optional } from "../cli/spec.ts";
import type { AuditEnd, AuditEntry } from "../guard/audit.ts";
import { sys } from "../sys/mod.ts";
import { formatTable, moreRows } from "../text/table.ts";
import { checkNamed } from "./agents/check_named.ts";
import { logOf, requestsOf } from "./audit/log_here.ts";

export const command = defineCommand({
  kind: "audit.list",
  examples: ["agentx audit", "agentx audit --blocked --since 24h", "agentx audit --agent engineer"],
  input: {
    agent: optional(agentName("Only what this role wanted to run")),
    issue: optional(argument(issueNumber, "Only for this issue", { short: "i" })),
    since: optional(argument(durationMs, "How far back, such as 24h")),
    blocked: flag("Only what did not run"),
    limit: rowLimit,
  },
  async run(context, { agent, issue, since, blocked, limit }) {
    const from = since === undefined ? "" : isoTime(sys.now() - since);
    const state = await context.openState();
    const requests = requestsOf(state).pending();
    const entries = logOf(state).read().filter((entry) =>
      entry.time >= from && (!blocked || entry.verdict !== "allow") &&
      (agent === undefined || entry.agent === agent) &&
      (issue === undefined || entry.issue === issue)
    ).reverse();
    if (entries.length === 0) await checkNamed(context, agent);
    const { rows, more } = firstRows(entries, limit);
    const idOf = ({ verdict, command }: AuditEntry) =>
      verdict === "ask" ? requests.find((each) => each.command === command)?.id ?? null : null;
    return { output: { entries: rows.map((entry) => ({ ...entry, request: idOf(entry) })), more } };
  },
  render: ({ entries, more }, view) => {
    if (entries.length === 0) return "  Nothing is recorded";
    const headings = [
      { whole: "WHEN" },
      { whole: "VERDICT" },
      { name: "AGENT" },
      { whole: "BY" },
      { whole: "ENDED" },
      { name: "COMMAND" },
    ] as const;
    const rows = entries.map((
      { time, verdict, agent, by, command, request, ...end },
    ) => {
      const said = request === null ? verdict : `${verdict} ${request}`;
      return [minuteOf(time), said, agent ?? "-", by, endedOf(end), command];
    });
    return [formatTable(headings, rows, view), ...moreRows(more, view)].join("\n");
  },
});

function endedOf({ exitCode, durationMs }: AuditEnd): string {
  if (durationMs === null) return "-";
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  return exitCode === null ? took : `${exitCode}, ${took}`;
}
