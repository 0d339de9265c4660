/**
 * The command line of the AgentX toolkit.
 *
 * Results go to standard output and everything else to standard error; the exit code tells what
 * happened (DESIGN section 8).
 *
 * @example A command line is run inside another program
 * ```ts
 * import { type Io, main } from "@agentx/toolkit/cli";
 * import { assertEquals } from "@std/assert";
 *
 * const printed: string[] = [];
 * const io: Io = {
 *   stdout: (text) => printed.push(text) > 0,
 *   stderr: () => {},
 *   readStdin: async () => "",
 *   readLine: async () => "",
 *   readKey: () => ({ key: Promise.resolve(null), stop: () => {} }),
 *   isTerminal: { stdin: false, stdout: false, stderr: false },
 *   columns: 80,
 *   env: () => undefined,
 *   exit: () => {},
 * };
 * const root = Deno.makeTempDirSync();
 * assertEquals(await main(["init", "--root", root], io), 0);
 * printed.length = 0;
 * assertEquals(await main(["clarify", "--root", root, "--json"], io), 0);
 * assertEquals(JSON.parse(printed.join("")).clarifications, []);
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

import type { Call, CommandEntry } from "./lib/cli/command.ts";
import { reportError } from "./lib/cli/errors.ts";
import { findCommand, missingSubcommand } from "./lib/cli/find_command.ts";
import { hasFlag } from "./lib/cli/flags.ts";
import { type Io, realIo } from "./lib/cli/io.ts";
import { execute } from "./lib/cli/execute.ts";
import { COMMANDS } from "./lib/commands/mod.ts";
import { EXIT_CODES } from "./lib/base/errors.ts";
import { program } from "./lib/sys/program.ts";
import { writtenSoFar } from "./lib/sys/written.ts";
import { helpCommand } from "./lib/cli/help.ts";

export type { Io };
export type { KeyPress } from "./lib/sys/system.ts";

/** Options of {@linkcode main}. */
export interface MainOptions {
  /**
   * The table of commands.
   *
   * @default {COMMANDS}
   */
  commands?: readonly CommandEntry[];
}

/**
 * Runs one command line to its end.
 *
 * @param argv the words after the name of the program
 * @param io the streams
 * @param options another table of commands
 * @returns the exit code
 */
export async function main(
  argv: readonly string[],
  io: Io,
  { commands = COMMANDS }: MainOptions = {},
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

/** Runs the command line of this process, and ends it. */
export async function runProgram(): Promise<void> {
  const io = realIo();
  io.exit(await main(program.args, io));
}

if (import.meta.main) await runProgram();
