/**
 * Pieces of input that several commands share. Each takes the string the user wrote and says in
 * its message what it must be.
 *
 * @module
 */

import * as z from "zod/mini";
import { formatClarificationId, isClarificationId } from "../clarify/schema.ts";
import { argument } from "./arguments.ts";
import { quote } from "./usage_error.ts";

/** `42` or `#42`: a positive whole number in plain digits, without sign or leading zero. */
export const issueNumber = argument(
  z.pipe(
    z.string().check(
      z.regex(/^#?[1-9][0-9]{0,8}$/, rule("be a whole number from 1 to 999999999")),
    ),
    z.transform((text) => Number(text.replace("#", ""))),
  ),
  "Number of the issue",
  { short: "i", placeholder: "N", completes: "issue" },
);

/** `CLR-42-001`, or in short `42-1`: the number of the issue and a sequence. */
export const clarificationId: z.ZodMiniType<string, string> = argument(
  z.pipe(
    z.string().check(
      z.refine((text) => isClarificationId(wholeId(text)), rule("look like CLR-42-001")),
    ),
    z.transform(wholeId),
  ),
  "Id of the clarification",
  { placeholder: "CLR-N-NNN", completes: "clarification" },
);

function wholeId(text: string): string {
  const [, issue, sequence] = /^(?:CLR-)?([1-9][0-9]*)-([1-9][0-9]*|[0-9]{3})$/i.exec(text) ?? [];
  return sequence === undefined ? text : formatClarificationId(Number(issue), Number(sequence));
}

/** `1` to `99`: rounds, or one of them. */
export const roundNumber: z.ZodMiniType<number, string> = argument(
  z.pipe(
    z.string().check(z.regex(/^[1-9][0-9]?$/, rule("be a whole number from 1"))),
    z.transform(Number),
  ),
  "Number of the round",
  { placeholder: "N" },
);

const UNIT_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `1500ms`, `90s`, `5m` or `2h`, as milliseconds. */
export const durationMs = argument(
  z.pipe(
    z.string().check(
      z.regex(/^[0-9]{1,7}(ms|s|m|h)$/, rule("be a duration such as 1500ms, 90s, 5m or 2h")),
    ),
    z.transform((text) => parseInt(text) * UNIT_MS[text.replace(/^[0-9]+/, "")]),
  ),
  "A duration such as 90s or 5m",
  { placeholder: "TIME" },
);

/**
 * A text with something in it; `-` reads it from standard input.
 *
 * @param maxCharacters Unicode characters
 * @returns a schema that leaves the text as it is
 */
export function text(maxCharacters: number): z.ZodMiniString<string> {
  const rule = `must have 1 to ${maxCharacters} characters`;
  const schema = z.string().check((context) => {
    const { value } = context;
    const count = [...value].length;
    const isBlank = value.trim() === "";
    if (!isBlank && count <= maxCharacters) return;
    const message = isBlank ? `${rule}, and is blank` : `${rule}, not ${count}`;
    context.issues.push({ code: "custom", input: value, message });
  });
  return argument(schema, `1 to ${maxCharacters} characters`, { placeholder: "TEXT", stdin: true });
}

/**
 * A message for a rule of one's own: `z.regex(PATTERN, rule("be ..."))`.
 *
 * @param what follows `must`
 * @returns how zod is told to say the rule and what was given
 */
export function rule(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => `must ${what}, not ${quote(input)}` };
}
