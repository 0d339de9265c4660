/**
 * `agentx clarify resolve`.
 *
 * @module
 */

import * as z from "zod/mini";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent, asAgent, tellingWhy } from "../../cli/acting_agent.ts";
import { argument } from "../../cli/arguments.ts";
import { defineCommand } from "../../cli/command.ts";
import { clarificationId, text } from "../../cli/inputs.ts";
import { renderOutcome } from "./outcome.ts";

/** Ends a clarification; an escalated one only as a person. */
export const command = defineCommand({
  name: "clarify resolve",
  summary: "End a clarification; an escalated one takes a person",
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify resolve CLR-42-001 "Clear: PostgreSQL."'],
  input: z.object({
    as: asAgent,
    id: clarificationId,
    conclusion: z.optional(
      argument(text(MAX_BODY), "The conclusion (default: Resolved.)", { placeholder: "TEXT" }),
    ),
  }),
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
