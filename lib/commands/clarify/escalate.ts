import { renderOutcome } from "../../clarify/render/outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, clarificationId, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";

/** Hands a clarification to a person. */
export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify escalate CLR-42-001 "The ADR contradicts itself"'],
  input: {
    as: asAgent,
    id: clarificationId,
    reason: optional(text(MAX_BODY), "Why (default: asked for)", { placeholder: "TEXT" }),
  },
  positional: ["id", "reason"],
  async run(context, { as, id, reason }) {
    const actor = actingAgent(context.io, as);
    const { router, ledger } = await context.openWorkspace();
    const { hostSession: session, isVerified: verified } = actor;
    const by = actor.name(ledger.getById(id).from);
    const summary = reason ?? `${by} asked for it`;
    const escalation = { clarificationId: id, summary, by, session, verified };
    return { output: await router.escalateClarification(escalation) };
  },
  render: renderOutcome,
});
