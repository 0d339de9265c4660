// The program that `agentx.cjs` of the npm package starts for a hook at a prompt or after a tool. Most of these hooks
// have nothing due and need no more than this program. The whole program answers the rest.

import { reportError } from "../../cli/errors.ts";
import { type Io, realIo } from "../../cli/io.ts";
import { isHost } from "../../hosts/hosts.ts";
import { program } from "../../sys/program.ts";
import { answerEvent } from "./answer.ts";

/** Thrown if something is due. Nothing was printed until then. */
const IS_DUE = new Error("Something is due");

/** Answers a hook and ends the process; returns the text of standard input if something is due. */
export async function run(): Promise<{ stdin?: string }> {
  const [host, event, ...more] = program.args.slice(2);
  if (!isHost(host) || more.length > 0) return {};
  const real = realIo({ blocks: true });
  let stdin: string | undefined;
  const io: Io = { ...real, readStdin: async () => stdin = await real.readStdin() };
  let exitCode: number;
  try {
    const context = { io, root: undefined, signal: new AbortController().signal };
    const openDue = () => Promise.reject(IS_DUE);
    exitCode = (await answerEvent({ ...context, print: io.stdout, openDue }, { host, event }))
      .exitCode;
  } catch (error) {
    if (error === IS_DUE) return { stdin };
    exitCode = await reportError(error, { io, json: false });
  }
  program.exit(exitCode);
}
