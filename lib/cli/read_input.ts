// Reads the input of a command from its command line.

import type { AgentxError } from "../base/errors.ts";
import { type Given, globalArguments, parseArgv, QUOTE_IT, takesText } from "./argv.ts";
import type { Call } from "./command.ts";
import { flagIn } from "./flags.ts";
import type { Io } from "./io.ts";
import { type Argument, argumentsOf, type Spec } from "./spec.ts";
import { missingArgument, usageError } from "./usage_error.ts";

/** The input of a command, and the folder of `--root`. */
export interface Request {
  input: Record<string, unknown>;
  root: string | undefined;
}

/**
 * Reads the arguments of a command; reads `-` from standard input. Throws `INVALID_INPUT`, which names the argument as
 * the user wrote it.
 */
export async function readInput(call: Call, io: Pick<Io, "readStdin">): Promise<Request> {
  const { command, rest } = call;
  const given = rest.length === 0 ? new Map<string, Given>() : await readWords(call, io);
  const input: Request["input"] = {};
  for (const [key, spec] of Object.entries(command.input ?? {})) {
    const why = refusalOf(spec, given.get(key));
    if (why !== undefined) {
      const argument = argumentsOf(command).find((argument) => argument.key === key)!;
      throw refusal(call, { argument, why }, given);
    }
    input[key] = valueOf(spec, given.get(key));
  }
  if (given.size > 0) checkTogether(call, given);
  return { input, root: given.get("root")?.value as string | undefined };
}

async function readWords(
  { name, command, rest }: Call,
  io: Pick<Io, "readStdin">,
): Promise<Map<string, Given>> {
  const accepted = argumentsOf(command);
  const given = parseArgv(rest, [...accepted, ...globalArguments()], name);
  await readDash(name, accepted, given, io);
  return given;
}

/** Checks that the given arguments go together, even if each is valid by itself. */
function checkTogether(
  { name, command }: Call,
  given: ReadonlyMap<string, Given>,
): void {
  const { needs = {}, conflicts = {} } = command;
  const fieldOf = (key: string) =>
    argumentsOf(command).find((argument) => argument.key === key)!.name;
  for (const [key, { field: other, value: text }] of given) {
    const unwanted = conflicts[key]?.find((other) => given.has(other));
    if (unwanted !== undefined) {
      const { field, value } = given.get(unwanted)!;
      const shown = flagIn(other) === undefined ? text : other;
      throw usageError(name, { field, value, why: `${field} does not go with ${shown}` });
    }
    const needed = needs[key] ?? [];
    if (needed.length === 0 || needed.some((other) => given.has(other))) continue;
    throw missingArgument(name, fieldOf(needed[0]), ` with ${other}`);
  }
}

function refusalOf(spec: Spec, given: Given | undefined): string | undefined {
  if (given === undefined) return spec.isRequired ? "is required" : undefined;
  if (given.value === true) return undefined;
  return [given.value].flat().map((text) => spec.refuse(text)).find((why) => why !== undefined);
}

function valueOf(spec: Spec, given: Given | undefined): unknown {
  if (spec.kind === "switch") return given !== undefined;
  if (given === undefined || given.value === true) return undefined;
  return Array.isArray(given.value)
    ? given.value.flatMap((text) => spec.read(text))
    : spec.read(given.value);
}

/** Replaces a `-` with the text from standard input; only one argument may be `-`. */
async function readDash(
  name: string,
  accepted: readonly Argument[],
  given: Map<string, Given>,
  io: Pick<Io, "readStdin">,
): Promise<void> {
  const dashes = accepted.filter(({ key, readsStdin }) =>
    readsStdin && given.get(key)?.value === "-"
  );
  if (dashes.length === 0) return;
  const [key, second] = dashes.map((dash) => dash.key);
  const { field } = given.get(second ?? key)!;
  if (second !== undefined) {
    const why = `only one argument can be "-", and ${field} is the second`;
    throw usageError(name, { field, value: "-", why });
  }
  given.set(key, { field, value: (await io.readStdin()).replace(/\r?\n$/, "") });
}

function refusal(
  { name, command }: Call,
  { argument, why }: { argument: Argument; why: string },
  given: ReadonlyMap<string, Given>,
): AgentxError<"INVALID_INPUT"> {
  const { field, value } = given.get(argument.key) ?? { field: argument.name, value: null };
  if (value === null) {
    const isPositional = argument.kind === "positional";
    const hint = isPositional ? `Give it as in: ${command.examples[0]}.` : undefined;
    return usageError(name, { field, value, why: `${field} ${why}${about(argument)}`, hint });
  }
  const words = (command.positional ?? []).filter((key) => given.has(key));
  const isTorn = argument.kind === "positional" && words.length > 1 &&
    !/\d/.test(String(value)) && takesText(argumentsOf(command));
  const hint = isTorn ? QUOTE_IT : undefined;
  return usageError(name, { field, value, why: `${field} ${why}`, hint });
}

/** Returns the description of a positional in parentheses, because a name such as `N` says little. */
function about({ kind, description }: Argument): string {
  if (kind !== "positional" || description === "") return "";
  return ` (${description[0].toLowerCase()}${description.slice(1)})`;
}
