/**
 * Answers the hooks of coding agents, as `agentx hook host` does, for a program that a host runs as its hook.
 *
 * @example A session without an issue recalls by its first prompt
 * ```ts
 * import { initWorkspace, openWorkspace } from "@agentx/toolkit";
 * import { answerHook } from "@agentx/toolkit/hooks";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const root = Deno.makeTempDirSync();
 * await initWorkspace(root);
 * const { memory } = await openWorkspace({ root });
 * await memory.note("Pools are set up once.");
 * const session = { session_id: "s-1", cwd: root };
 * await answerHook("claude", "SessionStart", { input: { ...session, source: "startup" }, print() {} });
 *
 * const printed: string[] = [];
 * const { answered, exitCode } = await answerHook("claude", "UserPromptSubmit", {
 *   input: { ...session, prompt: "How are the pools set up?" },
 *   print: (text) => printed.push(text),
 * });
 * assertEquals([answered, exitCode], ["context", 0]);
 * assert(printed.join("").includes("Pools are set up once."));
 * Deno.removeSync(root, { recursive: true });
 * ```
 *
 * @module
 */

import { invalidInput } from "../../base/input_checks.ts";
import { realIo } from "../../cli/io.ts";
import { HOST_NAMES, type HostName } from "../../hosts/hosts.ts";
import { answerHost } from "./host.ts";

export { HOST_NAMES } from "../../hosts/hosts.ts";
export type { HostName } from "../../hosts/hosts.ts";

/** Options of {@linkcode answerHook}. */
export interface AnswerHookOptions {
  /** The host's input, as JSON or parsed. */
  input?: string | object;
  /**
   * Gives the answer to the host. Its entries count as delivered unless this function returns false; then a later
   * process delivers them.
   */
  print?: (text: string) => unknown;
  /** The folder to search for `.agentx/`, and then each folder above. */
  root?: string;
  /** Ends every wait for a lock when it fires. */
  signal?: AbortSignal;
}

/** The outcome of a hook for its program. */
export interface HookAnswer {
  /** The kind of output: nothing, text for the session, or a refusal to stop or to use the tool. */
  answered: "nothing" | "context" | "block";
  /** The exit code for the program. */
  exitCode: number;
}

/**
 * Answers a hook in exactly the form of its host: with observations at the start of a session, and with questions and
 * answers that arrived later. At the end it keeps the recording. Outside a workspace it prints nothing. It reports
 * errors on standard error and by the exit code.
 *
 * @param event as the host names it, such as `SessionStart`
 * @throws {AgentxError} `INVALID_INPUT` for a host or an event that agentx does not answer
 */
export async function answerHook(
  host: HostName,
  event: string,
  { input, print, root, signal = new AbortController().signal }: AnswerHookOptions = {},
): Promise<HookAnswer> {
  if (!HOST_NAMES.includes(host)) {
    throw invalidInput("host", host, `it must be one of ${HOST_NAMES.join(", ")}`);
  }
  const io = realIo();
  if (input !== undefined) {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    io.readStdin = () => Promise.resolve(text);
  }
  if (print !== undefined) io.stdout = (text) => print(text) !== false;
  const context = { io, root, signal, print: (text: string) => io.stdout(text) };
  const { answered, exitCode } = await answerHost(context, { host, event });
  return { answered, exitCode };
}
