// Runs one command line, from its words to its exit code.

import { type AgentxError, EXIT_CODES, hasCode } from "../base/errors.ts";
import { writtenSoFar } from "../sys/written.ts";
import type { Call, CommandEntry } from "./command.ts";
import { reportError } from "./errors.ts";
import { execute } from "./execute.ts";
import { findCommand, missingSubcommand } from "./find_command.ts";
import { hasFlag } from "./flags.ts";
import { helpCommand } from "./help.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read_input.ts";

/** Runs a command of the table, and reports its error; returns the exit code. */
export async function runLine(
  argv: readonly string[],
  io: Io,
  commands: readonly CommandEntry[],
): Promise<number> {
  const json = hasFlag(argv, "--json");
  const mark = writtenSoFar();
  let endsSession = false;
  try {
    const call = await chooseCommand(argv, commands);
    endsSession = call.command.endsSession?.(call.rest) ?? false;
    return await execute(call, { io, json });
  } catch (error) {
    const code = await reportError(error, { io, json, mark });
    return endsSession && code === EXIT_CODES.INVALID_INPUT ? EXIT_CODES.IO_ERROR : code;
  }
}

/**
 * Returns the error that a command line causes before its command starts; undefined if there is none. Standard input is
 * treated as empty.
 */
export async function refusalOfLine(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): Promise<AgentxError | undefined> {
  try {
    await readInput(await chooseCommand(argv, commands), { readStdin: async () => await "" });
    return undefined;
  } catch (error) {
    if (hasCode(error, "INVALID_INPUT")) return error;
    throw error;
  }
}

async function chooseCommand(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): Promise<Call> {
  const { entry, rest, wantsHelp } = findCommand(argv, commands);
  if (entry === undefined || wantsHelp) {
    return {
      name: "",
      command: helpCommand(entry, commands),
      rest: rest.filter((word) => word === "--all" || !wantsHelp),
    };
  }
  if (entry.load === undefined) throw missingSubcommand(entry, commands);
  return { name: entry.name, command: (await entry.load()).command, rest };
}
