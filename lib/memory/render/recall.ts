/**
 * A recall for a terminal, where no quoted line may go on in the first column. Pure.
 *
 * @module
 */

import { terminalBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { RECALL_QUOTE } from "../recall/recall_markers.ts";

/** The section as it is, and on a terminal within its width. */
export function renderRecall(section: string, { width, isPiped }: RenderView): string {
  if (isPiped) return section;
  const quote = { indent: RECALL_QUOTE, width };
  return section.split("\n").flatMap((line) =>
    line.startsWith(RECALL_QUOTE) ? terminalBlock(line.slice(RECALL_QUOTE.length), quote) : [line]
  ).join("\n");
}
