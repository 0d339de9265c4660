/**
 * A file of a host that is left as it is, and why. Pure.
 *
 * @module
 */

import { AgentxError } from "../../errors.ts";

/** Where in the file it is. */
interface Place {
  line?: number | null;
  key?: string | null;
}

/** @returns the error for a file that cannot be changed without harm */
export function fileRefusal(
  path: string,
  why: string,
  { line = null, key = null }: Place = {},
): AgentxError<"INVALID_CONFIG"> {
  const place = line === null ? "" : ` in line ${line}`;
  return new AgentxError("INVALID_CONFIG", `Cannot change "${path}"${place}: ${why}`, {
    details: { path, line, key },
    next: "Correct the file and try again; nothing was changed",
  });
}
