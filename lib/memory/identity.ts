// Keys that recognise an observation that was stored before. Pure.
//
// The key of a named session does not include the issue: a session may work on several, and they may get new numbers.

import { hashOf } from "../base/hash.ts";
import { digitsOf, isDerived, sessionPrefix } from "../base/session_name.ts";
import type { Observation } from "./schema.ts";

/** Returns the session id that all notes of an agent on an issue share. No recording of this session exists. */
export function noteSessionId(agent: string, issueNumber: number): string {
  return `${sessionPrefix(agent, undefined)}${digitsOf(formerNotes(agent, issueNumber))}`;
}

/** Whether somebody wrote the observation down as a note: all notes of an agent on an issue share one session id. */
export function isNote(
  { agent, issueNumber, sessionId }: Pick<Observation, "agent" | "issueNumber" | "sessionId">,
): boolean {
  return sessionId === noteSessionId(agent, issueNumber);
}

/**
 * Returns the key of a session. With the words, it recognises an observation.
 *
 * Sessions of one agent on one issue count as one if only derived names distinguish them: the start may have become
 * known only after the first capture, and a removed observation must not come back under another name. These sessions
 * and notes used to have the names returned here, so observations stored under them are recognised, too.
 */
function sessionKeyOf(observation: Observation): string {
  const { agent, issueNumber, sessionId } = observation;
  if (isNote(observation)) return formerNotes(agent, issueNumber);
  return isDerived(sessionId, agent) ? `${agent}-${issueNumber}` : sessionId;
}

/** Returns the key that two captures of the same words in the same session share. */
export function identityOf(observation: Observation): string {
  return `${sessionKeyOf(observation)}\n${observation.content}`;
}

/** Returns 16 hexadecimal digits that recognise an observation without revealing its words. */
export function fingerprintOf(observation: Observation): string {
  return hashOf(identityOf(observation));
}

function formerNotes(agent: string, issueNumber: number): string {
  return `note-${agent}-${issueNumber}`;
}
