// By what observations are known again. Pure.
//
// The issue has no part in it: a session may work on several, and they may get new numbers.

import { hashOf } from "../base/hash.ts";
import { digitsOf, isDerived, sessionPrefix } from "../base/session_name.ts";
import type { Observation } from "./schema.ts";

/** The session of all notes of an agent on an issue: nobody recorded it, and it has no start. */
export function noteSessionId(agent: string, issueNumber: number): string {
  return `${sessionPrefix(agent, undefined)}${digitsOf(formerNotes(agent, issueNumber))}`;
}

/** Whether somebody wrote it down: its session is a name that it shares with all notes of its agent. */
export function isNote(
  { agent, issueNumber, sessionId }: Pick<Observation, "agent" | "issueNumber" | "sessionId">,
): boolean {
  return sessionId === noteSessionId(agent, issueNumber);
}

/**
 * The key that recognises the same words, beside the words. If only a derived name tells sessions of one agent on one
 * issue apart, they count as one: the start may have become known only after the first capture, and a removed
 * observation must not come back under another name. Such sessions and notes once had these names, so observations
 * stored under them are recognised too.
 */
function sessionKeyOf(observation: Observation): string {
  const { agent, issueNumber, sessionId } = observation;
  if (isNote(observation)) return formerNotes(agent, issueNumber);
  return isDerived(sessionId, agent) ? `${agent}-${issueNumber}` : sessionId;
}

/** The common key of two captures of the same words in the same session. */
export function identityOf(observation: Observation): string {
  return `${sessionKeyOf(observation)}\n${observation.content}`;
}

/** Recognises an observation without revealing its words: 16 hexadecimal digits. */
export function fingerprintOf(observation: Observation): string {
  return hashOf(identityOf(observation));
}

function formerNotes(agent: string, issueNumber: number): string {
  return `note-${agent}-${issueNumber}`;
}
