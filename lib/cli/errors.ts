// Reports errors to people and programs. Untrusted text in a message, from the command line or from an agent, is made
// safe here.

import { AgentxError, type ErrorCode, EXIT_CODES, hasCode } from "../base/errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import { missingPermission } from "../sys/mod.ts";
import { writtenSince } from "../sys/written.ts";
import { encodeJson } from "../text/text.ts";
import type { Io } from "./io.ts";
import { paragraph } from "./note.ts";

/** Exit code of a bug: `EX_SOFTWARE` of sysexits.h. */
const BUG_EXIT_CODE = 70;

/** The error codes of a full disk. Only for these codes, the message adds that nothing was changed. */
const IS_FULL = ["ENOSPC", "EDQUOT"];

/** The operation that loses the result if it fails. */
const PRINT = "write to";

export interface ReportOptions {
  io: Io;
  json: boolean;
  /** The state of writes before the command, from `writtenSoFar`. */
  mark?: number;
}

/** Prints an error on standard error; returns the exit code. */
export async function reportError(
  thrown: unknown,
  { io, json, mark = 0 }: ReportOptions,
): Promise<number> {
  const error = afterWriting(missingPermission(thrown) ?? thrown, mark);
  const safe = await withoutSecrets(json ? toJson(error) : toText(error)).catch((failure) => {
    const missing = missingPermission(failure);
    if (missing === undefined) throw failure;
    return json ? toJson(missing) : toText(missing); // without rules, only this error is shown
  });
  if (typeof safe !== "string") io.stderr(`${encodeJson({ error: safe })}\n`);
  else {
    const [summary, ...lines] = safe.split("\n");
    const shown = paragraph(io, summary, "error:", "red");
    io.stderr([...shown, ...lines.flatMap((line) => paragraph(io, line)), ""].join("\n"));
  }
  return error instanceof AgentxError ? EXIT_CODES[error.code as ErrorCode] : BUG_EXIT_CODE;
}

/** Returns the same system error with the files that the command had already written. */
export function afterWriting(error: unknown, mark: number): unknown {
  if (!hasCode(error, "IO_ERROR") || error.details.operation === PRINT) return error;
  const { summary, details, next } = error;
  const paths = writtenSince(mark).map((path) => path.slice(path.lastIndexOf("/.agentx/") + 1));
  const what = paths.length > 0
    ? `Already written: ${paths.join(", ")}. Look there before you try again`
    : IS_FULL.includes(details.errno)
    ? "Nothing was changed"
    : undefined;
  if (what === undefined) return error;
  const both = [next, what].filter((part) => part !== undefined).join("\n");
  return new AgentxError("IO_ERROR", summary, { details, next: both, cause: error });
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
