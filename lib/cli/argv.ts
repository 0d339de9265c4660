// Splits a command line into the flags and positionals of a command. Values stay the strings that the user wrote.
//
// `parseArgs` of `@std/cli` cannot be the parser: it reads a value that begins with a dash as flags, `-MaxRounds` as
// nine flags and `--json yes` as true, and it does not keep the spelling of a flag. Pure.

import { quote } from "../base/quote.ts";
import { flagIn, longName } from "./flags.ts";
import { type Argument, argumentsOf, flag, flagName, optional, word } from "./spec.ts";
import { nearest } from "../text/nearest.ts";
import { OPTIONS } from "./spellings.ts";
import { usageError } from "./usage_error.ts";

/** The user's values for one argument. */
export interface Given {
  /** The flag as the user wrote it, or the name of the positional. */
  field: string;
  /** The value; a list keeps the order of the command line. */
  value: string | true | string[];
}

/** Returns the arguments that every command has besides its own. */
export function globalArguments(): Argument[] {
  return argumentsOf({
    input: {
      json: flag("Print the result as one JSON value"),
      root: optional(word, "Use the workspace in DIR, not the nearest", { placeholder: "DIR" }),
      help: flag("Show this help", { short: "h" }),
    },
  });
}

/**
 * Returns the given arguments by key. Throws `INVALID_INPUT` for an unknown, repeated or incomplete flag, or too many
 * words.
 */
export function parseArgv(
  argv: readonly string[],
  accepted: readonly Argument[],
  name: string,
): Map<string, Given> {
  const flags = withNamed(accepted);
  const written = new Map<Argument, { field: string; values: (string | true)[] }>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === "--") {
      words.push(...argv.slice(i + 1));
      break;
    }
    const field = flagIn(argv[i]);
    if (field === undefined) {
      words.push(argv[i]);
      continue;
    }
    const flag = findFlag(field, flags, name);
    const hasValue = argv[i].length > field.length;
    if (flag.kind === "switch" && hasValue) {
      throw usageError(name, { field, value: argv[i], why: `${field} takes no value` });
    }
    const value = flag.kind === "switch"
      ? true
      : hasValue
      ? argv[i].slice(field.length + 1)
      : isValue(argv[i + 1])
      ? argv[++i]
      : "";
    const { values = [] } = written.get(flag) ?? {};
    written.set(flag, { field, values: flag.kind === "switch" ? [value] : [...values, value] });
  }

  const given = new Map<string, Given>();
  for (const flag of flags.filter((flag) => written.has(flag))) {
    const { field, values } = written.get(flag)!;
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
  assignPositionals(words, unnamed, { name, given })
    .forEach((value, key) => given.set(key, value));
  return given;
}

/** The hint for a text without quotes, which a shell splits into words. */
export const QUOTE_IT = 'Put a text of several words in quotes: "...".';

/** Whether one of the arguments is a text of one or more words. */
export function takesText(accepted: readonly Argument[]): boolean {
  return accepted.some(({ readsStdin }) => readsStdin);
}

function findFlag(field: string, flags: readonly Argument[], name: string): Argument {
  const long = longName(field);
  const found = flags.find((flag) => flag.name === long || flag.short === field);
  if (found !== undefined) return found;
  const meant = OPTIONS[`${name} ${long}`] ?? nearest(long, flags.map((flag) => flag.name));
  throw usageError(name, {
    field,
    value: field,
    why: `unknown option ${quote(field)}`,
    hint: meant && `Did you mean ${meant}?`,
  });
}

/**
 * Returns all arguments in their named form, because a positional may also be named, as in `workflow -Type feature`.
 */
export function withNamed(accepted: readonly Argument[]): Argument[] {
  const flags = accepted.filter(({ kind }) => kind !== "positional");
  const named = accepted.filter(({ kind }) => kind === "positional")
    .map((argument): Argument => ({
      ...argument,
      kind: argument.takesRest ? "list" : "option",
      name: flagName(argument.key),
    }))
    .filter(({ name }) => flags.every((flag) => flag.name !== name));
  return [...flags, ...named];
}

/**
 * Assigns words to positionals: required ones come first, and the other words go to the optional ones from the left.
 */
function assignPositionals(
  words: readonly string[],
  accepted: readonly Argument[],
  { name, given: flags }: { name: string; given: ReadonlyMap<string, Given> },
): Map<string, Given> {
  const positionals = accepted.filter(({ kind }) => kind === "positional");
  let spare = words.length - positionals.filter(({ isRequired }) => isRequired).length;
  const given = new Map<string, Given>();
  for (const { key, name: field, isRequired, takesRest } of positionals) {
    if (given.size === words.length) break;
    if (takesRest) return given.set(key, { field, value: words.slice(given.size) });
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
