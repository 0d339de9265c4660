/**
 * Failures, as people and programs read them. This is where what a message quotes, from the command
 * line or from an agent, is made safe to print.
 *
 * @module
 */

import { AgentxError, type ErrorCode, EXIT_CODES } from "../errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import { missingPermission } from "../sys/mod.ts";
import { encodeJson, terminalLine } from "../text/text.ts";
import type { ExecuteOptions } from "./execute.ts";
import { styleFor } from "./io.ts";

/** Exit code of a bug: `EX_SOFTWARE` of sysexits.h. */
const BUG_EXIT_CODE = 70;

/** Prints an error on standard error. */
export async function reportError(
  thrown: unknown,
  { io, json }: ExecuteOptions,
): Promise<number> {
  const error = missingPermission(thrown) ?? thrown;
  const told = await withoutSecrets(json ? toJson(error) : toText(error)).catch((failure) => {
    const missing = missingPermission(failure);
    if (missing === undefined) throw failure;
    return json ? toJson(missing) : toText(missing); // without the rules, nobody else's text is shown
  });
  if (typeof told !== "string") io.stderr(`${encodeJson({ error: told })}\n`);
  else {
    const [summary, ...lines] = told.split("\n").map((line) => terminalLine(line));
    const label = styleFor(io, "stderr").red("error:");
    io.stderr([`${label} ${summary}`, ...lines.map((line) => `  ${line}`), ""].join("\n"));
  }
  return error instanceof AgentxError ? EXIT_CODES[error.code as ErrorCode] : BUG_EXIT_CODE;
}

function toText(error: unknown): string {
  if (error instanceof AgentxError) return error.message;
  const head = "This is a bug in agentx; please report it with these lines";
  return [head, ...stackOf(error)].join("\n");
}

function toJson(error: unknown): object {
  if (error instanceof AgentxError) {
    const { code, message, details } = error;
    return { code, message, details };
  }
  return { code: "BUG", message: String(error), details: { stack: stackOf(error) } };
}

function stackOf(error: unknown): string[] {
  const text = error instanceof Error ? error.stack ?? String(error) : String(error);
  return text.split("\n").map((line) => line.trim());
}
