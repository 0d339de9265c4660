/**
 * A table of small commands that show what `main()` does with commands.
 *
 * @module
 */

import * as z from "zod/mini";
import { argument } from "../../lib/cli/arguments.ts";
import {
  type Command,
  type CommandEntry,
  type Context,
  defineCommand,
  type Result,
} from "../../lib/cli/command.ts";
import { clarificationId, durationMs, issueNumber, text } from "../../lib/cli/inputs.ts";
import { AgentxError } from "../../lib/errors.ts";

/** Gives back its input. */
const ask = defineCommand({
  name: "clarify ask",
  summary: "Ask another agent",
  kind: "clarification.input",
  examples: ["agentx clarify ask --issue 42 'SQL?'"],
  input: z.object({
    issue: z.optional(argument(issueNumber, "Issue that the question belongs to", { short: "i" })),
    maxRounds: z.optional(z.string()),
    mode: z._default(argument(z.enum(["brief", "full"]), "How much to say"), "brief"),
    nonBlocking: argument(z.boolean(), "Work on meanwhile"),
    timeout: z.optional(durationMs),
    topic: z.optional(text(20)),
    id: z.optional(clarificationId),
    question: argument(text(40), "What to ask", { placeholder: "QUESTION" }),
  }),
  positional: ["id", "question"],
  run: (_context, input) => Promise.resolve({ output: { input } }),
  render: ({ input }, { style }) => `${style.bold("asked")} ${input.question}`,
});

/** A list with nothing in it and an exit code of its own. */
const list = defineCommand({
  name: "clarify",
  summary: "List the clarifications",
  kind: "clarification.list",
  examples: ["agentx clarify"],
  input: () => Promise.resolve(z.object({ issue: z.optional(issueNumber) })),
  run: (_context, { issue }) =>
    Promise.resolve({ output: { clarifications: [], issue: issue ?? null }, exitCode: 7 }),
  render: () => "",
});

const show = defineCommand({
  name: "config show",
  summary: "Show the settings",
  kind: "config",
  examples: ["agentx config show"],
  run: async (context) => ({ output: { root: (await context.openWorkspace()).root } }),
  render: ({ root }) => root,
});

/** The table of the commands above. */
export const SAMPLE_COMMANDS: readonly CommandEntry[] = [
  entryOf(list, "Questions"),
  entryOf(ask),
  { name: "config", summary: "Show and change the settings", group: "Settings" },
  entryOf(show),
];

/** A table of one command `go` without input. */
export function tableOf(
  run: (context: Context) => ReturnType<Command["run"]>,
  { jsonLines = false, jsonWhenPiped = false }: Partial<
    Pick<Command, "jsonLines" | "jsonWhenPiped">
  > = {},
): readonly CommandEntry[] {
  return [entryOf(defineCommand({
    name: "go",
    summary: "Go",
    kind: "step",
    examples: ["agentx go"],
    jsonLines,
    jsonWhenPiped,
    run,
    render: (output) => JSON.stringify(output),
  }))];
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

function entryOf(command: Command, group?: string): CommandEntry {
  const { name, summary } = command;
  return { name, summary, group, load: () => Promise.resolve({ command }) };
}
