// Renders observations for a terminal. Pure. Texts of agents go through `text.ts`, and are indented so that no line of
// them can pass for one of ours.

import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import {
  type Observation,
  type ObservationCategory,
  type ObservationIndex,
  toldBy,
} from "../../memory/schema.ts";
import { RECALL_QUOTE } from "../../text/recall_markers.ts";
import { formatTable } from "../../text/table.ts";
import type { Standing } from "../../memory/anchors/anchors.ts";
import type { InDoubt } from "../../memory/anchors/in_doubt.ts";

const MIN_COLUMNS = 40;

const CATEGORY_STYLE: Record<ObservationCategory, keyof RenderView["style"]> = {
  "decision": "green",
  "code-change": "cyan",
  "error": "red",
  "key-fact": "yellow",
  "compaction-summary": "dim",
};

/** An observation, whole or as index entry. */
type Entry = ObservationIndex & Pick<Partial<Observation>, "retracted">;

/** Renders observations in short, enough to choose one to read whole. */
export function renderEntries(entries: readonly Entry[], view: RenderView): string {
  return entries.map((entry) => renderMemoryEntry(entry, view)).join("\n");
}

/** Renders id, category, date and cost, the content in short, and the reason of a retraction. */
export function renderMemoryEntry(entry: Entry, view: RenderView): string {
  const { summary, retracted } = entry;
  const lines = terminalBlock(summary, { indent: "    ", width: columns(view) });
  const end = retracted === undefined ? [] : renderRetraction(retracted, view);
  return [headOf(entry, view), ...lines, ...end].join("\n");
}

/** Renders a whole observation, with its corrections and its retraction. */
export function renderObservation(
  observation: Observation,
  view: RenderView,
  correctedBy: readonly string[] = [],
): string {
  const { agent, issueNumber, sessionId, content, supersedes, retracted } = observation;
  const { style } = view;
  const width = columns(view);
  const notes = [
    ...(supersedes === undefined ? [] : [`Corrects ${supersedes}`]),
    ...correctedBy.map((id) => `Corrected by ${id}`),
  ];
  return [
    headOf(observation, view),
    style.dim(terminalLine(`  ${agent} on #${issueNumber}, session ${sessionId}`, width)),
    "",
    ...terminalBlock(content, { indent: "    ", width }),
    ...(notes.length === 0
      ? []
      : ["", ...terminalBlock(notes.join("\n"), { indent: "  ", width })]),
    ...(retracted === undefined ? [] : ["", ...renderRetraction(retracted, view)]),
  ].join("\n");
}

function renderRetraction(
  { because, timestamp }: NonNullable<Observation["retracted"]>,
  view: RenderView,
): string[] {
  return [
    `  ${view.style.red("[RETRACTED]")} ${terminalLine(timestamp.slice(0, 10))}`,
    ...terminalBlock(because, { indent: "    ", width: columns(view) }),
  ];
}

/** Renders the first line. The id names agent and issue. */
function headOf(entry: ObservationIndex, view: RenderView): string {
  const { id, category, timestamp, tokens } = entry;
  const { style } = view;
  const mark = Object.hasOwn(CATEGORY_STYLE, category) ? CATEGORY_STYLE[category] : "dim";
  const who = toldBy(entry);
  const size = `${timestamp.slice(0, 10)}  ${tokens} tokens`;
  return [
    `  ${style.bold(terminalLine(id, 120))}`,
    style[mark](terminalLine(category, 20)),
    ...(who === "" ? [] : [who]),
    style.dim(terminalLine(size, 40)),
  ].join("  ");
}

function columns({ width }: RenderView): number {
  return Math.max(MIN_COLUMNS, width);
}

/** Renders the section unchanged in a pipe, and within the width of a terminal. */
export function renderRecall(section: string, { width, isPiped }: RenderView): string {
  if (isPiped) return section;
  const quote = { indent: RECALL_QUOTE, width };
  return section.split("\n").flatMap((line) =>
    line.startsWith(RECALL_QUOTE) ? terminalBlock(line.slice(RECALL_QUOTE.length), quote) : [line]
  ).join("\n");
}

/** The archived or restored observations; `restored` is null unless `--undo` was given. */
interface Compactions {
  isDryRun: boolean;
  compactions: readonly { issueNumber: number; before: number; after: number }[];
  restored: readonly Observation[] | null;
}

/** Renders a line for each issue. */
export function renderCompactions(
  { isDryRun, compactions, restored }: Compactions,
  view: RenderView,
): string {
  if (restored !== null) return renderRestored(restored, view);
  if (compactions.length === 0) return "  Nothing is old enough to be archived.";
  const rows = compactions.map(({ issueNumber, before, after }) => [
    `#${issueNumber}`,
    String(before),
    String(after),
    `${Math.round(100 * (before - after) / before)}%`,
  ]);
  const end = isDryRun
    ? "Nothing was changed: this was a dry run."
    : "Take it back with: agentx memory compact --undo --issue N";
  const table = formatTable(["ISSUE", "BEFORE", "AFTER", "FEWER"], rows, view);
  return `${table}\n\n  ${view.style.dim(end)}`;
}

function renderRestored(restored: readonly Observation[], view: RenderView): string {
  if (restored.length === 0) return "  Nothing of this issue is in the archive.";
  return `${renderEntries(restored, view)}\n\n  Brought back: ${restored.length}`;
}

/** Renders an observation, and why it is in doubt. */
export function renderInDoubt(
  { observation, standing, contradictedBy }: InDoubt,
  view: RenderView,
): string {
  const later = contradictedBy.map((id) => `Contradicted by the later ${id}`);
  const standingLines = renderAnchorStanding(standing, observation.commit, view);
  const lines = terminalBlock(later.join("\n"), { indent: "    ", width: view.width });
  return [
    renderMemoryEntry(observation, view),
    ...standingLines,
    ...(later.length === 0 ? [] : lines),
  ].join("\n");
}

/** Renders whether the code that an observation names is unchanged; nothing if that is not known. */
export function renderAnchorStanding(
  { state, changes }: Standing,
  commit: string | undefined,
  { style, width }: RenderView,
): string[] {
  if (state === "unknown") return [];
  const then = /^[0-9a-f]{7,64}$/.test(commit ?? "") ? ` of ${commit!.slice(0, 8)}` : "";
  const mark = state === "same" ? style.green : state === "gone" ? style.red : style.yellow;
  return [
    `  ${mark(`[${state.toUpperCase()}]`)} compared with the code${then}`,
    ...(changes.length === 0
      ? []
      : terminalBlock(changes.join("\n"), { indent: "    ", width: Math.max(40, width) })),
  ];
}
