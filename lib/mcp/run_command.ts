// Tools that run a command and return its result, like the command line.

import type { ClarificationRecord } from "../clarify/schema.ts";
import { resultOf } from "../cli/command.ts";
import { makeStyle } from "../text/style.ts";
import { outcomeResult } from "./outcome.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

/** Width of the text; a model reads it, so it is wide enough for ids and names. */
const COLUMNS = 100;

/** Returns the output of the command, and its text as in a pipe. */
export async function showOutput(run: ToolRun): Promise<ToolResult> {
  const structured = await outputOf(run);
  const view = { style: makeStyle(false), width: COLUMNS, isPiped: true };
  return { structured, text: await run.command!.render(structured, view) };
}

/** Returns the state of the clarification that the command has changed. */
export async function showOutcome(run: ToolRun): Promise<ToolResult> {
  const output = await outputOf<{ clarification: ClarificationRecord; answer?: string }>(run);
  return outcomeResult(output.clarification, { answer: output.answer ?? null });
}

/** Returns the output of a command that has only one result. */
export async function outputOf<Output extends object>(
  { command, context, input }: Pick<ToolRun, "command" | "context" | "input">,
): Promise<Output> {
  return (await resultOf(command!, context, input)).output as Output;
}
