// Handles a reply with a block NEEDS_CLARIFICATION, by which an agent asks a person instead of working (seed 004,
// "Orchestrator Handling"). Its question goes to the gate, and its step runs again with the outcome.

import { HUB, HUMAN } from "../base/agent_names.ts";
import { hasCode } from "../base/errors.ts";
import { parseBlock } from "../gate/block.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { untilEnded } from "../gate/wait.ts";
import type { BudgetedParts, StepTask } from "./step_task.ts";

/** The result of a question. */
export type Asked =
  | { refusal: string }
  /** The question stays open, because only a person may decide it. */
  | { open: string }
  | { because: string; by: string };

/**
 * Asks the question in a reply, if it has one.
 *
 * @param callId the id of the run that replied; a reply that is read again does not ask again
 * @returns undefined if the reply has no question
 * @throws {AgentxError} `INTERRUPTED`; `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function askedIn(
  reply: string,
  task: StepTask,
  callId: string,
  parts: BudgetedParts,
): Promise<Asked | undefined> {
  const block = parseBlock(reply);
  if (block === undefined) return undefined;
  const { step: { id, agent }, known: { issue } } = task;
  const gate = await parts.gate();
  const before = (await gate.list()).find((one) => one.callId === callId);
  try {
    const question = { ...block, agent, issue: issue.number, session: `${issue.uid} ${id}` };
    const how = { wanted: block.timeout ?? undefined, orchestrated: true, callId };
    let asked = before ?? await gate.ask(question, how);
    if (asked.status === "pending") {
      const labels = asked.request.options.map(({ label }) => label).join("|");
      const answer = `agentx answer ${asked.id} ${labels}`;
      if (asked.deadline === null) return { open: `${asked.id} waits for you: ${answer}` };
      const { question, options, fallback } = asked.request;
      const offered = options.map(({ label, text }) => `${label}) ${text}`).join(" ");
      parts.notify(
        `${agent} asks: ${question} ${offered}; answer with: ${answer}; ` +
          `at ${asked.deadline} it continues with (${fallback.option})`,
      );
      const { signal = new AbortController().signal } = parts;
      asked = await parts.whileWaiting(() => untilEnded(gate, asked.id, { signal }));
    }
    await gate.noteDelivered(asked);
    return { because: outcomeOf(asked), by: asked.outcome === "timeout" ? HUB : HUMAN };
  } catch (error) {
    if (!hasCode(error, "GATE_REFUSED") && !hasCode(error, "INVALID_INPUT")) throw error;
    return { refusal: `its question was not asked, so it decides by itself: ${error.summary}` };
  }
}

function outcomeOf({ id, outcome, decision, request: { question } }: GateInteraction): string {
  const said = decision === null
    ? `A person has not decided it (${outcome}): leave out what depends on it, and say so`
    : `${outcome === "human" ? "A person answered" : "Nobody answered; continue with"}: ${
      decision.label === null ? "" : `(${decision.label}) `
    }${decision.text}`;
  return `You asked (${id}): ${question} ${said}`;
}
