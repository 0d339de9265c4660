/**
 * A table of small commands that show what `main()` does with commands.
 *
 * @module
 */

import {
  type Command,
  type CommandEntry,
  type Context,
  defineCommand,
  type Load,
  type Result,
} from "../../lib/cli/command.ts";
import { durationMs, issueNumber, text } from "../../lib/cli/inputs.ts";
import { argument, flag, oneOf, optional, word } from "../../lib/cli/spec.ts";
import { clarificationId } from "../../lib/commands/clarify/input.ts";
import { AgentxError } from "../../lib/base/errors.ts";

/** Gives back its input. */
const ask = defineCommand({
  kind: "clarification.input",
  examples: ["agentx clarify ask --issue 42 'SQL?'"],
  input: {
    issue: optional(issueNumber, "Issue that the question belongs to", { short: "i" }),
    maxRounds: optional(word),
    mode: optional(oneOf(["brief", "full"]), "How much to say"),
    nonBlocking: flag("Work on meanwhile"),
    timeout: optional(durationMs),
    topic: optional(text(20)),
    id: optional(clarificationId),
    question: argument(text(40), "What to ask", { placeholder: "QUESTION" }),
  },
  positional: ["id", "question"],
  run: (_context, { mode = "brief", ...input }) =>
    Promise.resolve({ output: { input: { ...input, mode } } }),
  render: ({ input }, { style }) => `${style.bold("asked")} ${input.question}`,
});

/** A list with nothing in it and an exit code of its own. */
const list = defineCommand({
  kind: "clarification.list",
  examples: ["agentx clarify"],
  input: { issue: optional(issueNumber) },
  run: (_context, { issue }) =>
    Promise.resolve({ output: { clarifications: [], issue: issue ?? null }, exitCode: 7 }),
  render: () => "",
});

const show = defineCommand({
  kind: "config",
  examples: ["agentx config show"],
  run: async (context) => ({ output: { root: (await context.openWorkspace()).root } }),
  render: ({ root }) => root,
});

/** The table of the commands above. */
export const SAMPLE_COMMANDS: readonly CommandEntry[] = [
  { name: "clarify", summary: "List the clarifications", group: "Questions", load: loads(list) },
  { name: "clarify ask", summary: "Ask another agent", load: loads(ask) },
  { name: "config", summary: "Show and change the settings", group: "Settings" },
  { name: "config show", summary: "Show the settings", load: loads(show) },
];

/** A table of one command `go` without input. */
export function tableOf(
  run: (context: Context) => ReturnType<Command["run"]>,
  { jsonLines = false, jsonWhenPiped = false }: Partial<
    Pick<Command, "jsonLines" | "jsonWhenPiped">
  > = {},
): readonly CommandEntry[] {
  const go = defineCommand({
    kind: "step",
    examples: ["agentx go"],
    jsonLines,
    jsonWhenPiped,
    run,
    render: (output) => JSON.stringify(output),
  });
  return [{ name: "go", summary: "Go", load: loads(go) }];
}

/** Two results, the second with an exit code. */
export async function* twoSteps(): AsyncGenerator<Result<object>> {
  yield await Promise.resolve({ output: { step: 1 } });
  yield { output: { step: 2 }, exitCode: 7 };
}

/** @returns a failure whose message quotes an agent that sends escape sequences */
export function hostileError(): AgentxError<"AGENT_ERROR"> {
  return new AgentxError("AGENT_ERROR", "Cannot ask: it said \x1b[2J", {
    details: { agent: "architect", reason: "\x1b[2J" },
    next: "Look at the agent",
  });
}

function loads(command: Command): Load {
  return () => Promise.resolve({ command });
}
