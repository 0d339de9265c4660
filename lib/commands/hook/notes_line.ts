// What a session is asked at its start: to search what others noted, and to keep the few notes that the next one
// needs. Pure.

import { RECALL_BEGIN, RECALL_END } from "../../text/recall_markers.ts";
import type { Identity } from "../../hooks/identity.ts";

const NOTES =
  "keep at most five notes for the next session with one call of `memory_note` (or `agentx memory note`): " +
  "a decision and why, what failed and what fixed it, a constraint, where something lives.";

/** At its start, a line between markers, so that a capture leaves it out. */
export function notesLine({ agent, issue }: Identity): string {
  const role = agent === null ? "--as ROLE " : "";
  const whose = issue === null
    ? ` No issue is set, so they belong to the project; to set one: \`agentx here ${role}--issue N\`.`
    : "";
  return marked(
    "before you decide something, search what earlier sessions noted: `memory_search` (or `agentx memory search`); " +
      `before this work is handed over, ${NOTES}${whose}`,
  );
}

/** Before it stops. */
export function stopLine(): string {
  return marked(`before you stop, ${NOTES} If there is nothing to keep, stop.`);
}

function marked(text: string): string {
  return [RECALL_BEGIN, `agentx: ${text}`, RECALL_END, ""].join("\n");
}
