// Tools that run a command and show its result, as the command line does.

import type { ClarificationRecord } from "../clarify/schema.ts";
import { resultOf } from "../cli/command.ts";
import { makeStyle } from "../text/style.ts";
import { outcomeResult } from "./outcome.ts";
import type { ToolResult, ToolRun } from "./tool.ts";

/** Wide enough for ids and names, as a model reads it. */
const COLUMNS = 100;

/** The output of the command, and how it prints it in a pipe. */
export async function showOutput(run: ToolRun): Promise<ToolResult> {
  const structured = await outputOf(run);
  const view = { style: makeStyle(false), width: COLUMNS, isPiped: true };
  return { structured, text: await run.command!.render(structured, view) };
}

/** The state of the clarification that the command has changed. */
export async function showOutcome(run: ToolRun): Promise<ToolResult> {
  const output = await outputOf<{ clarification: ClarificationRecord; answer?: string }>(run);
  return outcomeResult(output.clarification, { answer: output.answer ?? null });
}

/** A command that is a tool has one result. */
export async function outputOf<Output extends object>(
  { command, context, input }: Pick<ToolRun, "command" | "context" | "input">,
): Promise<Output> {
  return (await resultOf(command!, context, input)).output as Output;
}
