import { actingAgent } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { argument, oneOf, optional } from "../../cli/spec.ts";
import { missingArgument } from "../../cli/usage_error.ts";
import { renderAssumption } from "./render.ts";
import { LEVELS, MAX_QUESTION, MAX_REASONING } from "../../gate/request.ts";
import { short } from "../ask/input.ts";

export const command = defineCommand({
  kind: "assumption",
  examples: [
    "agentx assumptions add -i 42 --from pm --because Auth.py --risk low JWT",
  ],
  input: {
    issue: issueNumber,
    from: optional(agentName("Agent that assumes it (default: the agent that runs this)")),
    confidence: optional(oneOf(LEVELS), "How sure you are (default: medium)"),
    risk: argument(short(MAX_REASONING), "high, medium or low, and what happens if it is wrong"),
    because: argument(short(MAX_REASONING), "Why it was decided so"),
    source: optional(short(MAX_REASONING), "Where it was inferred from, such as codebase"),
    decision: argument(text(MAX_QUESTION), "What was decided", { placeholder: "DECISION" }),
  },
  positional: ["decision"],
  async run(context, { issue, from, confidence = "medium", risk, because, source, decision }) {
    const acting = actingAgent(context.io, from);
    if (!acting.isNamed) throw missingArgument(context.name, "--from");
    const { gate, router } = await context.openWorkspace();
    const agent = (await router()).checkAsker(acting.name());
    const reported = { agent, issue, decision, reasoning: because, confidence, risk, source };
    const assumption = await (await gate()).assumptions.add(reported);
    return { output: { assumption } };
  },
  render: ({ assumption }, view) => renderAssumption(assumption, view),
});
