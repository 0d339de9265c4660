// The arguments of a command, key by key: the form on the command line, the rule for the text, and the value. Flags,
// validation, help and completion follow from it.
//
// A command line holds texts only, so a rule is about a text; a schema library would take as long
// to load as the runtime to start. Pure.

import { quote } from "../base/quote.ts";

/** The kinds of value that completion can look up. */
export type ValueKind = "issue" | "clarification" | "agent" | "workflow";

/** How an argument looks on the command line. */
export interface ArgumentOptions {
  /** One letter, written with one dash. */
  short?: string;
  /** Stands for the value in the help. */
  placeholder?: string;
  /** The value `-` stands for standard input. */
  readsStdin?: boolean;
  /** A shell's offers: all values, or a kind to look them up by; absent without offers. */
  values?: readonly string[] | ValueKind;
  /** Its part of a JSON Schema. */
  json?: JsonHint;
}

/** A value as JSON has it, in the words of JSON Schema. */
export interface JsonHint {
  type: "string" | "integer";
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  /** The maximum length of a list. */
  maxItems?: number;
}

/** The argument under one key of a command's input. */
export interface Spec<Value = unknown> extends ArgumentOptions {
  /** A switch is there or not, an option takes a value, a list is an option that may be given again. */
  kind: "switch" | "option" | "list";
  /** One sentence without a final period. */
  description: string;
  isRequired: boolean;
  /** The problem of a text, in words that follow the name of the argument. */
  refuse(text: string): string | undefined;
  /** The value of an accepted text; of a list, of each of its texts. */
  read(text: string): Value;
}

/** The arguments of a command's input, by key. */
export type InputSpec<Input = Record<string, unknown>> = {
  readonly [Key in keyof Input]: Spec<Input[Key]>;
};

/** The input that a command gets. */
export type InputOf<Specs> = {
  [Key in keyof Specs]: Specs[Key] extends Spec<infer Value> ? Value : never;
};

/** A part of input under its key, as the command line names it. */
export interface Argument extends Required<Pick<ArgumentOptions, "placeholder" | "readsStdin">> {
  /** The key in the input. */
  key: string;
  /** As in {@linkcode Spec}, or a positional: a value without a name. */
  kind: Spec["kind"] | "positional";
  /** The user's spelling, `--max-rounds`, or the word of the usage line, `QUESTION`. */
  name: string;
  /** One dash and one letter, also for a named positional; null if there is none. */
  short: string | null;
  description: string;
  isRequired: boolean;
  /** Whether a positional takes all remaining words. */
  takesRest: boolean;
  values?: ArgumentOptions["values"];
}

export const word: Spec<string> = {
  kind: "option",
  description: "",
  isRequired: true,
  refuse: () => undefined,
  read: (text) => text,
};

/** A text that keeps a rule, which follows `must`: `rule(/^[0-9]+$/, "be a whole number")`. */
export function rule(test: RegExp | ((text: string) => boolean), must: string): Spec<string> {
  const keeps = typeof test === "function" ? test : (text: string) => test.test(text);
  return {
    ...word,
    refuse: (text) => keeps(text) ? undefined : `must ${must}, not ${quote(text)}`,
  };
}

/** One of a few words. */
export function oneOf<const Value extends string>(values: readonly Value[]): Spec<Value> {
  const known: readonly string[] = values;
  const { refuse } = rule((text) => known.includes(text), `be one of ${values.join(", ")}`);
  return { ...word, values, refuse, read: (text) => text as Value };
}

export function flag(description: string, options: ArgumentOptions = {}): Spec<boolean> {
  const read = () => true;
  return { ...word, kind: "switch", isRequired: false, description, ...options, read };
}

/** Describes a part of input, in place or shared between commands. */
export function argument<Value>(
  spec: Spec<Value>,
  description: string,
  options: ArgumentOptions = {},
): Spec<Value> {
  return { ...spec, description, ...options };
}

/** The same where it may be left out. */
export function optional<Value>(
  spec: Spec<Value>,
  description: string = spec.description,
  options: ArgumentOptions = {},
): Spec<Value | undefined> {
  return { ...spec, description, ...options, isRequired: false };
}

/** `maxRounds` as it is written on the command line. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The arguments of a command: flags in the order of its input, then positionals in theirs. */
export function argumentsOf(
  { input = {}, positional = [] }: { input?: InputSpec; positional?: readonly string[] },
): Argument[] {
  const flags = Object.keys(input).filter((key) => !positional.includes(key));
  return [
    ...flags.map((key) => toArgument(key, input[key], false)),
    ...positional.map((key) => toArgument(key, input[key], true)),
  ];
}

function toArgument(key: string, spec: Spec, isPositional: boolean): Argument {
  const { kind, short, description, isRequired, readsStdin = false, values } = spec;
  const name = flagName(key);
  const choice = isPositional || typeof values === "string" ? undefined : values?.join("|");
  const placeholder = spec.placeholder ?? choice ?? name.slice(2).toUpperCase();
  return {
    key,
    kind: isPositional ? "positional" : kind,
    name: isPositional ? placeholder : name,
    short: short === undefined ? null : `-${short}`,
    placeholder,
    description,
    isRequired,
    readsStdin,
    takesRest: isPositional && kind === "list",
    values,
  };
}
