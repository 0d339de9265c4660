// Waits for the outcome of a question to the human.

import { sys } from "../sys/mod.ts";
import type { HumanGate } from "./gate.ts";
import type { GateInteraction } from "./interaction.ts";

const POLL_MS = 200;

export interface GateWaitOptions {
  /** Ends the wait; the question stays open. */
  signal: AbortSignal;
  /** How long is waited, in milliseconds, whatever the deadline of the question. */
  maxMs?: number;
  /** Called at each look with the time left, in milliseconds; Infinity where nothing counts it. */
  onLook?: (interaction: GateInteraction, leftMs: number) => void;
}

/**
 * Waits until a human has ended a question, or its time is over: by the clock of the wait, which
 * does not jump when that of the system is set. Where only `maxMs` is over, it is still pending.
 * Throws the reason of the signal; as `HumanGate.get`.
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
