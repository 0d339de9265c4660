/**
 * From a command line to the input of a command.
 *
 * @module
 */

import type * as z from "zod/mini";
import type { AgentxError } from "../errors.ts";
import {
  type Argument,
  type Given,
  GLOBAL_ARGUMENTS,
  isBare,
  parseArgv,
  QUOTE_IT,
  takesText,
} from "./argv.ts";
import type { Command } from "./command.ts";
import type { Io } from "./io.ts";
import { quote, usageError } from "./usage_error.ts";

/** What a command line asks for. */
export interface Request {
  /** What the schema of the command let through. */
  input: Record<string, unknown>;
  /** The folder given with `--root`. */
  root: string | undefined;
}

/**
 * @param command the command
 * @param argv the words after its own
 * @param io for an argument that is read from standard input
 * @returns the checked input
 * @throws {AgentxError} `INVALID_INPUT` with the argument as the user wrote it
 */
export async function readInput(
  command: Command,
  argv: readonly string[],
  io: Io,
): Promise<Request> {
  const needsNoSchema = typeof command.input === "function" && isBare(argv);
  const schema = needsNoSchema ? undefined : await schemaOf(command);
  const accepted = schema === undefined ? [] : await describe(schema, command);
  const given = parseArgv(argv, [...accepted, ...GLOBAL_ARGUMENTS], command.name);
  await readDashes(command, accepted, given, io);
  const root = given.get("root")?.value as string | undefined;
  if (schema === undefined) return { input: {}, root };

  const values: Record<string, Given["value"] | false> = {};
  for (const { key, kind } of accepted) {
    const value = given.get(key)?.value ?? (kind === "switch" ? false : undefined);
    if (value !== undefined) values[key] = value;
  }
  const parsed = schema.safeParse(values);
  if (parsed.success) return { input: parsed.data, root };
  throw refusal(command, parsed.error.issues[0], accepted, given);
}

/**
 * @param command the command
 * @returns the arguments of its own
 */
export async function acceptedBy(command: Command): Promise<Argument[]> {
  const schema = await schemaOf(command);
  return schema === undefined ? [] : await describe(schema, command);
}

/**
 * @param command the command
 * @returns its schema, loaded; undefined where it takes no input
 */
export async function schemaOf({ input }: Command): Promise<z.ZodMiniObject | undefined> {
  return typeof input === "function" ? await input() : input;
}

/** Loaded here, so that a command without input does without zod. */
async function describe(schema: z.ZodMiniObject, { positional }: Command): Promise<Argument[]> {
  const { argumentsOf } = await import("./arguments.ts");
  return argumentsOf(schema, positional);
}

/** Replaces the one `-` that stands for standard input by what is read there. */
async function readDashes(
  command: Command,
  accepted: readonly Argument[],
  given: Map<string, Given>,
  io: Io,
): Promise<void> {
  const dashes = accepted.filter(({ key, readsStdin }) =>
    readsStdin && given.get(key)?.value === "-"
  );
  if (dashes.length === 0) return;
  const [key, second] = dashes.map((dash) => dash.key);
  const { field } = given.get(second ?? key)!;
  if (second !== undefined) {
    throw usageError(command.name, {
      field,
      value: "-",
      why: `only one argument can be "-", and ${field} is the second`,
    });
  }
  given.set(key, { field, value: (await io.readStdin()).replace(/\r?\n$/, "") as string });
}

function refusal(
  command: Command,
  issue: z.core.$ZodIssue,
  accepted: readonly Argument[],
  given: Map<string, Given>,
): AgentxError<"INVALID_INPUT"> {
  const key = String(issue.path[0] ?? "");
  const argument = accepted.find((candidate) => candidate.key === key);
  const field = given.get(key)?.field ?? argument?.name ?? "arguments";
  const value = given.get(key)?.value ?? null;
  const why = explain(issue, value);
  const isTorn = argument?.kind === "positional" && value !== null && takesText(accepted) &&
    accepted.filter(({ kind, key }) => kind === "positional" && given.has(key)).length > 1;
  return usageError(command.name, {
    field,
    value,
    why: argument === undefined ? why : `${field} ${why}${value === null ? about(argument) : ""}`,
    hint: isTorn ? QUOTE_IT : undefined,
  });
}

/** A name such as `N` says little by itself. */
function about({ kind, description }: Argument): string {
  if (kind !== "positional" || description === "") return "";
  return ` (${description[0].toLowerCase()}${description.slice(1)})`;
}

function explain(issue: z.core.$ZodIssue, value: Given["value"] | null): string {
  const isExplained = issue.message !== "Invalid input"; // what zod/mini says without a message
  if (isExplained && (issue.code === "custom" || value !== null)) return issue.message;
  if (value === null) return "is required";
  if (issue.code === "invalid_value") {
    return `must be one of ${issue.values.join(", ")}, not ${quote(value)}`;
  }
  return `cannot be ${quote(value)}`;
}
