/**
 * Whether a person types at a terminal, and can be asked.
 *
 * @module
 */

import { sessionVariable } from "../agents/host_session.ts";
import type { Io } from "./io.ts";

/** @returns why nobody can be asked; undefined where a person can */
export function whyNobodyIsAsked(io: Io): string | undefined {
  const session = sessionVariable(io.env);
  if (session !== undefined) return `this is an agent's session (${session})`;
  const isTerminal = io.isTerminal.stdin && io.isTerminal.stderr;
  return isTerminal ? undefined : "there is no terminal at which a person could agree";
}
