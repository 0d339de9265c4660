// Refuses a binary file that was passed as text.

import { AgentxError } from "../base/errors.ts";

const LOOKED_AT = 65_536;

/** Maximum share of control and replacement characters at the start of a text; a file with more is binary. */
const MAX_STRANGE = 0.05;

/** The beginnings of binary files that may be passed by mistake, after decoding as UTF-8. */
const KINDS: [string, string][] = [
  ["\x1f\ufffd", "gzip"],
  ["PK\x03\x04", "a zip archive"],
  ["SQLite format 3", "a SQLite database"],
  ["%PDF-", "a PDF"],
  ["\ufffdPNG", "a PNG image"],
  ["\x7fELF", "a program"],
  ["\ufffd\ufffd", "UTF-16 text, or compressed data"],
];

// deno-lint-ignore no-control-regex -- control characters do not belong in a text
const STRANGE = /[\0-\x07\x0e-\x1a\x1c-\x1f\ufffd]/g;

/** Throws `INVALID_INPUT` for a binary file. */
export function refuseBinary(text: string): void {
  const start = text.slice(0, LOOKED_AT);
  const zero = start.indexOf("\0");
  const kind = KINDS.find(([magic]) => start.startsWith(magic))?.[1];
  const strange = start.match(STRANGE)?.length ?? 0;
  const isText = zero < 0 && strange <= Math.max(8, start.length * MAX_STRANGE) &&
    kind === undefined;
  if (isText) return;
  const found = kind ?? (zero < 0 ? `${strange} control characters` : `a zero byte at ${zero}`);
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot read the transcript: it is a binary file (found ${found})`,
    {
      details: { field: "transcript", value: start.slice(0, 16) },
      next: "Pass the agent's own session file, uncompressed, in UTF-8",
    },
  );
}
