/**
 * Observations for a terminal. Pure; what an agent wrote goes through `text.ts`, and is indented so
 * that no line of it can pass for one of ours.
 *
 * @module
 */

import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Observation, ObservationCategory, ObservationIndex } from "../schema.ts";

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

/** Enough to choose which one to read whole. */
export function renderEntries(entries: readonly Entry[], view: RenderView): string {
  return entries.map((entry) => renderEntry(entry, view)).join("\n");
}

/** Id, category, date and cost; what it says in short; and why it was retracted. */
export function renderEntry(entry: Entry, view: RenderView): string {
  const { summary, retracted } = entry;
  const lines = terminalBlock(summary, { indent: "    ", width: columns(view) });
  const end = retracted === undefined ? [] : renderRetraction(retracted, view);
  return [headOf(entry, view), ...lines, ...end].join("\n");
}

/**
 * A whole observation, and what became of it.
 *
 * @param correctedBy ids of those that stand in its place
 */
export function renderObservation(
  observation: Observation,
  view: RenderView,
  correctedBy: readonly string[] = [],
): string {
  const { agent, issueNumber, sessionId, content, supersedes, retracted, replaces } = observation;
  const { style } = view;
  const width = columns(view);
  const notes = [
    ...(supersedes === undefined ? [] : [`Corrects ${supersedes}`]),
    ...correctedBy.map((id) => `Corrected by ${id}`),
    ...(replaces === undefined ? [] : [`Stands for ${replaces.join(", ")}`]),
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

/** The id names agent and issue. */
function headOf({ id, category, timestamp, tokens }: ObservationIndex, view: RenderView): string {
  const { style } = view;
  const mark = Object.hasOwn(CATEGORY_STYLE, category) ? CATEGORY_STYLE[category] : "dim";
  const size = `${timestamp.slice(0, 10)}  ${tokens} tokens`;
  return [
    `  ${style.bold(terminalLine(id, 120))}`,
    style[mark](terminalLine(category, 20)),
    style.dim(terminalLine(size, 40)),
  ].join("  ");
}

function columns({ width }: RenderView): number {
  return Math.max(MIN_COLUMNS, width);
}
