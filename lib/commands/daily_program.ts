// The program that `agentx.cjs` of the npm package starts for a daily command; help is left to the whole program.

import { realIo } from "../cli/io.ts";
import { runLine } from "../cli/run_line.ts";
import { program } from "../sys/program.ts";
import { DAILY } from "./daily.ts";

const COMMANDS = Object.entries(DAILY).map(([name, load]) => ({ name, summary: "", load }));

/** Runs the command line of this process, and ends it. */
export async function runProgram(): Promise<void> {
  const io = realIo();
  io.exit(await runLine(program.args, io, COMMANDS));
}
