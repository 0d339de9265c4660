import { defineCommand } from "../../cli/command.ts";
import { renderFigures } from "../../text/figure_lines.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { StoreStats } from "../../memory/store/stats.ts";

/** Maximum length of a bar in the histogram. */
const BAR_WIDTH = 30;

const NAME_WIDTH = 24;

const READ =
  "Recordings are read in English; of one in another language, only the last report is kept. " +
  "Notes keep the rest.";

export const command = defineCommand({
  kind: "memory.stats",
  capturesSessions: true,
  examples: ["agentx memory stats", "agentx memory stats --json"],
  async run(context) {
    const memory = await (await context.openState()).memory();
    return { output: { stats: await memory.store.getStats() } };
  },
  render: (output, view) => renderMemoryStats(output, view),
});

/** Renders a line for each figure, then the observations by category, agent and age. */
function renderMemoryStats({ stats }: { stats: StoreStats }, view: RenderView): string {
  const { totalObservations, totalTokens, issueCount, bytes } = stats;
  const figures = renderFigures([
    { label: "Observations", value: String(totalObservations) },
    { label: "Tokens", value: String(totalTokens) },
    { label: "Issues", value: String(issueCount) },
    { label: "Oldest", value: dayOf(stats.oldestTimestamp) },
    { label: "Newest", value: dayOf(stats.newestTimestamp) },
    { label: "On disk", value: formatBytes(bytes) },
  ], view);
  if (totalObservations === 0) return figures;
  const ages = stats.ages.map(({ count }, index): [string, number] => [ageOf(stats, index), count]);
  return [
    figures,
    renderBars("CATEGORY", descending(stats.byCategory), view),
    renderBars("AGENT", descending(stats.byAgent), view),
    renderBars("AGE", ages, view),
    terminalBlock(READ, { indent: "  ", width: view.width }).join("\n"),
  ].join("\n\n");
}

function dayOf(timestamp: string | null): string {
  return timestamp === null ? "-" : terminalLine(timestamp.slice(0, 10));
}

function ageOf({ ages }: StoreStats, index: number): string {
  const { maxDays } = ages[index];
  if (maxDays === null) return `over ${ages[index - 1].maxDays} days`;
  return maxDays === 1 ? "up to a day" : `up to ${maxDays} days`;
}

function descending(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}

function renderBars(
  heading: string,
  counts: readonly [name: string, count: number][],
  { style }: RenderView,
): string {
  const most = Math.max(1, ...counts.map(([, count]) => count));
  const lines = counts.map(([name, count]) => {
    const bar = "#".repeat(Math.ceil(BAR_WIDTH * count / most));
    const label = terminalLine(name, NAME_WIDTH).padEnd(NAME_WIDTH);
    return `  ${label}  ${String(count).padStart(6)}  ${style.cyan(bar)}`.trimEnd();
  });
  return [style.dim(`  ${heading}`), ...lines].join("\n");
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
