// Completes the last word of a command line, from the table of commands and their schemas.

import { globalArguments, withNamed } from "./argv.ts";
import type { CommandEntry } from "./command.ts";
import { lastWord, subcommandsOf } from "./find_command.ts";
import { longName } from "./flags.ts";
import { type Argument, argumentsOf, type ValueKind } from "./spec.ts";
import { respell } from "./spellings.ts";

/** A word that may complete the last one. */
export interface CompletionWord {
  word: string;
  /** A description in a few words; untrusted text. */
  text: string;
}

export interface CompleteOptions {
  commands: readonly CommandEntry[];
  /** Looks up the existing values of a kind. */
  valuesOf: (kind: ValueKind) => CompletionWord[] | Promise<CompletionWord[]>;
}

const HELP: CompletionWord = { word: "help", text: "Explain a command" };

/** Completes the last word, which may be incomplete. Bash splits `--issue=4` into three words. */
export async function complete(
  words: readonly string[],
  { commands, valuesOf }: CompleteOptions,
): Promise<CompletionWord[]> {
  const line = words.join("\x1f").replace(SPLIT_FLAG, "$1=").split("\x1f");
  const before = line.slice(0, -1);
  const last = line[before.length];
  const parsed = await parseBefore(before, commands);
  const [, flag, text] = before.includes("--") ? [] : /^(-[^=]*)=(.*)$/s.exec(last) ?? [];
  const value = text ?? last;
  const option = takesValue(flag ?? before.at(-1), parsed.accepted);
  const candidates = option !== undefined
    ? await valuesFor(option, valuesOf)
    : flag !== undefined
    ? []
    : value.startsWith("-") && !before.includes("--")
    ? flagsAfter(before, parsed.accepted)
    : await wordsAfter(parsed, { commands, valuesOf });
  const prefix = flag !== undefined && words.at(-1) === last ? `${flag}=` : "";
  return candidates
    .filter(({ word }) => word.startsWith(value))
    .map(({ word, text }) => ({ word: prefix + word, text }));
}

/** A flag, the `=` after it, and the separators between them. */
// deno-lint-ignore no-control-regex -- words are joined with a control character here
const SPLIT_FLAG = /(?<=^|\x1f)(--?[A-Za-z][^\x1f=]*)\x1f=(?:\x1f|$)/g;

function flagsAfter(before: readonly string[], accepted: readonly Argument[]): CompletionWord[] {
  const isThere = (flag: Argument) => before.some((word) => isFlag(word, flag));
  return accepted
    .filter((flag) => flag.kind === "list" || flag.kind !== "positional" && !isThere(flag))
    .map(({ name, description }) => ({ word: name, text: description }));
}

async function wordsAfter(
  { entry, accepted, words, isHelp }: Before,
  { commands, valuesOf }: CompleteOptions,
): Promise<CompletionWord[]> {
  const names = words.length > 0 ? [] : subcommandsOf(entry?.name ?? "", commands)
    .map(({ name, summary }) => ({ word: lastWord(name), text: summary }));
  if (entry === undefined && words.length === 0 && !isHelp) return [...names, HELP];
  if (names.length > 0 || isHelp) return names;
  const positional = accepted.filter(({ kind }) => kind === "positional")[words.length];
  return positional === undefined ? [] : await valuesFor(positional, valuesOf);
}

interface Before {
  /** The command that the words name so far; undefined if they name none. */
  entry: CommandEntry | undefined;
  /** The arguments of the command, including the global options. */
  accepted: readonly Argument[];
  /** The words that are not the name of the command, a flag or the value of a flag. */
  words: readonly string[];
  isHelp: boolean;
}

async function parseBefore(
  before: readonly string[],
  commands: readonly CommandEntry[],
): Promise<Before> {
  let words = withoutFlags(before, globalArguments());
  const isHelp = words[0] === "help";
  if (isHelp) words = words.slice(1);
  const [first = "", second = ""] = respell(words, 0);
  const entry = commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first);
  const command = (await entry?.load?.())?.command;
  const own = argumentsOf(command ?? {});
  const accepted = [
    ...withNamed([...own, ...globalArguments()]),
    ...own.filter(({ kind }) => kind === "positional"),
  ];
  const start = (isHelp ? 1 : 0) + (entry?.name.split(" ").length ?? 0);
  const respelled = respell(withoutFlags(before, accepted), isHelp ? 1 : 0);
  return { entry, accepted, words: respelled.slice(start), isHelp };
}

/** Returns the words without flags and the values of flags. */
function withoutFlags(words: readonly string[], accepted: readonly Argument[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === "--") return [...kept, ...words.slice(i + 1)];
    if (!words[i].startsWith("-") || words[i] === "-") kept.push(words[i]);
    else if (takesValue(words[i], accepted) !== undefined) i++;
  }
  return kept;
}

/** Returns the option that a word names if its value is the next word. */
function takesValue(word: string | undefined, accepted: readonly Argument[]): Argument | undefined {
  if (word === undefined || word.includes("=")) return undefined;
  return accepted.find((argument) =>
    (argument.kind === "option" || argument.kind === "list") && isFlag(word, argument)
  );
}

function isFlag(word: string, { name, short }: Argument): boolean {
  const [flag] = word.split("=", 1);
  return longName(flag) === name || flag === short;
}

async function valuesFor(
  { values = [] }: Argument,
  valuesOf: CompleteOptions["valuesOf"],
): Promise<CompletionWord[]> {
  if (typeof values === "string") return await valuesOf(values);
  return values.map((word) => ({ word, text: "" }));
}
