// Waits for the outcome of a question to the human.

import { sys } from "../sys/mod.ts";
import type { HumanGate } from "./gate.ts";
import type { GateInteraction } from "./interaction.ts";

const POLL_MS = 200;

export interface GateWaitOptions {
  /** Ends the wait when it fires; the question stays open. */
  signal: AbortSignal;
  /** The longest wait in milliseconds, independent of the question's deadline. */
  maxMs?: number;
  /**
   * Called after each read of the question, with the time left in milliseconds. The time is Infinity without a
   * deadline and while the countdown is stopped.
   */
  onLook?: (interaction: GateInteraction, leftMs: number) => void;
}

/**
 * Waits until a human has ended a question, or its time is over by the monotonic clock, which does not jump when the
 * system clock is set. If `maxMs` ends first, the returned question is still pending. Throws the reason of the
 * signal, and the errors of `HumanGate.get`.
 */
export async function untilEnded(
  gate: HumanGate,
  id: string,
  { signal, maxMs = Infinity, onLook = () => {} }: GateWaitOptions,
): Promise<GateInteraction> {
  const startMs = performance.now();
  let interaction = await gate.get(id);
  let { deadline } = interaction;
  let endMs = endOf(interaction);
  while (interaction.status === "pending") {
    if (interaction.deadline !== deadline) {
      deadline = interaction.deadline; // its countdown was stopped for a while
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

/**
 * Returns when the time is over, by the clock of this process. The remaining time is never longer than the original
 * one.
 */
function endOf({ created, deadline }: GateInteraction): number {
  if (deadline === null) return Infinity;
  const endMs = Date.parse(deadline);
  return performance.now() + Math.min(endMs - sys.now(), endMs - Date.parse(created));
}
