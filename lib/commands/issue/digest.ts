import { renderStats } from "../../clarify/render/stats.ts";
import { defineCommand } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { optional, rule, type Spec } from "../../cli/spec.ts";
import { EXIT_CODES } from "../../errors.ts";
import { formatTable } from "../../text/table.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import {
  formatIsoWeek,
  type IsoWeek,
  isoWeekOf,
  parseIsoWeek,
} from "../../work/digest/iso_week.ts";
import type { Digest } from "../../work/digest/schema.ts";

const week: Spec<IsoWeek> = {
  ...rule((text) => parseIsoWeek(text) !== undefined, "be a week such as 2026-W09"),
  description: "The week, in UTC (default: this one)",
  placeholder: "2026-W09",
  read: (text) => parseIsoWeek(text)!,
};

/** Writes down what a week brought, and prints it. */
export const command = defineCommand({
  kind: "digest",
  examples: ["agentx digest", "agentx digest --week 2026-W09"],
  input: { week: optional(week) },
  async run(context, { week = isoWeekOf(Date.now()) }) {
    const workspace = await context.openWorkspace();
    const digests = await workspace.digests();
    const { digest, problems } = digests.collect(week);
    for (const { summary } of problems) note(context.io, summary);
    const path = await digests.write(digest);
    const exitCode = problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0;
    return { output: { digest, path }, exitCode };
  },
  render({ digest, path }, view) {
    const { style } = view;
    const head = `${style.bold(`Digest ${formatIsoWeek(digest)}`)}, ${digest.from} to ${digest.to}`;
    return [
      `  ${head} (UTC)`,
      renderStats(digest.clarifications, view),
      renderIssues(digest, view),
      renderAssumptions(digest, view),
      style.dim(`  Written to ${terminalLine(path)}`),
    ].join("\n\n");
  },
});

function renderIssues({ closedIssues }: Digest, view: RenderView): string {
  if (closedIssues.length === 0) return "  No issue was closed.";
  const rows = closedIssues.map(({ number, title, updated }) => [
    `#${number}`,
    updated.slice(0, 10),
    title,
  ]);
  return formatTable(["ISSUE", "CLOSED", "TITLE"], rows, view);
}

function renderAssumptions({ assumptions }: Digest, view: RenderView): string {
  if (assumptions.length === 0) return "  No assumption was taken.";
  const rows = assumptions.map(({ agent, issue, confidence, decision }) => [
    agent ?? "-",
    issue === null ? "-" : `#${issue}`,
    confidence ?? "-",
    decision,
  ]);
  return formatTable(["AGENT", "ISSUE", "CONFIDENCE", "ASSUMPTION"], rows, view);
}
