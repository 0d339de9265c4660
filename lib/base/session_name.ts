// Names of sessions, as SPEC-AgentX section 4 writes them: `{agent}-{start in milliseconds}-{six letters or
// digits}`. A session that is captured again, also after it went on, has the same name: it follows from the
// start and from which session of the role it was; where no start is known, from the first message. Pure.

import { hash32 } from "./hash.ts";

/** A session that its host gives no name. */
export interface UnnamedSession {
  /** The agent that its observations name. */
  agent: string;
  /** Which session of that agent it was, such as `engineer@claude-3f2a`; the agent, if not known. */
  session: string;
  /** Milliseconds since the epoch; undefined if not known, which the name shows as zeros. */
  startMs: number | undefined;
  /** Tells sessions apart where no start is known; without secrets, since the name is stored. */
  text: string;
}

const START_DIGITS = 13;
const SUFFIX = 6;

/** How many of the six are a check of what comes before, by which a name of ours is recognised. */
const CHECK = 2;

/** Such as `engineer-1709035100000-x7y8z9`, the same for the same session. */
export function deriveSessionId({ agent, session, startMs, text }: UnnamedSession): string {
  const key = startMs === undefined ? `${session}\n\n${text}` : `${session}\n${startMs}`;
  return withCheck(`${sessionPrefix(agent, startMs)}${digitsOf(key, SUFFIX - CHECK)}`);
}

/** Whether {@linkcode deriveSessionId} made a name. */
export function isDerived(sessionId: string, agent: string): boolean {
  if (!sessionId.startsWith(`${agent}-`)) return false;
  if (!/^[0-9]{13,16}-[a-z0-9]{6}$/.test(sessionId.slice(agent.length + 1))) return false;
  return withCheck(sessionId.slice(0, -CHECK)) === sessionId;
}

/** How the names of the sessions of an agent begin. */
export function sessionPrefix(agent: string, startMs = 0): string {
  return `${agent}-${String(startMs).padStart(START_DIGITS, "0")}-`;
}

function withCheck(name: string): string {
  return `${name}${digitsOf(`session ${name}`, CHECK)}`;
}

/** Letters and digits that follow from a text. */
export function digitsOf(text: string, length = SUFFIX): string {
  return (hash32(text) % 36 ** length).toString(36).padStart(length, "0");
}
