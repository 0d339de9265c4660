/**
 * Turns what a runtime throws for a failed system call into an `IO_ERROR`.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { missingPermission } from "./permission.ts";

const REASONS: Record<string, readonly [why: string, next: string]> = {
  ENOSPC: ["the disk is full", "Free some space and try again; nothing was changed"],
  EDQUOT: ["the disk quota is used up", "Free some space and try again; nothing was changed"],
  EACCES: ["permission denied", "Check the owner and the mode of the folder"],
  EPERM: ["permission denied", "Check the owner and the mode of the folder"],
  EROFS: ["the file system is read-only", "Use a folder that can be written"],
  EEXIST: ["something else has that name", "Move it away, or use another path"],
  EISDIR: ["it is a directory", "Move the directory away; a file belongs there"],
  ENOTDIR: ["a part of the path is not a directory", "Check the path"],
  ELOOP: ["too many symbolic links", "Check the links in the path"],
  ENOENT: ["no such file or directory", "Check the path"],
  EMFILE: ["too many open files", "Raise the limit of open files, or run fewer processes"],
};

/**
 * @param error what the runtime threw
 * @returns the name of the system's error, such as `ENOENT`; `UNKNOWN` if it has none
 */
export function errnoOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : "UNKNOWN";
}

/**
 * @param operation a verb, such as `write`
 * @param path what was operated on
 * @param cause what the runtime threw
 * @returns an `IO_ERROR`, or `cause` itself where it is not a failure of the system
 */
export function ioError(operation: string, path: string, cause: unknown): Error {
  const missing = missingPermission(cause);
  if (missing !== undefined) return missing;
  const errno = errnoOf(cause);
  if (errno === "UNKNOWN" && cause instanceof TypeError) return cause;
  const [why, next] = REASONS[errno] ??
    [cause instanceof Error ? cause.message : String(cause), "Try again"];
  return new AgentxError("IO_ERROR", `Cannot ${operation} "${path}": ${why} (${errno})`, {
    details: { operation, path, errno },
    next,
    cause,
  });
}

/** Runs a system call and gives its failure as an `IO_ERROR`. */
export function attempt<T>(operation: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw ioError(operation, path, error);
  }
}

/** As {@linkcode attempt}, with undefined where the path does not exist. */
export function unlessMissing<T>(
  operation: string,
  path: string,
  action: () => T,
): T | undefined {
  try {
    return action();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw ioError(operation, path, error);
  }
}
