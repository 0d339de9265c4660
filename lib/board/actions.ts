// Runs a command for a click, with the same checks and messages as on the command line.

import type { Command } from "../cli/command.ts";
import { reportError } from "../cli/errors.ts";
import { execute } from "../cli/execute.ts";
import { flagName } from "../cli/spec.ts";
import { isObject, isText } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { invalidInput } from "../base/input_checks.ts";
import type { FoundSurface } from "../who/surface.ts";
import { BoardIo } from "./board_io.ts";

/** The commands that the page may run; all of them change something. */
const ACTIONS: readonly string[] = [
  "answer",
  "clarify resolve",
  "clarify escalate",
  "clarify run",
  "issue create",
  "issue edit",
  "issue comment",
  "issue check",
  "issue deps",
  "issue close",
  "issue undo",
  "issue delete",
  "memory note",
  "memory retract",
  "memory delete",
  "memory review",
  "assumptions confirm",
  "assumptions revert",
  "trust",
];

/** The result of a command, or a question that it asks before it continues. */
export type Reply =
  | { exitCode: number; result: string; said: string }
  | { error: { code: string; message: string } }
  | { ask: { id: string; text: string } };

/** A command that waits for a person's answer. */
interface Asked {
  answer: (line: string) => void;
  reply: Promise<Reply>;
}

/** Options of {@linkcode Actions}. */
export interface ActionsOptions {
  /** Loads a command by its words. */
  load: (words: string) => Promise<Command>;
  /** The folder of the workspace. */
  root: string;
  startedAt: FoundSurface;
  /** Called with each command after its run, its input, and the code of its error, if any. */
  onDone: (words: string, input: Record<string, string>, code: string | undefined) => void;
}

/** Runs the commands that one board sends. */
export class Actions {
  readonly #options: ActionsOptions;
  readonly #asked = new Map<string, Asked>();
  #lastId = 0;

  constructor(options: ActionsOptions) {
    this.#options = options;
  }

  /**
   * Runs a command, or answers the question of a running one.
   *
   * @param given `{ command, input }` to run a command, or `{ id, line }` to answer a question
   * @throws {AgentxError} `INVALID_INPUT` if it is neither of these
   */
  async take(given: unknown): Promise<Reply> {
    if (!isObject(given)) throw invalidInput("body", given, "it must be an object");
    const { command, input = {}, id, line } = given;
    if (isText(id) && isText(line)) return await this.#answer(id, line);
    if (!isText(command) || !ACTIONS.includes(command)) {
      throw invalidInput("command", command, `it must be one of ${ACTIONS.join(", ")}`);
    }
    if (!isObject(input) || !Object.values(input).every(isText)) {
      throw invalidInput("input", input, "it must be an object whose values are strings");
    }
    return await this.#run(command, input as Record<string, string>);
  }

  async #answer(id: string, line: string): Promise<Reply> {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined) {
      throw invalidInput(
        "id",
        id,
        "the board no longer waits for this answer",
        "Start the action again",
      );
    }
    asked.answer(line.split("\n", 1)[0]);
    return await asked.reply;
  }

  /** Starts a command; returns when it has ended or asks a question. */
  #run(words: string, input: Record<string, string>): Promise<Reply> {
    let reply = (_: Reply) => {};
    const next = () => new Promise<Reply>((resolve) => reply = resolve);
    const first = next();
    const io = new BoardIo(this.#options.startedAt, (text) =>
      new Promise((answer) => {
        const id = `${++this.#lastId}`;
        const told = reply;
        this.#asked.set(id, { answer, reply: next() });
        told({ ask: { id, text } });
      }));
    this.#finish(words, input, io).then((last) => reply(last));
    return first;
  }

  async #finish(words: string, input: Record<string, string>, io: BoardIo): Promise<Reply> {
    const { load, root, onDone } = this.#options;
    try {
      const command = await load(words);
      const rest = ["--root", root, ...wordsOf(command, input)];
      const exitCode = await execute({ name: words, command, rest }, { io, json: false });
      onDone(words, input, undefined);
      return { exitCode, ...io.taken() };
    } catch (error) {
      const code = error instanceof AgentxError ? error.code : "BUG";
      onDone(words, input, code);
      io.taken();
      await reportError(error, { io, json: false });
      return { error: { code, message: io.taken().said.replace(/^error: /, "") } };
    }
  }
}

/** Returns the words for an input. An empty field counts as absent, and a switch is on whatever its value. */
function wordsOf(command: Command, input: Record<string, string>): string[] {
  const given = Object.entries(input).filter(([, value]) => value !== "");
  const { positional = [] } = command;
  const missing = positional.findIndex((key) => !given.some(([name]) => name === key));
  const words = missing < 0 ? positional : positional.slice(0, missing);
  const flags = given.filter(([key]) => !words.includes(key)).map(([key, value]) => {
    const isSwitch = command.input?.[key]?.kind === "switch";
    return isSwitch ? flagName(key) : `${flagName(key)}=${value}`;
  });
  return [...flags, "--", ...words.map((key) => input[key])];
}
