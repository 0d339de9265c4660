/**
 * Asking a person who types at a terminal.
 *
 * @module
 */

import { sessionVariable } from "../agents/host_session.ts";
import { AgentxError } from "../errors.ts";
import type { RenderView } from "../text/view.ts";
import { type Io, viewOf } from "./io.ts";

/** @returns why nobody can be asked; undefined where a person can */
export function whyNobodyIsAsked(io: Io): string | undefined {
  const session = agentSession(io);
  if (session !== undefined) return session;
  const isTerminal = io.isTerminal.stdin && io.isTerminal.stderr;
  return isTerminal ? undefined : "there is no terminal at which a human could agree";
}

function agentSession(io: Io): string | undefined {
  const session = sessionVariable(io.env);
  return session === undefined ? undefined : `this is an agent's session (${session})`;
}

/**
 * Refuses to an agent what only a human may change.
 *
 * @param io the environment
 * @param what is to be changed, as it follows "Cannot change"
 * @param refusal where it is, and what a human can do
 * @throws {AgentxError} `UNTRUSTED` in an agent's session
 */
export function refuseAgents(
  io: Io,
  what: string,
  { path, next = "A human changes it in their own shell" }: { path: string; next?: string },
): void {
  const reason = agentSession(io);
  if (reason === undefined) return;
  throw new AgentxError("UNTRUSTED", `Cannot change ${what}: ${reason}`, {
    details: { path, reason },
    next,
  });
}

/** @returns whether the person agrees, who is shown what it is about */
export async function agrees(
  io: Io,
  question: string,
  show: (view: RenderView) => string,
): Promise<boolean> {
  io.stderr(`${show(viewOf(io, "stderr"))}\n\n`);
  io.stderr(`  ${question} [y/N] `);
  return /^y(es)?$/i.test((await io.readLine()).trim());
}

/** @returns the key that answers a question; null where nobody types */
export async function pressedKey(io: Io, question: string): Promise<string | null> {
  const press = io.readKey(); // whoever sees the question is heard
  try {
    io.stderr(question);
    return await press.key;
  } finally {
    press.stop();
  }
}
