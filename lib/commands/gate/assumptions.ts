// The commands for assumptions: `agentx assumptions`, and to add, confirm and revert one.

import { actingAgent } from "../../cli/acting_agent.ts";
import { type Context, defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { argument, oneOf, optional } from "../../cli/spec.ts";
import { missingArgument } from "../../cli/usage_error.ts";
import type { HumanGate } from "../../gate/gate.ts";
import { renderAssumption, renderAssumptions } from "../../gate/render/assumptions.ts";
import { LEVELS, MAX_QUESTION, MAX_REASONING } from "../../gate/request.ts";
import { assumptionId, checkHuman, short } from "./input.ts";

export const list = defineCommand({
  kind: "assumption.list",
  examples: ["agentx assumptions", "agentx assumptions --issue 42 --json"],
  input: { issue: optional(issueNumber, "Only those of this issue") },
  async run(context, { issue }) {
    const gate = await settledGate(context);
    const assumptions = gate.assumptions.list()
      .filter((one) => issue === undefined || one.issue === issue);
    return { output: { assumptions } };
  },
  render: ({ assumptions }, view) => renderAssumptions(assumptions, view),
});

export const show = defineCommand({
  kind: "assumption",
  examples: ["agentx assumptions show ASM-001"],
  input: { id: assumptionId },
  positional: ["id"],
  async run(context, { id }) {
    const gate = await settledGate(context);
    return { output: { assumption: gate.assumptions.get(id) } };
  },
  render: ({ assumption }, view) => renderAssumption(assumption, view),
});

export const add = defineCommand({
  kind: "assumption",
  examples: [
    "agentx assumptions add -i 42 --from pm --because Auth.py --risk low JWT",
  ],
  input: {
    issue: issueNumber,
    from: optional(agentName("Agent that assumes it (default: the agent that runs this)")),
    confidence: optional(oneOf(LEVELS), "How sure you are of it (default: medium)"),
    risk: argument(short(MAX_REASONING), "high, medium or low, and what happens if it is wrong"),
    because: argument(short(MAX_REASONING), "Why it was decided so"),
    source: optional(short(MAX_REASONING), "Where it was inferred from (default: inferred)"),
    decision: argument(text(MAX_QUESTION), "What was decided", { placeholder: "DECISION" }),
  },
  positional: ["decision"],
  async run(context, { issue, from, confidence = "medium", risk, because, source, decision }) {
    const acting = actingAgent(context.io, from);
    if (!acting.isNamed) throw missingArgument(context.name, "--from");
    const { gate, router } = await context.openWorkspace();
    const agent = router.checkAsker(acting.name());
    const reported = { agent, issue, decision, reasoning: because, confidence, risk, source };
    const assumption = await gate().assumptions.add(reported);
    return { output: { assumption } };
  },
  render: ({ assumption }, view) => renderAssumption(assumption, view),
});

/** It becomes an observation in memory. */
export const confirm = judgeCommand("confirm", "confirmed", "It is what we run everywhere");

/** What memory has of it is retracted. */
export const revert = judgeCommand("revert", "reverted", "We are leaving JWT");

function judgeCommand(verb: string, status: "confirmed" | "reverted", why: string) {
  return defineCommand({
    kind: "assumption",
    examples: [
      `agentx assumptions ${verb} ASM-001`,
      `agentx assumptions ${verb} ASM-001 --because "${why}"`,
    ],
    input: {
      because: optional(text(MAX_REASONING), "Why"),
      id: assumptionId,
    },
    positional: ["id"],
    async run(context, { id, because = null }) {
      checkHuman(context.io, id, verb);
      const { assumptions } = await settledGate(context);
      return { output: { assumption: await assumptions.judge(id, status, because) } };
    },
    render: ({ assumption }, view) => renderAssumption(assumption, view),
  });
}

/** A question that is overdue has become an assumption, too. */
async function settledGate({ openState }: Context): Promise<HumanGate> {
  const gate = (await openState()).gate();
  await gate.list();
  return gate;
}
