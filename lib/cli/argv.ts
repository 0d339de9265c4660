/**
 * Splits a command line into the flags and positionals of a command. Values stay the strings that
 * the user wrote.
 *
 * `parseArgs` takes a value that begins with a dash for flags, `--json yes` for true, and forgets
 * how a flag was spelled; so it is given one canonical form of each word. A word is a flag when a
 * dash or two, a letter and no space begin it: `-1`, `-` and `- an item` are values. PowerShell's
 * spelling `-MaxRounds` is `--max-rounds`.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { nearest } from "./suggest.ts";
import { quote, usageError } from "./usage_error.ts";

/** What can be looked up to complete a value. */
export type ValueKind = "issue" | "clarification" | "agent" | "workflow";

/** What a command accepts under one key of its input. */
export interface Argument {
  /** The key in the input. */
  key: string;
  /**
   * A switch is there or not, an option takes a value, a list is an option that may be given again,
   * a positional is a value without a name.
   */
  kind: "switch" | "option" | "list" | "positional";
  /** What the user writes, `--max-rounds`, or reads in the usage line, `QUESTION`. */
  name: string;
  /** One dash and one letter; null where there is none. */
  short: string | null;
  /** Stands for the value of an option in the help. */
  placeholder: string;
  description: string;
  isRequired: boolean;
  /** The value `-` stands for standard input. */
  readsStdin: boolean;
  /** What a shell may offer: all there is, or what is found under a kind; absent where nothing is. */
  values?: readonly string[] | ValueKind;
}

/** What the user gave for one argument. */
export interface Given {
  /** The flag as it was written, or the name of the positional. */
  field: string;
  /** The values of a list are in the order of the command line. */
  value: string | true | string[];
}

/** What every command accepts besides its own input. */
export const GLOBAL_ARGUMENTS: readonly Argument[] = [
  flag("switch", "json", "Print the result as one JSON value"),
  { ...flag("option", "root", "Use the workspace in DIR, not the nearest"), placeholder: "DIR" },
  { ...flag("switch", "help", "Show this help"), short: "-h" },
];

/**
 * @param argv the words after those of the command
 * @param accepted the arguments of the command, positionals in order
 * @param name the words of the command, for messages
 * @returns what was given, by key
 * @throws {AgentxError} `INVALID_INPUT` for an unknown, repeated or incomplete flag, or too many words
 */
export function parseArgv(
  argv: readonly string[],
  accepted: readonly Argument[],
  name: string,
): Map<string, Given> {
  const flags = withNamed(accepted);
  const { words, spelling } = canonicalWords(argv, flags, name);
  const options = flags.filter(({ kind }) => kind !== "switch").map(bareName);
  const parsed = parseArgs(words, {
    boolean: flags.filter(({ kind }) => kind === "switch").map(bareName),
    string: [...options, "_"],
    collect: options,
  });

  const given = new Map<string, Given>();
  for (const flag of flags) {
    const field = spelling.get(flag.name);
    if (field === undefined) continue;
    const values = [parsed[bareName(flag)]].flat() as (string | true)[];
    const isList = flag.kind === "list";
    if (values.length > 1 && !isList) {
      throw usageError(name, { field, value: values, why: `${field} may be given only once` });
    }
    if (values.includes("")) {
      throw usageError(name, { field, value: "", why: `${field} needs a value` });
    }
    given.set(flag.key, { field, value: isList ? values as string[] : values[0] });
  }
  const unnamed = accepted.filter(({ key, kind }) => kind !== "positional" || !given.has(key));
  assignPositionals(parsed._, unnamed, { name, given })
    .forEach((value, key) => given.set(key, value));
  return given;
}

/** For what a shell makes of a text without quotes. */
export const QUOTE_IT = 'Put a text of several words in quotes: "...".';

/** @returns whether something that a command accepts is a text, of one word or more */
export function takesText(accepted: readonly Argument[]): boolean {
  return accepted.some(({ readsStdin }) => readsStdin);
}

/**
 * @param word a word of a command line
 * @returns the flag in it, without the value; undefined where it is a value
 */
export function flagIn(word: string): string | undefined {
  return /^--?[A-Za-z][^\s=]*(?==|$)/.exec(word)?.[0];
}

/**
 * @param flag a flag as it was written
 * @returns the same flag, PowerShell's spelling `-MaxRounds` as `--max-rounds`
 */
