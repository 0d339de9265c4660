// Names of sessions in the form of SPEC-AgentX section 4: `{agent}-{start in milliseconds}-{six letters or digits}`. A
// session that is captured again, even after it went on, gets the same name. The name is derived from the start and the
// session of the role; if no start is known, it is derived from the first message. Pure.

import { hash32 } from "./hash.ts";

/** A session without a name from its host. */
export interface UnnamedSession {
  /** The agent that the observations of this session are attributed to. */
  agent: string;
  /** The session of that agent, such as `engineer@claude-3f2a`; just the agent if the session is unknown. */
  session: string;
  /** Start of the session, in milliseconds since the epoch; undefined if unknown, and the name then has zeros. */
  startMs: number | undefined;
  /** Distinguishes sessions without a known start. It must contain no secrets, because the name is stored. */
  text: string;
}

const START_DIGITS = 13;
const SUFFIX = 6;

/**
 * Number of characters at the end that are a checksum of the rest. The checksum shows that this module derived the
 * name.
 */
const CHECK = 2;

/** Returns a name such as `engineer-1709035100000-x7y8z9`; always the same for the same session. */
export function deriveSessionId({ agent, session, startMs, text }: UnnamedSession): string {
  const key = startMs === undefined ? `${session}\n\n${text}` : `${session}\n${startMs}`;
  return withCheck(`${sessionPrefix(agent, startMs)}${digitsOf(key, SUFFIX - CHECK)}`);
}

/** Whether a name comes from {@linkcode deriveSessionId}. */
export function isDerived(sessionId: string, agent: string): boolean {
  if (!sessionId.startsWith(`${agent}-`)) return false;
  if (!/^[0-9]{13,16}-[a-z0-9]{6}$/.test(sessionId.slice(agent.length + 1))) return false;
  return withCheck(sessionId.slice(0, -CHECK)) === sessionId;
}

/** Returns the beginning of the names of an agent's sessions. */
export function sessionPrefix(agent: string, startMs = 0): string {
  return `${agent}-${String(startMs).padStart(START_DIGITS, "0")}-`;
}

function withCheck(name: string): string {
  return `${name}${digitsOf(`session ${name}`, CHECK)}`;
}

/** Returns letters and digits that are derived from a text. */
export function digitsOf(text: string, length = SUFFIX): string {
  return (hash32(text) % 36 ** length).toString(36).padStart(length, "0");
}
