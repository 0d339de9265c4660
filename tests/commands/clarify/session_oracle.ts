/**
 * What must be true of the ledgers after any number of sessions worked and were killed. Pure.
 *
 * @module
 */

import {
  type ClarificationRecord,
  isUnanswered,
  type LedgerFile,
} from "../../../lib/clarify/schema.ts";
import { type Book, wordOf } from "./session.ts";

/**
 * @param ledgers all of them, when everything is answered that may be
 * @param book what the sessions asked and were told
 * @returns what is wrong, a sentence each
 */
export function faultsOf(ledgers: readonly LedgerFile[], book: Book): string[] {
  const records = ledgers.flatMap(({ clarifications }) => clarifications);
  const ids = new Set(records.map(({ id }) => id));
  const words = records.flatMap(({ thread }) =>
    thread.filter(({ type }) => type === "question").map(({ body }) => wordOf(body))
  );
  return [
    ...[...book.asked.keys()].filter((id) => !ids.has(id)).map((id) => `${id} is lost`),
    ...ids.size === records.length ? [] : ["an id was given twice"],
    ...new Set(words).size === words.length ? [] : ["a question was written twice"],
    ...records.flatMap((record) => faultsOfThread(record).map((why) => `${record.id}: ${why}`)),
    ...records.flatMap((record) => faultsOfEnd(record, book).map((why) => `${record.id}: ${why}`)),
  ];
}

/** @returns how much was written */
export function countsOf(ledgers: readonly LedgerFile[]): Record<string, number> {
  const records = ledgers.flatMap(({ clarifications }) => clarifications);
  const entries = records.flatMap(({ thread }) => thread);
  const ofType = (wanted: string) => entries.filter(({ type }) => type === wanted).length;
  const left = records.filter(({ status }) => status === "abandoned").length;
  return {
    clarifications: records.length,
    questions: ofType("question"),
    answers: ofType("answer"),
    left,
  };
}

/** Each question has one answer in time, its own; an answer that was overtaken comes after it. */
function faultsOfThread({ thread, round, status, resolvedAt }: ClarificationRecord): string[] {
  const faults: string[] = [];
  const questions: string[] = [];
  const answered = new Map<number, string[]>();
  for (const entry of thread) {
    const answers = answered.get(entry.round) ?? [];
    if (entry.type === "question") {
      if (entry.round !== questions.length + 1) faults.push(`round ${entry.round} comes too early`);
      if (entry.round > 1 && !answered.has(entry.round - 1)) faults.push("it was not answered");
      questions.push(wordOf(entry.body));
    } else if (entry.type === "answer") {
      const word = questions[entry.round - 1];
      if (entry.body !== `Answer to ${word}`) faults.push(`"${entry.body}" answers ${word}`);
      if (answers.includes(entry.from)) faults.push(`${entry.from} answers ${word} twice`);
      answered.set(entry.round, [...answers, entry.from]);
    }
  }
  const isEnded = thread.some(({ type }) => type === "resolution");
  if (round !== questions.length) faults.push(`it is in round ${round} of ${questions.length}`);
  if (status === "answered" && !answered.has(round)) faults.push("its last question has no answer");
  if ((status === "resolved") !== isEnded || isEnded !== (resolvedAt !== null)) {
    faults.push(`it is ${status}, and resolved at ${resolvedAt}`);
  }
  return faults;
}

/** Nothing is open, nothing is given up by others, and every answer has come back. */
function faultsOfEnd(record: ClarificationRecord, { asked, returned }: Book): string[] {
  const known = asked.get(record.id);
  if (known === undefined) return ["nobody has asked it"];
  const { words, isLeft } = known;
  const written = record.thread.filter(({ type }) => type === "question");
  if (written.map(({ body }) => wordOf(body)).join() !== words.join()) {
    return [`its questions are not ${words}`];
  }
  if (isUnanswered(record)) return ["it is orphaned"];
  if (record.status === "escalated") return [`it is escalated: ${record.thread.at(-1)!.body}`];
  if (record.status === "abandoned") return isLeft ? [] : ["another session has abandoned it"];
  const missing = words.filter((word) => !returned.has(word));
  return missing.map((word) => `the answer to ${word} has not come back`);
}
