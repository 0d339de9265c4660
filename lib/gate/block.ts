// The block NEEDS_CLARIFICATION: writes it exactly as in seed 004, and reads it from an agent's prose (step 5). Pure.
//
// The reader is tolerant, since agents vary: it accepts headings of any level or none, missing marks of emphasis,
// wrapped lines, other bullets, labels such as `(a)` or `a.`, text around the block, and a block in a quote or a
// fence. It processes each line once.

import {
  BLOCKERS,
  type Evidence,
  type Fallback,
  type GateQuestion,
  type GateRequest,
  LABELS,
  type Level,
  oneLine,
  riskLevel,
} from "./request.ts";

/** The block with a placeholder for each part (seed 004, step 3). */
export const BLOCK_TEMPLATE = `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** [Mutually Exclusive Requirements / Missing External Data / Security Decision]

**Evidence of Exhaustion:**
- Codebase search: [files/patterns searched, what was found/not found]
- Similar features: [existing features examined]
- Attempted inference: [what reasoning was applied]

**Question:** [Single specific question]

**Options:**
a) [Option 1 - specific, actionable]
b) [Option 2 - specific, actionable]

**Safe Fallback:** If no response within 5 minutes, I will proceed with option [X] because [clear reasoning
based on evidence]. This assumption will be logged with [high / medium / low] risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)`;

/**
 * Returns the block, which {@linkcode parseBlock} can read. `wait` is null if the agent must not proceed without an
 * answer.
 */
export function renderBlock(request: GateRequest, wait: string | null): string {
  const { blockerType, evidence, question, options, fallback } = request;
  const { codebaseSearch, similarFeatures, attemptedInference, investigator } = evidence;
  const silence = wait === null
    ? "If nobody answers, I wait. The fallback would be to"
    : `If no response within ${wait}, I will`;
  const status = wait === null
    ? "waits for a response"
    : `auto-proceed with fallback after ${wait}`;
  return [
    "## PM Status: NEEDS_CLARIFICATION",
    "",
    `**Blocker Type:** ${blockerType === "none" ? "None" : BLOCKERS[blockerType]}`,
    "",
    "**Evidence of Exhaustion:**",
    `- Codebase search: ${codebaseSearch}`,
    `- Similar features: ${similarFeatures}`,
    `- Attempted inference: ${attemptedInference}`,
    ...investigator === null ? [] : [`- Investigator findings: ${investigator}`],
    "",
    `**Question:** ${question}`,
    "",
    "**Options:**",
    ...options.map(({ label, text }) => `${label}) ${text}`),
    "",
    `**Safe Fallback:** ${silence} proceed with option (${fallback.option}) because ` +
    `${fallback.reasoning}. This assumption will be logged with ${riskLevel(fallback.risk)} risk.`,
    "",
    `**Status:** AWAITING_CLARIFICATION (${status})`,
    "",
  ].join("\n");
}

/** A question as a block states it. It is unchecked, and texts that the block lacks are empty. */
export interface ParsedBlock extends Omit<GateQuestion, "agent" | "issue" | "session"> {
  /** How long the human has: `5m`, or `never`; null if the block does not say. */
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

/** Returns the last block in an agent's prose; undefined if there is none. */
export function parseBlock(prose: string): ParsedBlock | undefined {
  const lines = prose.split(/\r\n|[\n\r\u2028\u2029]/).map(bare);
  const start = lines.findLastIndex((line) => HEADING.test(plain(line.replace(/^#+\s*/, ""))));
  if (start < 0) return undefined;
  const parts = partsOf(lines.slice(start + 1));
  const { blocker, question, fallback, status } = parts;
  const blockerType = blockerOf(plain(oneLineOf(blocker)));
  return {
    phase: "planning",
    blockerType,
    evidence: evidenceOf(parts.evidence),
    question: oneLineOf(question),
    options: optionsOf(parts.options),
    fallback: fallbackOf(oneLineOf(fallback), blockerType),
    timeout: timeoutOf(oneLineOf(fallback), oneLineOf(status)),
  };
}

/** Removes quote marks and indentation from a line. */
function bare(line: string): string {
  return line.replace(/^[\s>|]+/, "").trimEnd();
}

/** Removes marks of emphasis. */
function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, "").trim();
}

/** Maximum number of characters read for a part. Valid parts are shorter; a longer one fails its own limit. */
const MAX_PART = 10_000;

function oneLineOf(lines: readonly string[]): string {
  return oneLine(lines.join(" ").slice(0, MAX_PART).toWellFormed());
}

/** Returns the lines of each part. The first of them is the rest of the line with the part's name. */
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
      if (current === "status") break; // the text after the status is outside the block
    } else if (current !== undefined) parts[current].push(line);
  }
  return parts;
}

/** Returns the part that a line begins, if any. A part begins with its name, in bold or in a heading. */
function beginningOf(written: string): { part: Part; rest: string } | undefined {
  const line = written.replace(/^(\W*)blocker_type(?=\W*:)/i, "$1Blocker type"); // as in JSON
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
  const textOf = (field: keyof Evidence) => oneLineOf(found.get(field) ?? []);
  return {
    codebaseSearch: textOf("codebaseSearch"),
    similarFeatures: textOf("similarFeatures"),
    attemptedInference: textOf("attemptedInference"),
    investigator: found.has("investigator") ? textOf("investigator") : null,
  };
}

/** Returns the options. An option begins with the next letter; any other line continues the option before it. */
function optionsOf(lines: readonly string[]): string[] {
  const options: string[][] = [];
  for (const line of lines) {
    const [, letter, text] =
      /^(?:[-*+\u2022]\s+)?(?:\*\*|__)?\(?([a-z])[).:](?:\*\*|__)?\s+(.*)$/i.exec(line) ?? [];
    const isNext = letter !== undefined && letter.toLowerCase() === LABELS[options.length];
    if (isNext) options.push([text]);
    else options.at(-1)?.push(line);
  }
  return options.map(oneLineOf);
}

const LOGGED = /\.?\s*(?:This|The) (?:assumption )?will be logged (?:with|as) ([^.]*)\.?\s*$/i;

/** Reads the fallback. A missing risk counts as medium, or as high for a decision about security. */
function fallbackOf(text: string, blockerType: string): Fallback {
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
    confidence: levelBefore(logged, "confidence") ?? "medium",
    risk: levelBefore(logged, "risk") ?? (blockerType === "security_decision" ? "high" : "medium"),
  };
}

function levelBefore(text: string, noun: string): Level | undefined {
  const [, level] = new RegExp(`\\b(high|medium|low)[ -]${noun}`, "i").exec(text) ?? [];
  return level?.toLowerCase() as Level | undefined;
}

function timeoutOf(fallback: string, status: string): string | null {
  if (/^if nobody answers, i wait/i.test(fallback)) return "never";
  const pattern = /\b(?:within|in|after) (\d{1,7}) (second|minute|hour|millisecond)s?\b/i;
  const [, count, unit] = pattern.exec(status) ?? pattern.exec(fallback) ?? [];
  if (count === undefined) return null;
  return Number(count) + (unit.toLowerCase() === "millisecond" ? "ms" : unit[0].toLowerCase());
}
