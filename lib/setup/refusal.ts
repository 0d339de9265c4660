// The error for a file of a host that cannot be changed safely. Pure.

import { AgentxError } from "../base/errors.ts";

interface Place {
  line?: number | null;
  key?: string | null;
}

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
