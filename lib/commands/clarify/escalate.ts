import { renderOutcome } from "./render_outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { clarificationId } from "./input.ts";
import { decide } from "./decide.ts";

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify escalate CLR-42-001 "The ADR contradicts itself"'],
  input: {
    as: asAgent,
    id: clarificationId,
    reason: optional(text(MAX_BODY), "Reason for the human", { placeholder: "TEXT" }),
  },
  positional: ["id", "reason"],
  async run(context, { as, id, reason }) {
    const { router, who } = await decide(context, { as, id, role: "from" });
    const summary = reason ?? `${who.by} asked for it`;
    const escalation = { clarificationId: id, summary, ...who };
    return { output: await router.escalateClarification(escalation) };
  },
  render: renderOutcome,
});
