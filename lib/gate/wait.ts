/**
 * Waiting for what comes of a question to the human.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";
import type { HumanGate } from "./gate.ts";
import type { GateInteraction } from "./interaction.ts";

const POLL_MS = 200;

/** Options of {@linkcode untilEnded}. */
export interface WaitOptions {
  /** Ends the wait; the question stays open. */
  signal: AbortSignal;
  /** How long is waited, in milliseconds, whatever the deadline of the question. */
  maxMs?: number;
  /** Hears at each look how much time is left, in milliseconds; Infinity where nothing counts it. */
  onLook?: (interaction: GateInteraction, leftMs: number) => void;
}

/**
 * Waits until a human has ended a question, or its time is over: by the clock of the wait, which does not
 * jump when somebody sets that of the system.
 *
 * @param id such as `ASK-001`
 * @returns the question as it is then; it is still pending where only `maxMs` is over
 * @throws {AgentxError} the reason of the signal; as `HumanGate.get`
 */
export async function untilEnded(
  gate: HumanGate,
  id: string,
  { signal, maxMs = Infinity, onLook = () => {} }: WaitOptions,
): Promise<GateInteraction> {
  const startMs = performance.now();
  let interaction = await gate.get(id);
  let { deadline } = interaction;
  let endMs = endOf(interaction);
  while (interaction.status === "pending") {
    if (interaction.deadline !== deadline) {
      deadline = interaction.deadline; // its countdown stood still for a while
      endMs = endOf(interaction);
    }
    const nowMs = performance.now();
    const waitedMs = nowMs - startMs;
    const leftMs = interaction.heldBy === null ? endMs - nowMs : Infinity;
    onLook(interaction, leftMs);
    if (leftMs <= 0) return await gate.expire(id);
    if (waitedMs >= maxMs) return interaction;
    await sys.wait(Math.max(1, Math.min(POLL_MS, leftMs, maxMs - waitedMs)), signal);
    interaction = await gate.get(id);
  }
  return interaction;
}

/** When the time is over, by the clock of this process: never later than it was to be at first. */
function endOf({ created, deadline }: GateInteraction): number {
  if (deadline === null) return Infinity;
  const endMs = Date.parse(deadline);
  return performance.now() + Math.min(endMs - sys.now(), endMs - Date.parse(created));
}
