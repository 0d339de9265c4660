// By what sessions and observations are known again. Pure.
//
// Names of sessions are as SPEC-AgentX section 4 writes them:
// `{agent}-{start in milliseconds}-{six letters or digits}`. What a host calls its session stays as
// it is. Any other name follows from what is known of the session, so that one that is captured again,
// also after it went on, has the same name: from its start and from which session of the role it was;
// where no start is known, from the first message, or from the whole of a summary. The issue has no
// part in it: a session may work on several, and they may get new numbers.

import type { Observation } from "./schema.ts";

/** A session that its host gives no name. */
export interface UnnamedSession {
  /** The agent that its observations name. */
  agent: string;
  /** Which session of that agent it was, such as `engineer@claude-3f2a`; the agent, if not known. */
  session: string;
  /** Milliseconds since the epoch; undefined if not known, which the name shows as zeros. */
  startMs: number | undefined;
  /** What tells it apart where no start is known; without secrets, since the name is stored. */
  text: string;
}

const START_DIGITS = 13;
const SUFFIX = 6;

/** How many of the six are a check of what comes before, by which a name of ours is recognised. */
const CHECK = 2;

/** Such as `engineer-1709035100000-x7y8z9`, the same for the same session. */
export function deriveSessionId({ agent, session, startMs, text }: UnnamedSession): string {
  const key = startMs === undefined ? `${session}\n\n${text}` : `${session}\n${startMs}`;
  return withCheck(`${startOf(agent, startMs)}${digitsOf(key, SUFFIX - CHECK)}`);
}

/** The session of all notes of an agent on an issue: nobody recorded it, and it has no start. */
export function noteSessionId(agent: string, issueNumber: number): string {
  return `${startOf(agent, undefined)}${digitsOf(formerNotes(agent, issueNumber), SUFFIX)}`;
}

/** Whether somebody wrote it down: its session is a name that it shares with all notes of its agent. */
export function isNote({ agent, issueNumber, sessionId }: Observation): boolean {
  return sessionId === noteSessionId(agent, issueNumber);
}

/**
 * What the same words are recognised by, beside the words. Where nothing but a derived name tells
 * sessions of one agent on one issue apart, they count as one: the start may have become known only
 * after the first capture, and what was removed must not come back under another name. These are the
 * names that such sessions and notes once had, so that what was stored under those is recognised too.
 */
function sessionKeyOf(observation: Observation): string {
  const { agent, issueNumber, sessionId } = observation;
  if (isNote(observation)) return formerNotes(agent, issueNumber);
  return isDerived(sessionId, agent) ? `${agent}-${issueNumber}` : sessionId;
}

/** What two captures of the same words in the same session have in common. */
export function identityOf(observation: Observation): string {
  return `${sessionKeyOf(observation)}\n${observation.content}`;
}

/** Recognises an observation, and does not tell what it said: 16 hexadecimal digits. */
export function fingerprintOf(observation: Observation): string {
  return hashOf(identityOf(observation));
}

/** 64 bits, as 16 hexadecimal digits. */
export function hashOf(text: string): string {
  return [hash32(text), hash32(text, 0x9e3779b9)]
    .map((hash) => hash.toString(16).padStart(8, "0")).join("");
}

function isDerived(sessionId: string, agent: string): boolean {
  if (!sessionId.startsWith(`${agent}-`)) return false;
  if (!/^[0-9]{13,16}-[a-z0-9]{6}$/.test(sessionId.slice(agent.length + 1))) return false;
  return withCheck(sessionId.slice(0, -CHECK)) === sessionId;
}

function formerNotes(agent: string, issueNumber: number): string {
  return `note-${agent}-${issueNumber}`;
}

function startOf(agent: string, startMs = 0): string {
  return `${agent}-${String(startMs).padStart(START_DIGITS, "0")}-`;
}

function withCheck(name: string): string {
  return `${name}${digitsOf(`session ${name}`, CHECK)}`;
}

function digitsOf(text: string, length: number): string {
  return (hash32(text) % 36 ** length).toString(36).padStart(length, "0");
}

/**
 * 32 bits: FNV-1a over the UTF-16 units, mixed so that every unit reaches every bit. Another seed
 * gives another, independent number.
 */
export function hash32(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x45d9f3b);
  return (hash ^ hash >>> 15) >>> 0;
}

/** 53 bits as an exact number; that two texts of a workspace share it has negligible probability. */
export function hash53(text: string): number {
  return (hash32(text, 0x9e3779b9) & 0x1fffff) * 0x100000000 + hash32(text);
}

/** A checksum of 32 bits, in which every byte and their order count: two sums, as in Fletcher's of 1982. */
export class Checksum {
  #a = 1;
  #b = 0;

  /** Takes in what comes next, and returns the checksum of all so far. */
  add(bytes: Uint8Array): number {
    let a = this.#a;
    let b = this.#b;
    for (const byte of bytes) {
      a = a + byte | 0;
      b = b + a | 0;
    }
    this.#a = a;
    this.#b = b;
    const mixed = Math.imul(b ^ b >>> 15, 0x45d9f3b);
    return (a ^ mixed ^ mixed >>> 13) >>> 0;
  }
}
