import { defineCommand } from "../cli/command.ts";
import { argument, oneOf } from "../cli/spec.ts";
import { usageError } from "../cli/usage_error.ts";
import { renderHook, transcript, who } from "./hook/phase.ts";
import { end } from "./hook/finish.ts";
import { begin } from "./hook/start.ts";

export const command = defineCommand({
  kind: "hook",
  examples: [
    "agentx hook start engineer 42",
    "agentx hook -Phase finish -Agent engineer -Issue 42",
  ],
  input: {
    phase: argument(oneOf(["start", "finish"]), "Whether the agent starts or finishes its work"),
    ...who,
    transcript,
  },
  endsSession: (words) => words.some((word) => /^(?:-+phase=)?finish$/i.test(word)),
  async run(context, { phase, ...input }) {
    if (phase === "finish") return await end(context, input);
    if (input.transcript !== undefined) {
      const why = "--transcript goes with the phase finish";
      throw usageError(context.name, { field: "--transcript", value: input.transcript, why });
    }
    return await begin(context, input);
  },
  render: renderHook,
});
