/**
 * What may stand at the end of a command line, from the table of commands and their schemas.
 *
 * @module
 */

import { GLOBAL_ARGUMENTS, longName, withNamed } from "./argv.ts";
import type { CommandEntry } from "./command.ts";
import { subcommandsOf } from "./find_command.ts";
import { type Argument, argumentsOf, type ValueKind } from "./spec.ts";

/** A word that may stand there. */
export interface Candidate {
  word: string;
  /** What it is, in a few words; it may quote anybody. */
  text: string;
}

/** Options of {@linkcode complete}. */
export interface CompleteOptions {
  /** The table of commands. */
  commands: readonly CommandEntry[];
  /** Looks up what there is of a kind. */
  valuesOf: (kind: ValueKind) => Candidate[] | Promise<Candidate[]>;
}

const HELP: Candidate = { word: "help", text: "Explain a command" };

/** Completes the last word, as far as it is written; bash makes three words of `--issue=4`. */
export async function complete(
  words: readonly string[],
  options: CompleteOptions,
): Promise<Candidate[]> {
  const { flag, value, prefix, before } = splitLast(words);
  const candidates = flag === undefined
    ? await wordsAfter(before, value, options)
    : await valuesOfFlag(flag, before, options);
  return candidates
    .filter(({ word }) => word.startsWith(value))
    .map(({ word, text }) => ({ word: prefix + word, text }));
}

/** The word to be completed, and the flag whose value it is, if `=` stands between them. */
interface LastWord {
  flag: string | undefined;
  value: string;
  /** What the shell takes for a part of the same word. */
  prefix: string;
  before: readonly string[];
}

function splitLast(words: readonly string[]): LastWord {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  if (before.includes("--")) return { flag: undefined, value: last, prefix: "", before };
  const [flag, value] = last.split(/=(.*)/s);
  if (value !== undefined && flag.startsWith("-")) {
    return { flag, value, prefix: `${flag}=`, before };
  }
  if (last === "=") return { flag: before.at(-1), value: "", prefix: "", before };
  if (before.at(-1) === "=") return { flag: before.at(-2), value: last, prefix: "", before };
  return { flag: undefined, value: last, prefix: "", before };
}

async function wordsAfter(
  before: readonly string[],
  value: string,
  { commands, valuesOf }: CompleteOptions,
): Promise<Candidate[]> {
  const { entry, accepted, words, isHelp } = await parseBefore(before, commands);
  const open = takesValue(before.at(-1), accepted);
  if (open !== undefined) return await candidatesOf(open, valuesOf);
  if (value.startsWith("-") && !before.includes("--")) {
    return accepted
      .filter(({ kind, name, short }) =>
        kind === "list" ||
        kind !== "positional" && !before.some((word) => isFlag(word, name, short))
      )
      .map(({ name, description }) => ({ word: name, text: description }));
  }
  const names = words.length > 0 ? [] : subcommandsOf(entry?.name ?? "", commands)
    .map(({ name, summary }) => ({ word: name.slice(name.lastIndexOf(" ") + 1), text: summary }));
  if (entry === undefined && words.length === 0 && !isHelp) return [...names, HELP];
  if (names.length > 0 || isHelp) return names;
  const positional = accepted.filter(({ kind }) => kind === "positional")[words.length];
  return positional === undefined ? [] : await candidatesOf(positional, valuesOf);
}

async function valuesOfFlag(
  flag: string,
  before: readonly string[],
  { commands, valuesOf }: CompleteOptions,
): Promise<Candidate[]> {
  const { accepted } = await parseBefore(before, commands);
  const argument = takesValue(flag, accepted);
  return argument === undefined ? [] : await candidatesOf(argument, valuesOf);
}

interface Before {
  /** The command that is named so far; undefined where none is. */
  entry: CommandEntry | undefined;
  /** What it accepts, the global options included. */
  accepted: readonly Argument[];
  /** The words that are neither the command's name nor flags nor their values. */
  words: readonly string[];
  isHelp: boolean;
}

async function parseBefore(
  before: readonly string[],
  commands: readonly CommandEntry[],
): Promise<Before> {
  let words = withoutFlags(before, GLOBAL_ARGUMENTS);
  const isHelp = words[0] === "help";
  if (isHelp) words = words.slice(1);
  const [first = "", second = ""] = words;
  const entry = commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first);
  const command = (await entry?.load?.())?.command;
  const own = argumentsOf(command ?? {});
  const accepted = [
    ...withNamed([...own, ...GLOBAL_ARGUMENTS]),
    ...own.filter(({ kind }) => kind === "positional"),
  ];
  const start = (isHelp ? 1 : 0) + (entry?.name.split(" ").length ?? 0);
  return { entry, accepted, words: withoutFlags(before, accepted).slice(start), isHelp };
}

/** Steps over the flags and, where a flag takes one, over its value. */
function withoutFlags(words: readonly string[], accepted: readonly Argument[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === "--") return [...kept, ...words.slice(i + 1)];
    if (!words[i].startsWith("-") || words[i] === "-") kept.push(words[i]);
    else if (words[i + 1] === "=") i += 2;
    else if (takesValue(words[i], accepted) !== undefined) i++;
  }
  return kept;
}

/** The option that a word is, if its value is still to come. */
function takesValue(
  word: string | undefined,
  accepted: readonly Argument[],
): Argument | undefined {
  return accepted.find(({ kind, name, short }) =>
    (kind === "option" || kind === "list") && word !== undefined && isFlag(word, name, short) &&
    !word.includes("=")
  );
}

function isFlag(word: string, name: string, short: string | null): boolean {
  const [flag] = word.split("=", 1);
  return longName(flag) === name || flag === short;
}

async function candidatesOf(
  { values }: Argument,
  valuesOf: CompleteOptions["valuesOf"],
): Promise<Candidate[]> {
  if (values === undefined) return [];
  if (typeof values === "string") return await valuesOf(values);
  return values.map((word) => ({ word, text: "" }));
}
