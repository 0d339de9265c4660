// The text for a human when two agents did not agree: the topic, both positions, and the choices, all without a model
// (DESIGN section 6). Pure.

import { invalidTransition } from "./invalid_transition.ts";
import { askerOf, type ClarificationRecord, lastEntry, MAX_BODY } from "../schema.ts";

export interface EscalationReason {
  /** One sentence without a final period. */
  reason: string;
  /** Whether its target was run and failed. */
  hasFailed?: boolean;
  /** The question that was not asked any more. */
  refusedQuestion?: string;
  /** The end of a failed target's standard output. */
  stdout?: string;
  /** The end of a failed target's standard error. */
  stderr?: string;
}

const ACCEPT_ANSWER = "accept the last answer of ";
const ACCEPT_POSITION = "accept the position of ";
const MORE_ROUNDS = "allow more rounds: resolve this one and let the requester ask again";
const DECIDE_OTHERWISE = "decide otherwise";
const askAgain = ({ to }: Pick<ClarificationRecord, "to">) => `ask ${to} again`;

/** Composes the body of an escalation: reason, topic, positions, rounds and options. */
export function escalationSummary(record: ClarificationRecord, why: EscalationReason): string {
  const { to, topic, round, maxRounds } = record;
  const asker = askerOf(record);
  const question = lastEntry(record, "question")?.body;
  const { body: answer, round: answered } = lastEntry(record, "answer") ?? {};
  const isPosition = answered === round; // what nobody has answered is a question only
  const facts = [
    `Reason: ${why.reason}`,
    `Topic: ${topic}`,
    `Rounds used: ${round} of ${maxRounds}`,
    `${isPosition ? "Position" : "Question"} of ${asker}: ${question ?? "none"}`,
    `Position of ${to}: ${answer ?? "no answer"}`,
    ...(why.refusedQuestion === undefined ? [] : [`Refused question: ${why.refusedQuestion}`]),
    ...(why.stderr ? [`End of its standard error:\n${why.stderr}`] : []),
    ...(why.stdout ? [`End of its standard output:\n${why.stdout}`] : []),
  ];
  return summary(facts, [
    ...(answer === undefined ? [] : [ACCEPT_ANSWER + to]),
    ...(isPosition ? [ACCEPT_POSITION + asker] : []),
    why.hasFailed && round < maxRounds ? askAgain(record) : MORE_ROUNDS,
  ]);
}

const LETTERS = "abcdefg";

function summary(facts: readonly string[], options: readonly string[]): string {
  return [
    // The further lines of an agent's text stay apart: none of them can pass for one of ours.
    ...facts.map((fact) => fact.replaceAll("\n", "\n    ")),
    "Options:",
    ...[...options, DECIDE_OTHERWISE].map((option, index) => `  ${LETTERS[index]}) ${option}`),
  ].join("\n");
}

/** An option as it stands in an escalation. */
export interface EscalationOption {
  /** `a` to `g`. */
  letter: string;
  text: string;
}

/**
 * The options of the last escalation, as a human was shown them; none where it was composed
 * elsewhere.
 */
function optionsOf(record: ClarificationRecord): EscalationOption[] {
  const [, options = ""] = (lastEntry(record, "escalation")?.body ?? "").split(/^Options:$/m);
  return Array.from(
    options.matchAll(/^ {2}([a-g])\) (.+)$/gm),
    ([, letter, text]) => ({ letter, text }),
  );
}

/** The question to ask again, where a letter chooses that, or chose it just before: it is no answer. */
export function askedAgainBy(record: ClarificationRecord, answer: string): string | undefined {
  const { round = 0 } = lastEntry(record, "escalation") ?? {};
  if (record.round > round + 1) return undefined;
  const letter = answer.trim().toLowerCase();
  const isChosen = optionsOf(record).some((option) =>
    option.letter === letter && option.text === askAgain(record)
  );
  return isChosen ? lastEntry(record, "question")?.body : undefined;
}

/** Such an option decides nothing without words. */
function needsWords({ text }: EscalationOption): boolean {
  return text === DECIDE_OTHERWISE;
}

/** Reads a decision. A letter alone chooses the option of that letter, with the position that it accepts. */
export function decisionOf(record: ClarificationRecord, body: string): string {
  const letter = body.trim().toLowerCase();
  const options = optionsOf(record);
  if (options.length === 0 || !/^[a-z]$/.test(letter)) return body;
  const chosen = options.find((option) => option.letter === letter);
  const { id } = record;
  if (chosen?.text === askAgain(record)) {
    const next = `Have it asked again with: agentx answer ${id} ${letter}`;
    throw invalidTransition(record, "resolve", `option ${letter} ends nothing`, next);
  }
  if (chosen === undefined) {
    const letters = options.map((option) => option.letter).join(", ");
    const next = `Choose one of ${letters}; they are shown by: agentx clarify ${id}`;
    throw invalidTransition(record, "resolve", `there is no option ${letter}`, next);
  }
  if (needsWords(chosen)) {
    const next = `Say what is decided: agentx answer ${id} "..."`;
    throw invalidTransition(
      record,
      "resolve",
      `option ${letter} does not say what is decided`,
      next,
    );
  }
  const position = positionOf(record, chosen);
  const decision = [`${letter}) ${chosen.text}`, ...position === undefined ? [] : [position]];
  return decision.join(": ").slice(0, MAX_BODY).toWellFormed();
}

/** As it was when the human was asked: an answer may have come since. */
function positionOf({ thread }: ClarificationRecord, { text }: EscalationOption) {
  const before = thread.slice(0, thread.findLastIndex(({ type }) => type === "escalation"));
  if (text.startsWith(ACCEPT_ANSWER)) return lastEntry({ thread: before }, "answer")?.body;
  if (text.startsWith(ACCEPT_POSITION)) return lastEntry({ thread: before }, "question")?.body;
  return undefined;
}

/** Whether a decision leaves the question to those who asked and answered it. */
export function allowsMoreRounds(decision: string): boolean {
  return decision.endsWith(`) ${MORE_ROUNDS}`);
}

/** The options that a letter alone chooses; none where the escalation has none. */
export function lettersOf(record: ClarificationRecord): EscalationOption[] {
  return optionsOf(record).filter((option) => !needsWords(option));
}

/** The command that decides an escalated clarification, with the letters that it takes. */
export function decideCommand(record: ClarificationRecord): string {
  const letters = lettersOf(record).map(({ letter }) => letter);
  const choice = letters.length === 0 ? "" : `${letters.join(", ")} or `;
  return `agentx answer ${record.id} ${choice}"..."`;
}
