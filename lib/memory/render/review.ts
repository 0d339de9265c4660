/**
 * What may no longer be true, for a terminal. Pure; what comes from agents and from files goes through
 * `text.ts`.
 *
 * @module
 */

import { terminalBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Standing } from "../anchors/anchors.ts";
import type { Doubtful } from "../anchors/doubtful.ts";
import { renderEntry } from "./observations.ts";

/** The observation, and why it is in doubt. */
export function renderDoubtful(
  { observation, standing, contradictedBy }: Doubtful,
  view: RenderView,
): string {
  const later = contradictedBy.map((id) => `Contradicted by the later ${id}`);
  const standingLines = renderStanding(standing, observation.commit, view);
  const lines = terminalBlock(later.join("\n"), { indent: "    ", width: view.width });
  return [
    renderEntry(observation, view),
    ...standingLines,
    ...(later.length === 0 ? [] : lines),
  ].join("\n");
}

/** Whether the code that an observation names is as it was; nothing where that is not known. */
export function renderStanding(
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
