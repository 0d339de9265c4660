// Undoes an operation for a person, or for the agent that made it.

import { HUMAN } from "../../base/agent_names.ts";
import { AgentxError } from "../../base/errors.ts";
import { type ActingAgent, mayBe } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";
import { inSession } from "../../cli/person.ts";
import type { Operation } from "../../events/operations.ts";
import { type GateInteraction, isSecurity } from "../../gate/interaction.ts";
import { undoOperation } from "../../undo/undo.ts";
import { OWN_TERMINAL } from "../../who/surface.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { checkHuman, isVerifiedFor } from "../ask/input.ts";

/**
 * Undoes an operation if the caller may decide about it (DESIGN section 6).
 *
 * @returns the id of the undo
 * @throws {AgentxError} `INVALID_TRANSITION` if the caller may not, and the errors of {@linkcode undoOperation}
 */
export async function takeBack(
  { io }: Pick<Context, "io">,
  state: WorkspaceState,
  operation: Operation,
  { all, acting }: { all: readonly Operation[]; acting: ActingAgent },
): Promise<string> {
  const { id, by, effects } = operation;
  const { session } = acting;
  if (session !== undefined && (by === HUMAN || !mayBe(by, acting.name()))) {
    const who = by === HUMAN ? "a person" : by;
    throw notHere(id, `${who} made it, and ${inSession(session)}`);
  }
  if (by === HUMAN) {
    const { byUid } = (await state.issueStore()).view();
    for (const effect of effects) {
      if (effect.of === "question" || effect.of === "assumption") checkHuman(io, effect.id, "undo");
      if (effect.of !== "issues" || !("lines" in effect)) continue;
      for (const [uid, ids] of Object.entries(effect.lines)) {
        const own = byUid.get(uid)?.lines.filter((line) => ids.includes(line.id)) ?? [];
        if (own.some((line) => "step" in line)) checkHuman(io, byUid.get(uid)!.ref, "undo");
      }
    }
    const asked = effects.flatMap((effect) => effect.of === "question" ? effect.id : []);
    const decided = asked.length === 0
      ? []
      : (await (await state.gate()).list()).filter((one) => asked.includes(one.id));
    for (const question of decided) await checkSecurity(question, id, { io });
  }
  return await undoOperation(state, operation, { all, by: acting.name() });
}

async function checkSecurity(
  question: GateInteraction,
  id: string,
  { io }: Pick<Context, "io">,
): Promise<void> {
  if (!isSecurity(question.request) || await isVerifiedFor(io, question)) return;
  throw notHere(id, `${question.id} is about security, and nobody is seen to decide here`);
}

function notHere(id: string, why: string): AgentxError<"INVALID_TRANSITION"> {
  return new AgentxError("INVALID_TRANSITION", `Cannot undo ${id}: ${why}`, {
    details: { clarificationId: id, status: "done", action: "undo" },
    next: OWN_TERMINAL,
  });
}
