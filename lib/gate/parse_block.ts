/**
 * Reads the block NEEDS_CLARIFICATION out of what an agent wrote (seed 004, step 5). Pure.
 *
 * It is tolerant, since agents are: headings of any level or none, marks of emphasis left out, lines that
 * are wrapped, other bullets, labels such as `(a)` or `a.`, text before and behind it, and the whole in a
 * quote or a fence. Each line is looked at once.
 *
 * @module
 */

import {
  BLOCKERS,
  type BlockerType,
  type Evidence,
  type GateQuestion,
  LABELS,
  type Level,
  oneLine,
} from "./request.ts";

/** What a block says; what it does not say is empty, or null. */
export interface ParsedBlock {
  /** One of the three, or as the agent wrote it. */
  blockerType: BlockerType | string;
  /** What was tried before. */
  evidence: Evidence;
  /** On one line. */
  question: string;
  /** In the order of their labels. */
  options: string[];
  /** What is done if nobody answers. */
  fallback: {
    /** The label of an option. */
    option: string;
    reasoning: string;
    confidence: Level | null;
    risk: Level | null;
  };
  /** How long the human has: `5m`, or `never`; null where it does not say. */
  timeout: string | null;
}

type Part = "blocker" | "evidence" | "question" | "options" | "fallback" | "status";

const HEADING = /^(?:pm\s+)?status:\s*needs_clarification\b/i;

const PARTS: readonly [RegExp, Part][] = [
  [/^blocker(?:\s+type)?\s*:\s*/i, "blocker"],
  [/^evidence(?:\s+of\s+exhaustion)?\s*:\s*/i, "evidence"],
  [/^question\s*:\s*/i, "question"],
  [/^options\s*:\s*/i, "options"],
  [/^(?:safe\s+)?fallback\s*:\s*/i, "fallback"],
  [/^status\s*:\s*/i, "status"],
];

const EVIDENCE: readonly [RegExp, keyof Evidence][] = [
  [/^codebase\s+search\s*:\s*/i, "codebaseSearch"],
  [/^similar\s+features\s*:\s*/i, "similarFeatures"],
  [/^attempted\s+inference\s*:\s*/i, "attemptedInference"],
  [/^investigator(?:\s+findings)?\s*:\s*/i, "investigator"],
];

/**
 * Finds the block in a text.
 *
 * @param prose what an agent wrote
 * @returns the last block in it; undefined where there is none
 */
