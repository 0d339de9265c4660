// Waits for the human, at a terminal if there is one, or for an answer from elsewhere.

import type { Context } from "../../cli/command.ts";
import { announceWait } from "../../cli/note.ts";
import { whyNobodyIsAsked } from "../../cli/person.ts";
import type { HumanGate } from "../../gate/gate.ts";
import type { GateInteraction } from "../../gate/interaction.ts";
import { checkTimeout } from "../../gate/timeout.ts";
import { untilEnded } from "../../gate/wait.ts";
import type { Workspace } from "../../workspace/open.ts";
import { askAtTerminal } from "./at_terminal.ts";
import { whileNotifying } from "../../inbox/notifier.ts";

interface Wait {
  context: Context;
  workspace: Workspace;
  gate: HumanGate;
  /** Maximum wait for a question without a deadline. */
  timeout: string;
}

/** Returns the question when it has ended, or after the timeout. */
export async function untilEndedHere(asked: GateInteraction, wait: Wait): Promise<GateInteraction> {
  return await whileNotifying(wait.workspace, () => untilEnd(asked, wait));
}

async function untilEnd(
  asked: GateInteraction,
  { context, gate, timeout }: Wait,
): Promise<GateInteraction> {
  const { io, signal } = context;
  const maxMs = asked.deadline === null ? checkTimeout(timeout) ?? Infinity : Infinity;
  if (whyNobodyIsAsked(io) === undefined) {
    return await askAtTerminal(context, gate, asked, { signal, maxMs });
  }
  const stop = announceWait(io, `${asked.id} is waiting for a human`);
  try {
    return await untilEnded(gate, asked.id, { signal, maxMs });
  } finally {
    stop();
  }
}
