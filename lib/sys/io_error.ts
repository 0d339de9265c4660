// Turns an error of the runtime into an `IO_ERROR`: a failed system call, or a missing permission of Deno. Deno's
// permissions may be narrower than the user's.

import { AgentxError } from "../base/errors.ts";

const REASONS: Record<string, readonly [why: string, next: string]> = {
  ENOSPC: ["the disk is full", "Free some space and try again"],
  EDQUOT: ["the disk quota is used up", "Free some space and try again"],
  EACCES: ["permission denied", "Check the owner and the mode of the folder"],
  EPERM: ["permission denied", "Check the owner and the mode of the folder"],
  EROFS: ["the file system is read-only", "Use a writable folder"],
  EEXIST: ["something else has that name", "Move it aside, or use another path"],
  EISDIR: ["it is a directory", "Move the directory aside; a file belongs there"],
  ENOTDIR: ["a part of the path is not a directory", "Check the path"],
  ELOOP: ["too many symbolic links", "Check the links in the path"],
  ENOENT: ["no such file or directory", "Check the path"],
  EADDRINUSE: ["another program uses it", "Give another one, or none: a free one is taken"],
  EMFILE: ["too many open files", "Raise the limit of open files, or run fewer processes"],
};

/** The advice for two users in one folder. Both must choose to share it. */
export const TO_SHARE =
  'each of its users sets "shared": true in their own ~/.config/agentx/config.json';

/** The advice for a sandbox with a read-only workspace. */
const OUTSIDE =
  "In a sandbox: ask with the tools of agentx mcp, which your host runs outside of it, " +
  "or let the sandbox write to .agentx/state of the main checkout";

/** Returns the name of the system's error, such as `ENOENT`; `UNKNOWN` if it has none. */
export function errnoOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === "ERR_INVALID_ARG_VALUE") return "EINVAL"; // a NUL byte, which no system call accepts
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : "UNKNOWN";
}

/** The runtime's functions to look up users. */
export interface Users {
  /** Returns the user of this process; undefined if unknown. */
  current(): number | undefined;
  /** Returns the owner of a path; undefined if it cannot be read. */
  ownerOf(path: string): number | undefined;
}

/**
 * Returns an `IO_ERROR`, or `cause` itself if it is not a failure of the system. With `users`, the error names the
 * owner of the folder that denies access.
 */
export function ioError(operation: string, path: string, cause: unknown, users?: Users): Error {
  const missing = missingPermission(cause);
  if (missing !== undefined) return missing;
  if (cause instanceof AgentxError) return cause;
  const errno = errnoOf(cause);
  if (errno === "UNKNOWN" && cause instanceof TypeError) return cause;
  const [why, usual] = REASONS[errno] ??
    [cause instanceof Error ? cause.message : String(cause), "Try again"];
  const next = errno === "EROFS" && path.includes("/.agentx/") ? OUTSIDE : usual;
  return new AgentxError("IO_ERROR", `Cannot ${operation} "${path}": ${why} (${errno})`, {
    details: { operation, path, errno },
    next: errno === "EACCES" && users !== undefined ? foreignOwner(path, users) ?? next : next,
    cause,
  });
}

/** Returns the advice if a folder of the workspace belongs to another user. Undefined if it belongs to this user. */
function foreignOwner(path: string, users: Users): string | undefined {
  const end = path.lastIndexOf("/.agentx/");
  for (let at = path.length; end !== -1 && at > end; at = path.lastIndexOf("/", at - 1)) {
    const folder = path.slice(0, at);
    const owner = users.ownerOf(folder);
    if (owner === undefined) continue; // the folder above it is closed to us
    if (owner === users.current()) return undefined;
    return `"${folder}" belongs to user ${owner}: to work in it together, ` +
      `${TO_SHARE}, and the owner runs: agentx doctor --fix`;
  }
  return undefined;
}

/** Returns the result of an action that creates something; undefined if it exists already. */
export function unlessThere<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return undefined;
    throw error;
  }
}

/**
 * Matches Deno's message for a missing permission. A module that is loaded on demand and cannot be read also throws
 * it.
 */
const REFUSAL = /^Requires (\w+) access to (.+), run again with the (--allow-\w+) flag$/;

/** Returns an `IO_ERROR` that names the missing flag, if Deno refused for lack of a permission; otherwise undefined. */
export function missingPermission(error: unknown): AgentxError<"IO_ERROR"> | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, access, target, flag] = REFUSAL.exec(message) ?? [];
  if (flag === undefined) return undefined;
  const why = `Deno was started without ${flag} for it`;
  return new AgentxError("IO_ERROR", `Cannot get ${access} access to ${target}: ${why}`, {
    details: { operation: access, path: target.replaceAll('"', ""), errno: "ENOTCAPABLE" },
    next: `Add ${flag}; docs/security.md lists the permissions that are needed`,
    cause: error,
  });
}
