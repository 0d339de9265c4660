/**
 * What a session is told at its start where nobody said which issue it is about: then nothing is
 * recalled, nothing of it is captured, and all of that in silence. Pure.
 *
 * @module
 */

import { RECALL_BEGIN, RECALL_END } from "../../memory/recall/recall_markers.ts";
import type { Identity } from "./identity.ts";

/** @returns a line between markers, so that a capture leaves it out; empty where the issue is known */
export function unboundLine({ agent, issue }: Identity): string {
  if (issue !== null) return "";
  const role = agent === null ? "--as ROLE " : "";
  return [
    RECALL_BEGIN,
    "agentx: no issue is set for this session, so nothing was recalled, and nothing from it will be " +
    `remembered. To set one, run in this session: \`agentx here ${role}--issue N\``,
    RECALL_END,
    "",
  ].join("\n");
}
