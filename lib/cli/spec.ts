// The arguments of a command, key by key: the form on the command line, the rule for the text, and the value. Flags,
// validation, help and completion follow from them.
//
// A command line holds only texts, so a rule applies to a text. A schema library is not used, because loading it would
// take as long as starting the runtime. Pure.

import { quote } from "../base/quote.ts";

/** The kinds of value that completion can look up. */
export type ValueKind = "issue" | "clarification" | "agent" | "workflow";

/** The form of an argument on the command line. */
export interface ArgumentOptions {
  /** One letter, written after one dash. */
  short?: string;
  /** The word that represents the value in the help. */
  placeholder?: string;
  /** Whether the value `-` means standard input. */
  readsStdin?: boolean;
  /** The completions that a shell offers: all values, or the kind to look up; absent without any. */
  values?: readonly string[] | ValueKind;
  /** The JSON Schema of the value. */
  json?: JsonHint;
}

/** A value in JSON, described in terms of JSON Schema. */
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
  /** A switch has no value, an option takes one, and a list is an option that may be repeated. */
  kind: "switch" | "option" | "list";
  /** One sentence without a final period. */
  description: string;
  isRequired: boolean;
  /** Returns why a text is refused, in words that follow the name of the argument; undefined if it is accepted. */
  refuse(text: string): string | undefined;
  /** Returns the value of an accepted text; called for each text of a list. */
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

/** An argument under its key, with its name on the command line. */
export interface Argument extends Required<Pick<ArgumentOptions, "placeholder" | "readsStdin">> {
  /** The key in the input. */
  key: string;
  /** As in {@linkcode Spec}, or a positional: a value without a name. */
  kind: Spec["kind"] | "positional";
  /** The flag, such as `--max-rounds`, or the word in the usage line, such as `QUESTION`. */
  name: string;
  /** One dash and one letter, also for a positional that is given by name; null if there is none. */
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

/** Returns a text spec with a rule. `must` completes "must ...": `rule(/^[0-9]+$/, "be a whole number")`. */
export function rule(test: RegExp | ((text: string) => boolean), must: string): Spec<string> {
  const keeps = typeof test === "function" ? test : (text: string) => test.test(text);
  return {
    ...word,
    refuse: (text) => keeps(text) ? undefined : `must ${must}, not ${quote(text)}`,
  };
}

/** Returns a spec for one of a few words. */
export function oneOf<const Value extends string>(values: readonly Value[]): Spec<Value> {
  const known: readonly string[] = values;
  const { refuse } = rule((text) => known.includes(text), `be one of ${values.join(", ")}`);
  return { ...word, values, refuse, read: (text) => text as Value };
}

export function flag(description: string, options: ArgumentOptions = {}): Spec<boolean> {
  const read = () => true;
  return { ...word, kind: "switch", isRequired: false, description, ...options, read };
}

/** Returns a spec with another description, for an argument that commands share. */
export function argument<Value>(
  spec: Spec<Value>,
  description: string,
  options: ArgumentOptions = {},
): Spec<Value> {
  return { ...spec, description, ...options };
}

/** Returns the spec of an argument that may be left out. */
export function optional<Value>(
  spec: Spec<Value>,
  description: string = spec.description,
  options: ArgumentOptions = {},
): Spec<Value | undefined> {
  return { ...spec, description, ...options, isRequired: false };
}

/** Returns the flag for a key: `--max-rounds` for `maxRounds`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns the arguments of a command: flags in the order of its input, then positionals in their order. */
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
