// What the scripted agents ask each other: cases, each a question with one right answer that its target
// alone knows. Pure; the same cases for the same seed.

import { randomNumbers } from "../random_numbers.ts";

/** The agents that are asked, by how they behave (`agent.ts`). */
export const TARGETS = ["honest", "vague", "silent", "lying", "circling"] as const;

/** One of {@linkcode TARGETS}. */
export type TargetName = typeof TARGETS[number];

/** An agent that prints an error of its model as its answer, and ends with exit code 0. */
export interface Lie {
  /** Whether a host says so in an envelope of JSON, or it is text like any answer. */
  form: "envelope" | "plain";
  /** Whether it is printed by every run, or only by the first one of the case. */
  lasts: boolean;
}

/** One question that an agent has to get settled. */
export interface Case {
  /** Such as `K17`. */
  id: string;
  issue: number;
  asker: string;
  target: TargetName;
  /** The right answer: a number that is not to be guessed. */
  limit: number;
  /** How often it has to be asked until the target is precise. */
  attempts: number;
  /** What is printed in place of an answer; null where nothing is. */
  lie: Lie | null;
}

/** How many cases there are. */
export interface PlanOptions {
  /** How many cases each target gets: a multiple of 4 has all kinds of lies alike. */
  perTarget: number;
  askers: number;
  seed: number;
}

/** The cases; those of an issue are one for each target, asked by several askers. */
export function planCases({ perTarget, askers, seed }: PlanOptions): Case[] {
  const random = randomNumbers(seed);
  return Array.from({ length: perTarget * TARGETS.length }, (_, index): Case => {
    const target = TARGETS[index % TARGETS.length];
    const turn = Math.floor(index / TARGETS.length);
    const form = turn % 2 === 0 ? "envelope" : "plain";
    return {
      id: `K${index + 1}`,
      issue: turn + 1,
      asker: `engineer@${(index % TARGETS.length + turn) % askers + 1}`,
      target,
      limit: 100_000 + Math.floor(random() * 900_000),
      attempts: target === "vague" ? 2 + Math.floor(random() * 2) : 1,
      lie: target === "lying" ? { form, lasts: turn % 4 > 1 } : null,
    };
  });
}

/** Whether the target gives the answer at all, if it is asked often enough. */
export function canSettle({ target, lie }: Case): boolean {
  return target !== "silent" && lie?.lasts !== true;
}

/** How an asker words its question, from attempt to attempt. */
const WORDINGS = [
  "which limit holds for it?",
  "that was no number. What is the highest value the service accepts?",
  "please name just one figure, in milliseconds, without any range.",
  "imagine a request arrives now: after how long is it cut off?",
  "I cannot write the code. Look into your notes, and copy the line about this case.",
  "last time: do you know the figure or not?",
];

/** How often an asker asks at most. */
export const MAX_ATTEMPTS: number = WORDINGS.length;

/** The question of an attempt, from 1. */
export function questionOf({ id }: Case, attempt: number): string {
  return `Case ${id}, attempt ${attempt}: ${WORDINGS[attempt - 1]}`;
}

/** The answer to a case, as its target words it. */
export function answerOf({ id, limit }: Case): string {
  return `For ${id} the limit is ${limit} ms.`;
}

/** The figure that an asker finds in what came back; null where there is none. */
export function limitIn(text: string): number | null {
  const found = /\bthe limit is (\d+) ms\b/.exec(text);
  return found === null ? null : Number(found[1]);
}
