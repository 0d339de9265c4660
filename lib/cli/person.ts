// Asks a person who types at a terminal.

import { type Ruling, surfaceOf } from "../who/surface.ts";
import { AgentxError } from "../base/errors.ts";
import type { RenderView } from "../text/view.ts";
import { type Io, viewOf } from "./io.ts";

/** Returns why nobody can be asked; undefined if a person can be. */
export function whyNobodyIsAsked(io: Io): string | undefined {
  const { surface, agent } = surfaceOf(io);
  if (agent !== undefined) return inSession(agent);
  const hasPerson = ["terminal", "unread terminal", "board", "editor"].includes(surface);
  return hasPerson ? undefined : "there is no terminal at which a human could agree";
}

/** Returns the evidence of an agent's session as a clause; undefined if there is none. */
export function agentSession(io: Io): string | undefined {
  const { agent } = surfaceOf(io);
  return agent === undefined ? undefined : inSession(agent);
}

/** Returns the clause with which messages state the evidence of an agent's session. */
export function inSession(agent: string): string {
  return `this is an agent's session, since ${agent}`;
}

/**
 * Refuses an action that only a human may take; `action` follows "Cannot". Throws `UNTRUSTED` in an agent's session.
 */
export function refuseAgents(
  io: Io,
  action: string,
  { path, next = "A human changes it in their own shell" }: { path: string; next?: string },
): void {
  const reason = agentSession(io);
  if (reason === undefined) return;
  throw new AgentxError("UNTRUSTED", `Cannot ${action}: ${reason}`, {
    details: { path, reason },
    next,
  });
}

/**
 * Shows the subject to a person, and returns whether they agree. The ruling determines whether they must type a word or
 * only press y.
 */
export async function agrees(
  io: Io,
  question: string,
  show: (view: RenderView) => string,
  ruling: Ruling = "yes",
): Promise<boolean> {
  io.stderr(`${show(viewOf(io, "stderr"))}\n\n`);
  if (ruling === "word") return await typesWord(io, question);
  io.stderr(`  ${question} [y/N] `);
  return /^y(es)?$/i.test((await io.readLine()).trim());
}

/** Whether the person types the word, which nobody types by accident. */
export async function typesWord(io: Io, question: string): Promise<boolean> {
  io.stderr(`  ${question} Type "${WORD}": `);
  return (await io.readLine()).trim().toLowerCase() === WORD;
}

const WORD = "i decide";

/** Returns the key that answers a question; null if nobody types. */
export async function pressedKey(io: Io, question: string): Promise<string | null> {
  const press = io.readKey(); // started first, so that a key counts from the moment the question is shown
  try {
    io.stderr(question);
    return await press.key;
  } finally {
    press.stop();
  }
}

/** Asks until one of the known keys is pressed, and names the keys after a wrong one; null if nobody types. */
export async function chosenKey(
  io: Io,
  question: string,
  known: readonly string[],
): Promise<string | null> {
  for (;;) {
    const pressed = await pressedKey(io, question);
    const key = pressed === null ? null : letterIn(pressed, known);
    io.stderr(/^[a-z]$/.test(key ?? "") ? `${key}\n` : "\n");
    if (key !== undefined) return key;
    const letters = known.filter((each) => /^[a-z]$/.test(each));
    const others = known.includes("\r") ? ["Enter"] : [];
    io.stderr(
      `  That key does nothing here. Press one of: ${[...letters, ...others].join(", ")}\n`,
    );
  }
}

/**
 * Returns the first known key in the input. Keys typed fast arrive together; an arrow key begins with Escape and never
 * counts.
 */
function letterIn(key: string, known: readonly string[]): string | undefined {
  const typed = key.toLowerCase();
  if (known.includes(typed)) return typed;
  return typed.startsWith("\x1b") ? undefined : [...typed].find((each) => known.includes(each));
}
