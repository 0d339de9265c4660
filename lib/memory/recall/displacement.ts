// Estimates from words how useful a recall was to a session: the observations that the agent used, and the tokens that
// the agent did not need to read again (SPEC-AgentX section 12, "token displacement"). Pure.

import type { Transcript } from "../../transcripts/transcript.ts";
import { anchorsIn } from "../anchors/anchors.ts";
import { pathsIn, symbolsIn } from "../anchors/names.ts";
import { estimateTokens, type Observation } from "../schema.ts";

/** The use of a recall to one session. */
export interface SessionUse {
  /** The session, as its observations name it. */
  sessionId: string;
  /** The agent of the session. */
  agent: string;
  /** The issue that was worked on. */
  issueNumber: number;
  /** The time when the session was captured, ISO-8601, UTC. */
  timestamp: string;
  /** Number of observations recalled to the session. */
  recalled: number;
  /** Tokens of the recalled observations. */
  recalledTokens: number;
  /** Number of recalled observations with words, files or symbols that the agent's own text repeats. */
  used: number;
  /** Tokens of the files that the used observations name; for an observation that names no file, its own tokens. */
  displacedTokens: number;
}

/** Tools that write; their results name the written file. */
const WRITING = /edit|write|patch|create|replace|insert|apply/i;

/** Matches an id, or a line of a recall: an item with a short id, or the line with agent, issue and day above it. */
const NAMED = new RegExp(
  String.raw`obs-[a-z0-9][a-z0-9_.@-]{0,63}-(0|[1-9]\d{0,8})-\d{1,15}-([a-z0-9]{6})\b|` +
    String.raw`(?:^|\n|\\n)(?:> )?(?:- ([a-z0-9]{6})(?![a-z0-9])|` +
    String.raw`\S{1,100} on #(0|[1-9]\d{0,8}), \d{4}-\d\d-\d\d(?:, session [^\n]{1,40})?:)`,
  "g",
);

const TELLING_WORD = /[\p{L}\p{N}_$]{5,}/gu;

/** An observation was used if at least this number and this share of its words came back. */
const MIN_WORDS = 3;
const MIN_SHARE = 0.5;

/** An observation as a recall names it. */
export interface RecalledName {
  issueNumber: number;
  /** The last part of its id. */
  shortId: string;
}

/** The observations that were recalled to a recorded session, each once. */
export function recalledIn({ recalled }: Pick<Transcript, "recalled">): RecalledName[] {
  const names = new Map<string, RecalledName>();
  for (const text of recalled) {
    let issue: string | undefined;
    for (const [, ofId, endOfId, item, group] of text.matchAll(NAMED)) {
      issue = group ?? issue;
      const shortId = endOfId ?? item;
      const issueNumber = Number(ofId ?? issue);
      if (shortId !== undefined && issueNumber >= 0) {
        names.set(`${issueNumber} ${shortId}`, { issueNumber, shortId });
      }
    }
  }
  return [...names.values()];
}

/**
 * Computes the figures of a session that got a recall; `textOf` returns the text of a file, undefined if unknown.
 */
export function displacementOf(
  { messages }: Pick<Transcript, "messages">,
  given: readonly Observation[],
  textOf: (path: string) => string | null | undefined,
): Pick<SessionUse, "recalled" | "recalledTokens" | "used" | "displacedTokens"> {
  const written = messages.filter(({ role, tool }) =>
    role === "assistant" || role === "tool" && WRITING.test(tool ?? "")
  ).map(({ text }) => text);
  const asked = messages.filter(({ role }) => role === "user").map(({ text }) => text).join("\n");
  const used = given.filter(({ content }) => isUsed(content, written, asked));
  const files = new Set(used.flatMap((each) => anchorsIn(each).map(({ path }) => path)));
  const read = [...files].map((path) => estimateTokens(textOf(path) ?? ""));
  const alone = used.filter((each) => anchorsIn(each).length === 0).map(({ tokens }) => tokens);
  return {
    recalled: given.length,
    recalledTokens: sum(given.map(({ tokens }) => tokens)),
    used: used.length,
    displacedTokens: sum([...read, ...alone]),
  };
}

/** Whether the agent used an observation. Names that the request already had do not count. */
function isUsed(content: string, written: readonly string[], asked: string): boolean {
  const names = [...pathsIn(content).map(({ path }) => path), ...symbolsIn(content)]
    .filter((name) => name.length >= 4 && !asked.includes(name));
  if (names.some((name) => written.some((text) => text.includes(name)))) return true;
  const known = new Set(wordsIn(asked));
  const telling = [...new Set(wordsIn(content))].filter((word) => !known.has(word));
  return telling.length >= MIN_WORDS && written.some((text) => {
    const words = new Set(wordsIn(text));
    const common = telling.filter((word) => words.has(word)).length;
    return common >= MIN_WORDS && common >= telling.length * MIN_SHARE;
  });
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(TELLING_WORD) ?? [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
