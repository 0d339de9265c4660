// The line that a session gets at its start: its agent and issue, and a request to search earlier notes and to keep
// the few notes that the next session needs. Pure.

import { RECALL_BEGIN, RECALL_END } from "../text/recall_markers.ts";
import { agentLabel } from "../text/agent_label.ts";
import type { Identity } from "../hooks/identity.ts";

const NOTES =
  "keep at most five notes for the next session with one call of `memory_note` (or `agentx memory note`): " +
  "a decision and why, what failed and what fixed it, a constraint, where something lives.";

/**
 * Returns the line between markers, so that a capture leaves it out. Without memory it asks for no notes, and may be
 * empty.
 */
export function startLine({ agent, issue }: Identity, hasMemory: boolean): string {
  const role = agent === null ? "" : ` as ${agentLabel(agent)}`;
  const about = issue === null ? "" : ` on issue #${issue}`;
  const parts = role + about === "" ? [] : [`you work${role}${about}`];
  if (hasMemory) {
    const whose = issue === null
      ? " No issue is set, so they belong to the project; to set one: " +
        `\`agentx here ${agent === null ? "--as ROLE " : ""}--issue N\`.`
      : "";
    parts.push(
      "before you decide something, search what earlier sessions noted: `memory_search` (or `agentx memory search`)",
      `before this work is handed over, ${NOTES}${whose}`,
    );
  }
  return parts.length === 0 ? "" : marked(parts.join("; "));
}

/** Returns the line that a session gets before it stops. */
export function stopLine(): string {
  return marked(`before you stop, ${NOTES} If there is nothing to keep, stop.`);
}

function marked(text: string): string {
  return [RECALL_BEGIN, `agentx: ${text}`, RECALL_END, ""].join("\n");
}
