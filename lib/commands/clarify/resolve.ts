import { renderOutcome } from "../../clarify/render/outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent, tellingWhy } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, clarificationId, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";

/** Ends a clarification; an escalated one only as a person. */
export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify resolve CLR-42-001 "Clear: PostgreSQL."'],
  input: {
    as: asAgent,
    id: clarificationId,
    conclusion: optional(text(MAX_BODY), "The conclusion (default: Resolved.)", {
      placeholder: "TEXT",
    }),
  },
  positional: ["id", "conclusion"],
  async run(context, { as, id, conclusion = "Resolved." }) {
    const actor = actingAgent(context.io, as);
    const { router, ledger } = await context.openWorkspace();
    const { hostSession: session, isVerified: verified } = actor;
    const by = actor.name(ledger.getById(id).from);
    const resolution = { clarificationId: id, resolutionBody: conclusion, by, session, verified };
    return { output: await tellingWhy(actor, router.resolveClarification(resolution)) };
  },
  render: renderOutcome,
});
