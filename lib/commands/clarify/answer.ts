import { renderOutcome } from "../../clarify/render/outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, clarificationId, roundNumber, text } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { argument, optional } from "../../cli/spec.ts";

/** Answers a clarification, as its target or as a person. */
export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: [
    'agentx clarify answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx clarify answer CLR-42-001 --round 2 "Yes, the driver pools."',
    "agentx clarify answer CLR-42-001 - <answer.txt",
  ],
  input: {
    as: asAgent,
    round: optional(roundNumber, "Only if the question of this round is the last one"),
    id: clarificationId,
    answer: argument(text(MAX_BODY), "The answer", { placeholder: "TEXT" }),
  },
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
