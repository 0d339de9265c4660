/**
 * One run of a command, from its words to its printed result.
 *
 * @module
 */

import { AgentxError, EXIT_CODES } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { encodeJson, terminalLine } from "../text.ts";
import type { Workspace } from "../workspace/open.ts";
import type { Command, Context, Result } from "./command.ts";
import type { Io } from "./io.ts";
import { readInput } from "./read_input.ts";
import { styleFor } from "./style.ts";

/** A narrower terminal gets lines that it breaks itself. */
const MIN_COLUMNS = 40;

/** Options of {@linkcode execute}. */
export interface ExecuteOptions {
  /** The streams. */
  io: Io;
  /** Print JSON instead of text. */
  json: boolean;
}

/**
 * Reads the input, runs the command and prints what it gives. Ctrl-C fires the signal of the
 * context while the command runs; a second one ends the program at once.
 *
 * @param command the command
 * @param argv the words after its own
 * @param options streams and format
 * @returns the exit code
 */
export async function execute(
  command: Command,
  argv: readonly string[],
  { io, json }: ExecuteOptions,
): Promise<number> {
  const { input, root } = await readInput(command, argv, io);
  const isJson = json || (command.jsonWhenPiped === true && !io.isTerminal.stdout);
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const stopListening = sys.onInterrupt((name) => {
    if (signal.aborted) return io.exit(EXIT_CODES.INTERRUPTED);
    interrupt.abort(interrupted(command.name, name));
  });
  try {
    const context: Context = {
      io,
      root,
      isJson,
      signal,
      openWorkspace: async () => {
        const { openWorkspace } = await import("../workspace/open.ts");
        const workspace = await openWorkspace({ root, notify: (message) => note(io, message) });
        if (command.runsMonitor) await lookAfter(workspace, { io, signal });
        return workspace;
      },
    };
    const last = await print(command, command.run(context, input), { io, json: isJson });
    return signal.aborted ? EXIT_CODES.INTERRUPTED : last?.exitCode ?? 0;
  } catch (error) {
    // A failure that follows from the interruption, such as an agent that was stopped, is not news.
    throw signal.aborted && error instanceof AgentxError ? signal.reason : error;
  } finally {
    stopListening();
  }
}

/**
 * The monitor rides on a command: what it does is noted, and its failure is not the command's.
 *
 * @param workspace whose clarifications are looked after
 * @param context where notes go, and what ends it
 */
export async function lookAfter(
  { monitor }: Workspace,
  { io, signal }: { io: Io; signal: AbortSignal },
): Promise<void> {
  try {
    await monitor.runCheck(signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof AgentxError)) throw error;
    note(io, `The monitor did not finish: ${error.message.split("\n")[0]}`);
  }
}

/** Prints each result as it comes; under `--json` only the last, unless the command says otherwise. */
async function print(
  command: Command,
  run: ReturnType<Command["run"]>,
  { io, json }: ExecuteOptions,
): Promise<Result<object> | undefined> {
  const style = styleFor(io, "stdout");
  let last: Result<object> | undefined;
  for await (const result of Symbol.asyncIterator in run ? run : [run]) {
    last = result;
    const { output } = result;
    const text = !json
      ? command.render(output, { style, width: Math.max(MIN_COLUMNS, io.columns) })
      : command.jsonLines
      ? encodeJson(envelope(command, output))
      : "";
    if (!printText(text, io)) break; // who reads has seen enough of the stream
  }
  if (json && !command.jsonLines && last !== undefined) {
    io.stdout(`${encodeJson(envelope(command, last.output), 2)}\n`);
  }
  return last;
}

/** Returns whether somebody reads it. */
function printText(text: string, io: Io): boolean {
  return text === "" || io.stdout(text.endsWith("\n") ? text : `${text}\n`);
}

function envelope({ kind }: Command, output: object): object {
  return { schemaVersion: 1, kind, ...output };
}

/**
 * Says something on standard error that is neither result nor failure.
 *
 * @param io the streams
 * @param message one sentence without a final period; it may quote anybody
 */
export function note(io: Io, message: string): void {
  io.stderr(`${styleFor(io, "stderr").dim("note:")} ${terminalLine(message)}\n`);
}

function interrupted(name: string, signal: string): AgentxError<"INTERRUPTED"> {
  return new AgentxError("INTERRUPTED", `Cannot finish ${name}: stopped by ${signal}`, {
    details: { signal },
  });
}
