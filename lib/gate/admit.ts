// Admits a question to the human. The decision is made under the same lock that guards the write.

import { renderBlock } from "./block.ts";
import { type GateRefusal, quotaRefusals, type topicRule } from "./conditions.ts";
import type { InteractionFile } from "./gate_file.ts";
import { nextId } from "./ids.ts";
import {
  endByStandingAnswer,
  type GateInteraction,
  isSecurity,
  newInteraction,
  standingAnswerFor,
} from "./interaction.ts";
import type { GateRequest } from "./request.ts";
import { setPhase } from "./store.ts";
import { inWords } from "./timeout.ts";

/**
 * Adds a question to the file, in place. A matching standing answer ends the question at once. Returns the question,
 * or the conditions of the quota that the question does not meet.
 */
export function admit(
  file: InteractionFile,
  request: GateRequest,
  { rule, timeoutMs, nowMs, orchestrated, callId }: {
    rule: ReturnType<typeof topicRule>;
    timeoutMs: number | null;
    nowMs: number;
    orchestrated: boolean;
    callId: string | null;
  },
): GateInteraction | GateRefusal[] {
  const before = file.agent_interactions;
  const waits = timeoutMs === null || isSecurity(request);
  const asked = newInteraction(request, {
    id: nextId("ASK", before.concat(file.foreign ?? []), file.lastId),
    content: renderBlock(request, waits ? null : inWords(timeoutMs)),
    nowMs,
    deadlineMs: waits ? null : nowMs + timeoutMs,
    orchestrated,
    callId,
    before,
  });
  const standing = rule === "always_ask" ? undefined : standingAnswerFor(request, before);
  if (standing !== undefined) endByStandingAnswer(asked, standing, nowMs);
  else {
    const refusals = quotaRefusals(request, before, rule);
    if (refusals.length > 0) return refusals;
    setPhase(file, asked.created);
  }
  before.push(asked);
  return asked;
}
