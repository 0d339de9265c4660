/**
 * `agentx clarify answer`.
 *
 * @module
 */

import * as z from "zod/mini";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent, asAgent } from "../../cli/acting_agent.ts";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { clarificationId, roundNumber, text } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { renderOutcome } from "./outcome.ts";

/** Answers a clarification, as its target or as a person. */
export const command = defineCommand({
  name: "clarify answer",
  summary: "Answer a clarification, as its target or as a person",
  kind: "clarification",
  runsMonitor: true,
  examples: [
    'agentx clarify answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx clarify answer CLR-42-001 --round 2 "Yes, the driver pools."',
    "agentx clarify answer CLR-42-001 - <answer.txt",
  ],
  input: z.object({
    as: asAgent,
    round: z.optional(argument(roundNumber, "Only if the question of this round is the last one")),
    id: clarificationId,
    answer: argument(text(MAX_BODY), "The answer", { placeholder: "TEXT" }),
  }),
  positional: ["id", "answer"],
  async run(context, { as, round, id, answer }) {
    const actor = actingAgent(context.io, as);
    const { router, ledger } = await context.openWorkspace();
    const { hostSession: session, isVerified: verified } = actor;
    const by = actor.name(ledger.getById(id).to);
    const given = { clarificationId: id, answer, by, session, verified, round };
    const outcome = await router.answerClarification(given);
    if (!outcome.inTime) {
      note(context.io, `${id} is ${outcome.status}: the late answer is kept in its thread`);
    }
    return { output: outcome };
  },
  render: renderOutcome,
});
