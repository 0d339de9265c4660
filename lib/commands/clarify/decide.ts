// The commands that move a clarification on in an agent's name: `agentx answer`, `resolve` and
// `escalate`.

import { NO_CONCLUSION } from "../../clarify/outcome.ts";
import { renderOutcome } from "../../clarify/render/outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { actingAgent, explainingWhy } from "../../cli/acting_agent.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { asAgent, text } from "../../cli/inputs.ts";
import { note } from "../../cli/note.ts";
import { argument, optional } from "../../cli/spec.ts";
import { clarificationId, roundNumber } from "./input.ts";

export const answer = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: [
    'agentx answer CLR-42-001 "PostgreSQL, behind a repository."',
    'agentx answer CLR-42-001 --round 2 "Yes, the driver pools."',
    "agentx answer CLR-42-001 - <answer.txt",
  ],
  input: {
    as: asAgent,
    round: optional(roundNumber, "Answer only if this round is the current one"),
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

export const resolve = defineCommand({
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
  async run(context, { as, id, conclusion = NO_CONCLUSION }) {
    const { router, acting, who } = await decide(context, { as, id, role: "from" });
    const resolution = { clarificationId: id, resolutionBody: conclusion, ...who };
    return { output: await explainingWhy(acting, router.resolveClarification(resolution)) };
  },
  render: renderOutcome,
});

export const escalate = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify escalate CLR-42-001 "The ADR contradicts itself"'],
  input: {
    as: asAgent,
    id: clarificationId,
    reason: optional(text(MAX_BODY), "Why it is escalated", { placeholder: "TEXT" }),
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

/** The actor; a session that names no role speaks for the agent that is asked, or that asks. */
async function decide(
  { io, openWorkspace }: Context,
  { as, id, role }: { as: string | undefined; id: string; role: "from" | "to" },
) {
  const acting = actingAgent(io, as);
  const { router, ledger } = await openWorkspace();
  const { hostSession: session, isVerified: verified } = acting;
  return { router, acting, who: { by: acting.name(ledger.getById(id)[role]), session, verified } };
}
