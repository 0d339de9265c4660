// One run of a command, from its words to its printed result.

import { AgentxError, EXIT_CODES, hasCode } from "../base/errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { encodeJson } from "../text/text.ts";
import type { Call, Command, Result } from "./command.ts";
import { makeContext } from "./context.ts";
import { ContextIo } from "./context_io.ts";
import { type Io, viewOf } from "./io.ts";
import { readInput } from "./read_input.ts";

/** Maximum characters of an unprintable result that the error shows; an id is at the beginning of a result. */
const MAX_SHOWN = 1_000;

export interface ExecuteOptions {
  io: Io;
  json: boolean;
}

/**
 * Reads the input, runs the command and prints its output. Ctrl-C fires the signal of the context while the command
 * runs; a second one ends the program at once.
 */
export async function execute(call: Call, { io, json }: ExecuteOptions): Promise<number> {
  const { input, root } = await readInput(call, io);
  const { name, command } = call;
  const isJson = json || (command.jsonWhenPiped === true && !io.isTerminal.stdout);
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const stopListening = sys.onInterrupt((cause) => {
    if (signal.aborted) return io.exit(EXIT_CODES.INTERRUPTED);
    interrupt.abort(interrupted(name, cause));
  });
  io.signal?.addEventListener("abort", () => interrupt.abort(interrupted(name, "its caller")));
  const contextIo = new ContextIo(io, signal);
  const afterwards: (() => Promise<void>)[] = [];
  const doAfterwards = (work: () => Promise<void>) => void afterwards.push(work);
  try {
    const as = "as" in input && typeof input.as === "string" ? input.as : undefined;
    const context = makeContext(
      call,
      { io: contextIo, root, isJson, signal, doAfterwards },
      as,
    );
    const last = await print(command, command.run(context, input), { io, json: isJson });
    return signal.aborted ? EXIT_CODES.INTERRUPTED : last?.exitCode ?? 0;
  } catch (error) {
    // The command itself was interrupted, so an error that follows from that, such as a stopped agent, is not reported.
    throw signal.aborted && error instanceof AgentxError ? signal.reason : error;
  } finally {
    stopListening();
    for (const work of afterwards) await work();
    await contextIo.flush();
  }
}

/**
 * Prints each result as it comes; under `--json` only the last one, unless the command wants all. Removes secrets for
 * every command, because older versions, people and git may have written some.
 */
async function print(
  command: Command,
  run: ReturnType<Command["run"]>,
  { io, json }: ExecuteOptions,
): Promise<Result<object> | undefined> {
  let last: Result<object> | undefined;
  for await (const result of Symbol.asyncIterator in run ? run : [run]) {
    const output = await withoutSecrets(result.output);
    last = { ...result, output };
    const text = !json
      ? await command.render(output, viewOf(io, "stdout"))
      : command.jsonLines
      ? encodeJson(envelope(command, last))
      : "";
    if (text !== "" && !printText(text, io)) break; // nobody reads the stream any more
  }
  if (json && !command.jsonLines && last !== undefined) {
    printText(encodeJson(envelope(command, last), 2), io);
  }
  return last;
}

/**
 * Prints a text; returns whether somebody reads it. If it cannot be written, the error contains it, because the command
 * has already run.
 */
function printText(text: string, io: Io): boolean {
  try {
    return io.stdout(text.endsWith("\n") ? text : `${text}\n`);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    const next = `The command has run. Its result:\n${text.slice(0, MAX_SHOWN)}`;
    throw new AgentxError("IO_ERROR", error.summary, {
      details: error.details,
      next,
      cause: error,
    });
  }
}

function envelope(command: Command, { kind = command.kind, output }: Result<object>): object {
  return { schemaVersion: 1, kind, ...output };
}

function interrupted(name: string, signal: string): AgentxError<"INTERRUPTED"> {
  return new AgentxError("INTERRUPTED", `Cannot finish ${name}: stopped by ${signal}`, {
    details: { signal },
  });
}
