// A question to the human, as an agent asks it and as it is stored (seed 004, "Clarification Request Format"). Pure.

import { AgentxError, hasCode } from "../base/errors.ts";
import { checkIssueNumber, checkText, invalidInput } from "../base/input_checks.ts";
import { enumerate } from "../base/quote.ts";

export const BLOCKERS: Readonly<Record<BlockerType, string>> = {
  mutually_exclusive_requirements: "Mutually Exclusive Requirements",
  missing_external_data: "Missing External Data",
  security_decision: "Security Decision",
};

export type BlockerType =
  | "mutually_exclusive_requirements"
  | "missing_external_data"
  | "security_decision";

/** The phases of the work on an issue. A human is asked only in the first phase. */
export const PHASES = ["planning", "development", "qa", "fixes"] as const;

/** An agent's attempts before its question (seed 004, "Evidence of Exhaustion"). */
export interface Evidence {
  /** The searched files and patterns, and the findings. */
  codebaseSearch: string;
  /** Existing features that were examined. */
  similarFeatures: string;
  /** The reasoning that was applied. */
  attemptedInference: string;
  /** An investigator's findings; null if none was needed. */
  investigator: string | null;
}

/** A level of confidence or of risk. */
export type Level = "high" | "medium" | "low";

/** One of the answers that a human may choose. */
export interface GateOption {
  /** `a` to `d`. */
  label: string;
  /** Specific and actionable, on one line. */
  text: string;
}

/** The option that is taken without an answer. */
export interface Fallback {
  /** The label of one of the options. */
  option: string;
  /** The reason for this option. */
  reasoning: string;
  /** The agent's confidence in this option. */
  confidence: Level;
  /** The risk of a wrong choice, a level and the price of a change: `low - easy to switch later`. */
  risk: string;
}

/** A question to the human as an agent asks it. Missing and invalid fields are refused. */
export interface GateQuestion {
  /** The agent that asks, with its worker if there is one. */
  agent: string;
  issue: number;
  /** The session that asks. A session asks once. */
  session: string;
  /** `planning`; in any other phase the gate refuses the question. */
  phase: string;
  /** One of the three blockers. */
  blockerType: string;
  /** The topic, in a few words. */
  topic?: string;
  /** The agent's attempts before the question. */
  evidence: Partial<Evidence>;
  /** A single specific question, 1 to 2000 characters. */
  question: string;
  /** Two to four, 1 to 200 characters each; they are labelled a, b, c, d. */
  options: readonly string[];
  /** The option that is taken without an answer, by its label. */
  fallback: Omit<Fallback, "confidence"> & { confidence: string };
}

/** A checked request, as it is stored. */
export interface GateRequest
  extends Pick<GateQuestion, "agent" | "issue" | "session" | "phase" | "question"> {
  /** One of the three blockers. `none` is possible only for a topic that the settings always ask about. */
  blockerType: BlockerType | "none";
  topic: string;
  /** The evidence. A missing part is an empty text. */
  evidence: Evidence;
  options: GateOption[];
  fallback: Fallback;
}

/** Labels of options, in their order. */
export const LABELS = ["a", "b", "c", "d"];

/** Levels of confidence and risk. */
export const LEVELS = ["high", "medium", "low"] as const;

/** The maximum length of each part, in characters. */
export const MAX_QUESTION = 2_000;
export const MAX_EVIDENCE = 2_000;
export const MAX_OPTION = 200;
export const MAX_REASONING = 1_000;
export const MAX_GATE_TOPIC = 200;
const MAX_SESSION = 200;

const MIN_OPTIONS = 2;

/**
 * Checks an agent's question, but not the four conditions. Line breaks become spaces, because the block has one line
 * for each part. `cut` gets each text after that. Missing evidence becomes an empty text. Throws `INVALID_INPUT` with
 * all that is wrong.
 */
