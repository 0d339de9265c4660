/**
 * Asking a person who types at a terminal.
 *
 * @module
 */

import { sessionVariable } from "../agents/host_session.ts";
import type { RenderView } from "../text/view.ts";
import { type Io, styleFor } from "./io.ts";

/** @returns why nobody can be asked; undefined where a person can */
export function whyNobodyIsAsked(io: Io): string | undefined {
  const session = sessionVariable(io.env);
  if (session !== undefined) return `this is an agent's session (${session})`;
  const isTerminal = io.isTerminal.stdin && io.isTerminal.stderr;
  return isTerminal ? undefined : "there is no terminal at which a human could agree";
}

/** @returns whether the person agrees, who is shown what it is about */
export async function agrees(
  io: Io,
  question: string,
  show: (view: RenderView) => string,
): Promise<boolean> {
  const shown = show({ style: styleFor(io, "stderr"), width: io.columns });
  io.stderr(`${shown}\n\n`);
  io.stderr(`  ${question} [y/N] `);
  return /^y(es)?$/i.test((await io.readLine()).trim());
}
