/**
 * A quick look at a text that is shown or written: can there be anything to cut at all? It is asked
 * before the rules are loaded, which takes longer than listing a hundred clarifications, and of each
 * text of a list once they are. Pure.
 *
 * Meant to miss nothing: where the answer is no, redaction leaves the text as it is. That is held to
 * all labelled texts and thousands of plainer forms of them; it is no proof. The answer is yes for
 * most code, addresses, paths and names of variables, and no for most sentences.
 *
 * @module
 */

import { NAMES, PLACES } from "./rules/keywords.ts";

/** What may stand between words of a sentence; a run of letters goes on behind it. */
const MARK = String.raw`.,;:?!()'"#/\x60-`;

const LOWER = `[a-z${MARK}]`;

/** Names of documents and records, behind which a number is one. */
const NUMBERED = String.raw`(?<![^\s("'])(?:ADR|CLR|PRD|SPEC|TASK|US)`;

/** What no plain sentence has, and what a value needs to look drawn by chance. */
const UNUSUAL = new RegExp(
  [
    String.raw`[^\t\n\r A-Za-z0-9${MARK}]|\/\/|ey[JK]|[0-9]:[0-9]+:[0-9]`,
    String.raw`\s--?[A-Za-z]`, // a flag of a command line
    `[A-Za-z](?<!${NUMBERED})[${MARK}]*[0-9]|[0-9][${MARK}]*[A-Za-z]|[0-9]{10}`,
    // Case that changes three times within a run that has three letters in upper case.
    `(?<=${LOWER})[A-Z]+${LOWER}+[A-Z]|[A-Z]{16}`,
    `(?<![A-Z])(?:[A-Z]{2,}${LOWER}+[A-Z]+[a-z]|[A-Z]+${LOWER}+[A-Z]{2,}[a-z])`,
    `[A-Z]${LOWER}+[A-Z]${LOWER}+[A-Z]`,
  ].join("|"),
);

/** Near which any value may be a secret; in lower case. */
const TELLING = new RegExp(`${NAMES}|${PLACES}`);

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z`;

/** What tells issues apart, also those of older files. */
const UID = String.raw`(?:[0-9a-f]{16}|\d{1,9}-${TIME})`;

/** The hosts of `host_session.ts`, with the end of the id of a session; or a short name that a user gave. */
const HOST_SESSION = "(?:claude|codex|gemini|copilot|opencode)-[0-9a-f]{4}";
const WORKER = `(?:${HOST_SESSION}(?:-${HOST_SESSION})?|[a-z0-9]{1,6})`;

/** Times, ids, labels and names of sessions of our own, of which lists are full. */
const OWN = new RegExp(
  [
    TIME,
    String.raw`(?:#\d{1,9} )?${UID}`,
    String.raw`CLR-\d{1,9}-\d{3,9}|priority:p\d|(?:blocked_by|blocks):#\d{1,9}`,
    `[a-z][a-z-]{0,30}@${WORKER}`,
  ].map((form) => `^(?:${form})$`).join("|"),
);

/**
 * @param text anything, or several texts that are looked at as one, which is quicker for many
 * @returns false only where redaction changes nothing
 */
export function mayHoldSecret(text: string | Iterable<string>): boolean {
  const texts = typeof text === "string" ? [text] : text;
  const foreign = Array.from(texts).filter((text) => !OWN.test(text)).join("\n");
  return UNUSUAL.test(foreign) || TELLING.test(foreign.toLowerCase());
}
