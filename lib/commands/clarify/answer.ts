import { renderOutcome } from "./render_outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, text } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { argument, optional } from "../../cli/spec.ts";
import { clarificationId, roundNumber } from "./input.ts";
import { decide } from "./decide.ts";

/** `agentx answer` for a clarification, under its name in the AgentX documents. */
export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: [
    'agentx answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx answer CLR-42-001 --round 2 "Yes, the driver pools."',
    "agentx answer CLR-42-001 - <answer.txt",
  ],
  input: {
    as: asAgent,
    round: optional(roundNumber, "Answer only in this round"),
    id: clarificationId,
    answer: argument(text(MAX_BODY), "The answer", { placeholder: "TEXT" }),
  },
  positional: ["id", "answer"],
  async run(context, { as, round, id, answer }) {
    const { router, who } = await decide(context, { as, id, role: "to" });
    const given = { clarificationId: id, answer, ...who, round };
    const outcome = await router.answerClarification(given);
    if (!outcome.inTime) {
      note(context.io, `${id} is ${outcome.status}: the late answer is kept in its thread`);
    }
    return { output: outcome };
  },
  render: renderOutcome,
});
