/**
 * How the keys of a command's input look on the command line: from its schema, and from what
 * {@linkcode argument} says about it.
 *
 * @module
 */

import * as z from "zod/mini";
import type { Argument, ValueKind } from "./argv.ts";

/** Options of {@linkcode argument}. */
export interface ArgumentOptions {
  /** One letter, written with one dash. */
  short?: string;
  /**
   * Stands for the value in the help.
   *
   * @default {the values of an enum, else the key in capitals}
   */
  placeholder?: string;
  /**
   * The value `-` stands for standard input.
   *
   * @default {false}
   */
  stdin?: boolean;
  /**
   * What is looked up to complete the value in a shell.
   *
   * @default {the values of an enum, else nothing}
   */
  completes?: ValueKind;
}

/** Apart from zod's own registry, so that nothing of this enters a JSON Schema. */
const ARGUMENT_OPTIONS = z.registry<ArgumentOptions>();

/**
 * Describes a key of an input, in place or shared between commands.
 *
 * @param schema what it accepts
 * @param description one sentence without a final period
 * @param options how it looks on the command line
 * @returns a copy of the schema that carries the description
 */
export function argument<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: string,
  options: ArgumentOptions = {},
): Schema {
  const described = schema.check(z.describe(description));
  ARGUMENT_OPTIONS.add(described, { ...ARGUMENT_OPTIONS.get(described), ...options });
  return described;
}

/**
 * @param schema the input of a command
 * @param positional the keys that are no flags
 * @returns its arguments: flags in the order of the schema, then positionals in theirs
 */
export function argumentsOf(
  schema: z.ZodMiniObject,
  positional: readonly string[] = [],
): Argument[] {
  const shape: Record<string, z.core.$ZodType> = schema.shape;
  const flags = Object.keys(shape).filter((key) => !positional.includes(key));
  return [
    ...flags.map((key) => toArgument(key, shape[key], false)),
    ...positional.map((key) => toArgument(key, shape[key], true)),
  ];
}

function toArgument(key: string, schema: z.core.$ZodType, isPositional: boolean): Argument {
  const { type, description, options, values } = look(schema);
  const dashed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const listed = isPositional ? undefined : values?.join("|");
  const placeholder = options.placeholder ?? listed ?? dashed.toUpperCase();
  const isSwitch = type === "boolean";
  return {
    key,
    kind: isPositional ? "positional" : FLAG_KINDS[type] ?? "option",
    name: isPositional ? placeholder : `--${dashed}`,
    short: isPositional || options.short === undefined ? null : `-${options.short}`,
    placeholder,
    description,
    isRequired: !isSwitch && schema._zod.optin === undefined,
    readsStdin: options.stdin ?? false,
    values: options.completes ?? values?.map(String),
  };
}

/** The flags that are no plain options, by the type of what they give. */
const FLAG_KINDS: Record<string, "switch" | "list" | undefined> = {
  boolean: "switch",
  array: "list",
};

interface Look {
  type: string;
  description: string;
  options: ArgumentOptions;
  /** Of an enum. */
  values?: (string | number)[];
}

/** Looks through `optional`, `_default`, `pipe` and their like; what is said outside wins. */
function look(schema: z.core.$ZodType): Look {
  let description: string | undefined;
  let options: ArgumentOptions = {};
  for (let inner = schema as z.core.$ZodTypes;;) {
    description ??= z.globalRegistry.get(inner)?.description;
    options = { ...ARGUMENT_OPTIONS.get(inner), ...options };
    const { def } = inner._zod;
    if ("innerType" in def) inner = def.innerType as z.core.$ZodTypes;
    else if (def.type === "pipe") inner = def.in as z.core.$ZodTypes;
    else {
      const values = def.type === "enum" ? Object.values(def.entries) : undefined;
      return { type: def.type, description: description ?? "", options, values };
    }
  }
}
