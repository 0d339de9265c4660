/**
 * Deno's own permissions, which may be narrower than those of the user.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";

/** Also thrown by a module that is loaded on demand and may not be read. */
const REFUSAL = /^Requires (\w+) access to (.+), run again with the (--allow-\w+) flag$/;

/**
 * @param error what Deno threw
 * @returns an `IO_ERROR` that names the flag that is missing; undefined for any other failure
 */
export function missingPermission(error: unknown): AgentxError<"IO_ERROR"> | undefined {
  const message = error instanceof Error ? error.message : "";
  const [, access, target, flag] = REFUSAL.exec(message) ?? [];
  if (flag === undefined) return undefined;
  const why = `Deno was started without ${flag} for it`;
  return new AgentxError("IO_ERROR", `Cannot get ${access} access to ${target}: ${why}`, {
    details: { operation: access, path: target.replaceAll('"', ""), errno: "ENOTCAPABLE" },
    next: `Add ${flag}; the README lists the permissions that are needed`,
    cause: error,
  });
}