export function parseBlock(prose: string): ParsedBlock | undefined {
  const lines = prose.split(/\r\n|[\n\r\u2028\u2029]/).map(bare);
  const start = lines.findLastIndex((line) => HEADING.test(plain(line.replace(/^#+\s*/, ""))));
  if (start < 0) return undefined;
  const parts = partsOf(lines.slice(start + 1));
  const { blocker, question, fallback, status } = parts;
  return {
    blockerType: blockerOf(plain(joined(blocker))),
    evidence: evidenceOf(parts.evidence),
    question: joined(question),
    options: optionsOf(parts.options),
    fallback: fallbackOf(joined(fallback)),
    timeout: timeoutOf(joined(fallback), joined(status)),
  };
}

/** A quote or an indent is of the place where the block stands. */
function bare(line: string): string {
  return line.replace(/^[\s>|]+/, "").trimEnd();
}

/** Marks of emphasis at the ends of words. */
function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, "").trim();
}

/** No part of a block is longer; a longer one is refused by its own limit. */
const MAX_PART = 10_000;

function joined(lines: readonly string[]): string {
  return oneLine(lines.join(" ").slice(0, MAX_PART).toWellFormed());
}

/** The lines of each part, of which the first one is what follows its name. */
function partsOf(lines: readonly string[]): Record<Part, string[]> {
  const parts: Record<Part, string[]> = {
    blocker: [],
    evidence: [],
    question: [],
    options: [],
    fallback: [],
    status: [],
  };
  let current: Part | undefined;
  for (const line of lines) {
    const begun = beginningOf(line);
    if (begun !== undefined && parts[begun.part].length === 0) {
      current = begun.part;
      parts[current].push(begun.rest);
    } else if (current === "status" || /^(?:#+\s|```|~~~|-{3,}$)/.test(line)) {
      if (current === "status") break; // what follows is no part of the block
    } else if (current !== undefined) parts[current].push(line);
  }
  return parts;
}

/** A part begins with its name, in bold or in a heading. */
function beginningOf(line: string): { part: Part; rest: string } | undefined {
  const [, mark, name, rest] = /^(#+\s*|\*\*|__)([^:*_]{1,40}:)(?:\*\*|__)?(.*)$/.exec(line) ??
    /^()([A-Z][A-Za-z ]{1,40}:)(.*)$/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  const found = PARTS.find(([pattern]) => pattern.test(name));
  return found === undefined ? undefined : { part: found[1], rest: rest.trim() };
}

function blockerOf(text: string): string {
  const key = text.toLowerCase().replace(/[^a-z]+/g, " ").trim();
  const found = Object.entries(BLOCKERS).find(([type, name]) =>
    type.replaceAll("_", " ") === key || name.toLowerCase() === key ||
    type === "security_decision" && /^security legal (?:decision|ambiguity)$/.test(key)
  );
  return found?.[0] ?? text;
}

function evidenceOf(lines: readonly string[]): Evidence {
  const found = new Map<keyof Evidence, string[]>();
  let current: string[] | undefined;
  for (const line of lines) {
    const text = line.replace(/^(?:[-*+\u2022]|\d+[.)])\s+/, "");
    const named = EVIDENCE.find(([pattern]) => pattern.test(text.replace(/\*\*|__/g, "")));
    if (named === undefined) current?.push(text);
    else found.set(named[1], current = [text.replace(/^[^:]*:(?:\*\*|__)?\s*/, "")]);
  }
  const textOf = (field: keyof Evidence) => joined(found.get(field) ?? []);
  return {
    codebaseSearch: textOf("codebaseSearch"),
    similarFeatures: textOf("similarFeatures"),
    attemptedInference: textOf("attemptedInference"),
    investigator: found.has("investigator") ? textOf("investigator") : null,
  };
}

/** An option begins with the letter that is next; anything else goes on with the one before. */
function optionsOf(lines: readonly string[]): string[] {
  const options: string[][] = [];
  for (const line of lines) {
    const [, letter, text] =
      /^(?:[-*+\u2022]\s+)?(?:\*\*|__)?\(?([a-z])[).:](?:\*\*|__)?\s+(.*)$/i.exec(line) ?? [];
    const isNext = letter !== undefined && letter.toLowerCase() === LABELS[options.length];
    if (isNext) options.push([text]);
    else options.at(-1)?.push(line);
  }
  return options.map(joined);
}

const LOGGED = /\.?\s*(?:This|The) (?:assumption )?will be logged (?:with|as) ([^.]*)\.?\s*$/i;

function fallbackOf(text: string): ParsedBlock["fallback"] {
  const start = text.search(/\b(?:proceed|go on|continue) with\b/i);
  const [, option = "", rest = ""] =
    /^.*?\bwith (?:\*\*)?(?:option\s*)?[([]?([a-d])[)\]]?(?:\*\*)?(?=[\s,.:;]|$)(.*)$/i.exec(
      start < 0 ? text : text.slice(start),
    ) ?? [];
  const [, logged = ""] = LOGGED.exec(text) ?? [];
  const [, why = rest.replace(/^[\s,.:;-]+/, "")] = /\bbecause\s+(.*)$/i.exec(rest) ?? [];
  return {
    option: option.toLowerCase(),
    reasoning: oneLine(why.replace(LOGGED, "")).replace(/[\s.]+$/, ""),
    confidence: levelBefore(logged, "confidence"),
    risk: levelBefore(logged, "risk"),
  };
}

function levelBefore(text: string, noun: string): Level | null {
  const [, level] = new RegExp(`\\b(high|medium|low)[ -]${noun}`, "i").exec(text) ?? [];
  return level === undefined ? null : level.toLowerCase() as Level;
}

function timeoutOf(fallback: string, status: string): string | null {
  if (/^without a response i wait/i.test(fallback)) return "never";
  const pattern = /\b(?:within|in|after) (\d{1,7}) (second|minute|hour|millisecond)s?\b/i;
  const [, count, unit] = pattern.exec(status) ?? pattern.exec(fallback) ?? [];
  if (count === undefined) return null;
  return Number(count) + (unit.toLowerCase() === "millisecond" ? "ms" : unit[0].toLowerCase());
}

/**
 * Makes a question of a block. What the block does not say is taken to be middling; of a decision about
 * security, to be dangerous.
 *
 * @param block read from an agent's prose
 * @returns the question, unchecked; who asks it, the block does not say
 */
export function questionOf(
  { blockerType, evidence, question, options, fallback }: ParsedBlock,
): Omit<GateQuestion, "agent" | "issue" | "session"> {
  const { option, reasoning, confidence, risk } = fallback;
  return {
    phase: "planning",
    blockerType,
    evidence,
    question,
    options,
    fallback: {
      option,
      reasoning,
      confidence: confidence ?? "medium",
      risk: risk ?? (blockerType === "security_decision" ? "high" : "medium"),
    },
  };
}