export function checkQuestion(
  given: GateQuestion,
  cut: (field: string, text: string) => string = (_field, text) => text,
): GateRequest {
  const faults: AgentxError<"INVALID_INPUT">[] = [];
  const kept = <T>(check: () => T, instead: T): T => {
    try {
      return check();
    } catch (error) {
      if (!hasCode(error, "INVALID_INPUT")) throw error;
      faults.push(error);
      return instead;
    }
  };
  const read = (field: string, value: unknown, max: number) =>
    cut(field, oneLine(checkText(field, value, max)));
  const text = (...part: Parameters<typeof read>) => kept(() => read(...part), "");
  const proof = (field: string, value: string | null | undefined) =>
    isBlank(value) ? "" : text(field, value, MAX_EVIDENCE);
  const question = text("question", given.question, MAX_QUESTION);
  const { codebaseSearch, similarFeatures, attemptedInference, investigator } = given.evidence;
  const readOption = (option: string) => read("option", option, MAX_OPTION);
  const options = kept(() => checkOptions(given.options.map(readOption)), []);
  const { option, reasoning, confidence, risk } = given.fallback;
  const request: GateRequest = {
    agent: given.agent,
    issue: kept(() => checkIssueNumber(given.issue), 0),
    session: kept(() => checkText("session", given.session, MAX_SESSION), ""),
    phase: oneLine(given.phase).slice(0, MAX_OPTION),
    blockerType: given.blockerType in BLOCKERS ? given.blockerType as BlockerType : "none",
    topic: given.topic === undefined
      ? [...question].slice(0, MAX_GATE_TOPIC).join("").trim()
      : text("topic", given.topic, MAX_GATE_TOPIC),
    evidence: {
      codebaseSearch: proof("codebase-search", codebaseSearch),
      similarFeatures: proof("similar-features", similarFeatures),
      attemptedInference: proof("attempted-inference", attemptedInference),
      investigator: investigator === undefined || investigator === null
        ? null
        : proof("investigator", investigator),
    },
    question,
    options,
    fallback: {
      option: options.length === 0 ? "" : kept(() => checkFallback(option, options), ""),
      // The block ends the sentence with its own period.
      reasoning: text("because", reasoning?.replace(/[\s.]+$/, ""), MAX_REASONING),
      confidence: kept(() => checkLevel("confidence", confidence), "medium"),
      risk: kept(() => checkRisk(read("risk", risk, MAX_REASONING)), ""),
    },
  };
  const [first, ...others] = faults;
  if (first !== undefined) throw others.length === 0 ? first : allOf(first, others);
  return request;
}

/** Combines the errors of several parts, so that an agent corrects all of them at once. */
function allOf(
  first: AgentxError<"INVALID_INPUT">,
  others: readonly AgentxError[],
): AgentxError<"INVALID_INPUT"> {
  const summary = [first, ...others].map(({ summary }) => summary).join("; ");
  const next = "Correct them all and try again; agentx ask human --template shows each part";
  return new AgentxError("INVALID_INPUT", summary, { details: first.details, next });
}

/** Returns the level at the beginning of a risk such as `low - easy to switch later`. */
export function riskLevel(risk: string): Level | undefined {
  const [, level] = /^(high|medium|low)\b/i.exec(risk) ?? [];
  return level?.toLowerCase() as Level | undefined;
}

const LABEL = /^\s*(?:use\s+)?(?:option\s*)?\(?([a-z])\)?\s*$/i;
const LABEL_AND_MORE = /^\s*(?:use\s+)?option\s+\(?([a-z])\)?\s*[-:,]\s*(\S.*)$/is;

/**
 * Returns the option for a label such as `a`, `A`, `(a)`, `option a` or `Use option a - with the old key`, with the
 * words after the label. Returns undefined if the text is not a label. Throws `INVALID_INPUT` for a label that is
 * not offered.
 */
export function optionLabelled(
  options: readonly GateOption[],
  label: string,
): GateOption | undefined {
  const [, letter, more] = (LABEL.exec(label) ?? LABEL_AND_MORE.exec(label)) ?? [];
  if (letter === undefined) return undefined;
  const found = options.find((option) => option.label === letter.toLowerCase());
  if (found !== undefined && more === undefined) return found;
  if (found !== undefined) return { ...found, text: `${found.text} - ${more}` };
  const why = `there is no such option; there are ${labelsOf(options)}`;
  throw invalidInput("answer", letter, why, "Choose one of them, or answer in words");
}

function labelsOf(options: readonly GateOption[]): string {
  return enumerate(options.map(({ label }) => label));
}

/** Returns a text on one line, with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === "";
}

function checkOptions(texts: readonly string[]): GateOption[] {
  if (texts.length < MIN_OPTIONS || texts.length > LABELS.length) {
    const why = `a question to the human has ${MIN_OPTIONS} to ${LABELS.length}`;
    throw new AgentxError("INVALID_INPUT", `Cannot offer ${texts.length} options: ${why}`, {
      details: { field: "options", value: texts.length },
      next: "Give each specific choice as an option of its own",
    });
  }
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text.toLowerCase())) throw invalidInput("option", text, "it is given twice");
    seen.add(text.toLowerCase());
  }
  return texts.map((text, index) => ({ label: LABELS[index], text }));
}

function checkFallback(label: string, options: readonly GateOption[]): string {
  const found = /^[a-z]$/i.test(label.trim())
    ? options.find((option) => option.label === label.trim().toLowerCase())
    : undefined;
  if (found !== undefined) return found.label;
  const why = `it is not one of the options ${labelsOf(options)}`;
  throw invalidInput("fallback", label, why, "Name the option that is safe if nobody answers");
}

export function checkLevel(field: string, given: string): Level {
  const level = given.trim().toLowerCase();
  if ((LEVELS as readonly string[]).includes(level)) return level as Level;
  throw invalidInput(field, given, `it must be one of ${LEVELS.join(", ")}`);
}

export function checkRisk(risk: string): string {
  const level = riskLevel(risk);
  if (level !== undefined) return level + risk.slice(level.length);
  const why = `it must begin with one of ${LEVELS.join(", ")}`;
  throw invalidInput("risk", risk, why, 'Such as: low - "easy to switch later"');
}
