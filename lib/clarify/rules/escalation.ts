// Composes the text for a human to decide a clarification: the topic, both positions, and the choices, all without a
// model (DESIGN section 6). Pure.

import { invalidTransition } from "./invalid_transition.ts";
import { topicOf } from "../../text/topic.ts";
import { askerOf, type ClarificationRecord, lastEntry, MAX_BODY } from "../schema.ts";

export interface EscalationReason {
  /** The reason, as one sentence without a final period. */
  reason: string;
  /** Whether the target was run and failed. */
  hasFailed?: boolean;
  /** The follow-up that was refused, if one was. */
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
  const isPosition = answered === round; // without an answer it is a question
  const facts = [
    `Reason: ${why.reason}`,
    ...(question !== undefined && topicOf(question) === topic ? [] : [`Topic: ${topic}`]),
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
    // Indent further lines of an agent's text, so that none of them can look like a line of agentx.
    ...facts.map((fact) => fact.replaceAll("\n", "\n    ")),
    "Options:",
    ...[...options, DECIDE_OTHERWISE].map((option, index) => `  ${LETTERS[index]}) ${option}`),
  ].join("\n");
}

/** An option in the text of an escalation. */
export interface EscalationOption {
  /** The letter of the option, `a` to `g`. */
  letter: string;
  text: string;
}

/** Returns the options of the last escalation as a human saw them; none if its text was not composed here. */
function optionsOf(record: ClarificationRecord): EscalationOption[] {
  const [, options = ""] = (lastEntry(record, "escalation")?.body ?? "").split(/^Options:$/m);
  return Array.from(
    options.matchAll(/^ {2}([a-g])\) (.+)$/gm),
    ([, letter, text]) => ({ letter, text }),
  );
}

/**
 * Returns the question to ask again, if the letter chooses that option of the last escalation, also when it was just
 * chosen. Such a letter is not an answer.
 */
export function askedAgainBy(record: ClarificationRecord, answer: string): string | undefined {
  const { round = 0 } = lastEntry(record, "escalation") ?? {};
  if (record.round > round + 1) return undefined;
  const letter = answer.trim().toLowerCase();
  const isChosen = optionsOf(record).some((option) =>
    option.letter === letter && option.text === askAgain(record)
  );
  return isChosen ? lastEntry(record, "question")?.body : undefined;
}

/** Whether an option needs words from the human, because its letter alone decides nothing. */
function needsWords({ text }: EscalationOption): boolean {
  return text === DECIDE_OTHERWISE;
}

/**
 * Returns the text of a decision. A single letter stands for its option, together with the position that the option
 * accepts.
 */
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

/** Returns the position that an option accepts, as of the last escalation: an answer may have come since. */
function positionOf({ thread }: ClarificationRecord, { text }: EscalationOption) {
  const before = thread.slice(0, thread.findLastIndex(({ type }) => type === "escalation"));
  if (text.startsWith(ACCEPT_ANSWER)) return lastEntry({ thread: before }, "answer")?.body;
  if (text.startsWith(ACCEPT_POSITION)) return lastEntry({ thread: before }, "question")?.body;
  return undefined;
}

/** Whether a decision returns the question to the two agents. */
export function allowsMoreRounds(decision: string): boolean {
  return decision.endsWith(`) ${MORE_ROUNDS}`);
}

/** Returns the options that a letter alone can choose; none if the escalation has no options. */
export function lettersOf(record: ClarificationRecord): EscalationOption[] {
  return optionsOf(record).filter((option) => !needsWords(option));
}

/** Returns the command that decides an escalated clarification, with the letters that it accepts. */
export function decideCommand(record: ClarificationRecord): string {
  const letters = lettersOf(record).map(({ letter }) => letter);
  const choice = letters.length === 0 ? "" : `${letters.join(", ")} or `;
  return `agentx answer ${record.id} ${choice}"..."`;
}
