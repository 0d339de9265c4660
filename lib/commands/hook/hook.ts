/**
 * `agentx hook start`, `agentx hook finish`, and the spelling of the original AgentX for both:
 * `agentx hook -Phase start -Agent engineer -Issue 42`.
 *
 * @module
 */

import { defineCommand } from "../../cli/command.ts";
import { agentName, issueNumber } from "../../cli/inputs.ts";
import { argument, oneOf, optional, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import { renderHook, runHook } from "./run.ts";

const who = {
  agent: agentName("Who works"),
  issue: optional(issueNumber, "The issue it works on"),
};

const transcript = optional(word, "Recording of the session that ends, to remember it", {
  placeholder: "FILE|-",
});

export const hook = defineCommand({
  kind: "hook",
  examples: [
    "agentx hook start engineer 42",
    "agentx hook -Phase finish -Agent engineer -Issue 42",
  ],
  input: {
    phase: argument(oneOf(["start", "finish"]), "Whether it begins or ends"),
    ...who,
    transcript,
  },
  endsSession: (words) => words.some((word) => /^(?:-+phase=)?finish$/i.test(word)),
  async run(context, { phase, ...input }) {
    if (phase === "start" && input.transcript !== undefined) {
      const why = "--transcript goes with the phase finish";
      throw usageError(context.name, { field: "--transcript", value: input.transcript, why });
    }
    return await runHook(phase, context, input);
  },
  render: renderHook,
});

export const start = defineCommand({
  kind: "hook",
  examples: ["agentx hook start engineer 42", "agentx hook start engineer 42 --json"],
  input: who,
  positional: ["agent", "issue"],
  run: (context, input) => runHook("start", context, input),
  render: renderHook,
});

export const finish = defineCommand({
  kind: "hook",
  examples: [
    "agentx hook finish engineer 42",
    "agentx hook finish engineer 42 --transcript session.jsonl",
  ],
  input: { transcript, ...who },
  positional: ["agent", "issue"],
  endsSession: () => true,
  run: (context, input) => runHook("finish", context, input),
  render: renderHook,
});
