import { NO_CONCLUSION } from "../../clarify/hub/outcome.ts";
import { renderOutcome } from "./render_outcome.ts";
import { MAX_BODY } from "../../clarify/schema.ts";
import { explainingWhy } from "../../cli/acting_agent.ts";
import { defineCommand } from "../../cli/command.ts";
import { asAgent, text } from "../../cli/inputs.ts";
import { optional } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { clarificationId } from "./input.ts";
import { decide } from "./decide.ts";

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ['agentx clarify resolve CLR-42-001 "Clear: PostgreSQL."'],
  input: {
    as: asAgent,
    id: clarificationId,
    conclusion: optional(text(MAX_BODY), "The conclusion; not needed if the answer is enough", {
      placeholder: "TEXT",
    }),
  },
  positional: ["id", "conclusion"],
  async run(context, { as, id, conclusion }) {
    const { router, acting, who, status } = await decide(context, { as, id, role: "from" });
    if (conclusion === undefined && (status === "pending" || status === "stale")) {
      const why = `TEXT is required: ${id} is ${status}, so no answer stands for a conclusion`;
      throw usageError(context.name, { field: "TEXT", value: null, why });
    }
    const resolution = { clarificationId: id, resolutionBody: conclusion ?? NO_CONCLUSION, ...who };
    return { output: await explainingWhy(acting, router.resolveClarification(resolution)) };
  },
  render: renderOutcome,
});