export function longName(flag: string): string {
  if (!/^-[A-Z][A-Za-z]+$/.test(flag)) return flag;
  return `-${flag.slice(1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * @param argv a command line
 * @param flag a flag as the help shows it
 * @returns whether it is there, before any `--`
 */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word) => longName(flagIn(word) ?? "") === flag);
}

/**
 * @param argv the words after those of a command
 * @returns whether they are nothing but options that every command accepts
 */
export function isBare(argv: readonly string[]): boolean {
  for (let i = 0; i < argv.length; i++) {
    const global = GLOBAL_ARGUMENTS.find(({ name }) => name === flagIn(argv[i]));
    if (global === undefined) return false;
    if (argv[i] === global.name && global.kind === "option") i++;
  }
  return true;
}

/**
 * `--name=value` for each option, `--name` for each switch, and the positionals after a `--`;
 * besides, how each flag was spelled.
 */
function canonicalWords(
  argv: readonly string[],
  flags: readonly Argument[],
  name: string,
): { words: string[]; spelling: Map<string, string> } {
  const spelling = new Map<string, string>();
  const words: string[] = [];
  const positionals: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i];
    if (word === "--") {
      positionals.push(...argv.slice(i + 1));
      break;
    }
    const field = flagIn(word);
    if (field === undefined) {
      positionals.push(word);
      continue;
    }
    const flag = findFlag(field, flags, name);
    spelling.set(flag.name, field);
    const hasValue = word.length > field.length;
    if (flag.kind === "switch") {
      if (hasValue) throw usageError(name, { field, value: word, why: `${field} takes no value` });
      words.push(flag.name);
      continue;
    }
    let value = word.slice(field.length + 1);
    if (!hasValue && isValue(argv[i + 1])) value = argv[++i];
    words.push(value === "" ? flag.name : `${flag.name}=${value}`);
  }
  return { words: [...words, "--", ...positionals], spelling };
}

function findFlag(field: string, flags: readonly Argument[], name: string): Argument {
  const long = longName(field);
  const found = flags.find((flag) => flag.name === long || flag.short === field);
  if (found !== undefined) return found;
  const meant = nearest(long, flags.map((flag) => flag.name));
  throw usageError(name, {
    field,
    value: field,
    why: `unknown option ${quote(field)}`,
    hint: meant && `Did you mean ${meant}?`,
  });
}

/** A positional may be named, as the documents do it: `workflow -Type feature`. */
function withNamed(accepted: readonly Argument[]): Argument[] {
  const flags = accepted.filter(({ kind }) => kind !== "positional");
  const named = accepted.filter(({ kind }) => kind === "positional")
    .map((argument): Argument => ({
      ...argument,
      kind: "option",
      name: `--${argument.key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    }))
    .filter(({ name }) => flags.every((flag) => flag.name !== name));
  return [...flags, ...named];
}

/** Required keys are served first; what is left goes to the optional ones, from the left. */
function assignPositionals(
  words: readonly string[],
  accepted: readonly Argument[],
  { name, given: flags }: { name: string; given: ReadonlyMap<string, Given> },
): Map<string, Given> {
  const positionals = accepted.filter(({ kind }) => kind === "positional");
  let spare = words.length - positionals.filter(({ isRequired }) => isRequired).length;
  const given = new Map<string, Given>();
  for (const { key, name: field, isRequired } of positionals) {
    if (given.size === words.length) break;
    if (!isRequired && spare-- <= 0) continue;
    given.set(key, { field, value: words[given.size] });
  }
  const extra = words[given.size];
  if (extra === undefined) return given;
  const missing = accepted.find(({ key, kind, isRequired, readsStdin }) =>
    kind === "option" && isRequired && readsStdin && !flags.has(key)
  );
  const isTorn = takesText(accepted) && !/\s/.test(extra);
  throw usageError(name, {
    field: extra,
    value: extra,
    why: `unexpected argument ${quote(extra)}`,
    hint: missing !== undefined
      ? `Give the text as: ${missing.name} "...".`
      : isTorn
      ? QUOTE_IT
      : undefined,
  });
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && word !== "--" && flagIn(word) === undefined;
}

function bareName({ name }: Argument): string {
  return name.slice(2);
}

function flag(kind: "switch" | "option", key: string, description: string): Argument {
  return {
    key,
    kind,
    name: `--${key}`,
    short: null,
    placeholder: "",
    description,
    isRequired: false,
    readsStdin: false,
  };
}
