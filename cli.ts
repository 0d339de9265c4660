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

import type { CommandEntry } from "./lib/cli/command.ts";
import { type Io, realIo } from "./lib/cli/io.ts";
import { runLine } from "./lib/cli/run_line.ts";
import { COMMANDS } from "./lib/commands/mod.ts";
import { program } from "./lib/sys/program.ts";

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
  return await runLine(argv, io, commands);
}

/**
 * Runs the command line of this process, and ends it.
 *
 * @param options `stdin` is what was read of standard input before; left out, it is read where a command needs it
 */
export async function runProgram({ stdin }: { stdin?: string } = {}): Promise<void> {
  const io = realIo();
  if (stdin !== undefined) io.readStdin = () => Promise.resolve(stdin);
  io.exit(await main(program.args, io));
}

if (import.meta.main) runProgram();
