// Defines a command as one object. Flags, validation, help and `--json` follow from it.

import type { OnAsked } from "../clarify/hub/requests.ts";
import type { RenderView } from "../text/view.ts";
import type { Workspace } from "../workspace/open.ts";
import type { WorkspaceState } from "../workspace/state.ts";
import type { Io } from "./io.ts";
import type { InputSpec } from "./spec.ts";

/** The surroundings of a running command. */
export interface Context {
  /** The words of the command, for messages. */
  readonly name: string;
  /** Opens the workspace of the current folder, or of `root`. It is loaded only for a command that calls this. */
  openWorkspace(): Promise<Workspace>;
  /** Like `openWorkspace`, but without the parts that act; enough for a list. */
  openState(): Promise<WorkspaceState>;
  readonly root: string | undefined;
  /** For progress and notes on standard error. A command returns its result and does not write it. */
  readonly io: Io;
  /** Whether the result is printed as JSON. Data for people need not be gathered then. */
  readonly isJson: boolean;
  /** Fires on Ctrl-C; its reason is the `INTERRUPTED` error to throw. */
  readonly signal: AbortSignal;
  /** Called with a question before its target runs. If absent, notes report the question. */
  readonly onAsked?: OnAsked;
  /** Takes short work to do after the output; absent if nothing is printed. */
  readonly doAfterwards?: (work: () => Promise<void>) => void;
}

/** The result of one run, or of one step of a stream. */
export interface Result<Output extends object> {
  /** The plain object that `--json` prints and `render` turns into text. */
  output: Output;
  exitCode?: number;
  /** The `kind` of this output, if it differs from that of the command. */
  kind?: string;
}

/** For some keys of an input, other keys. */
export type RelatedKeys<Input> = NoInfer<
  Readonly<Partial<Record<keyof Input & string, readonly (keyof Input & string)[]>>>
>;

/** One command. Each has a file of its own, which exports it as `command`. */
export interface Command<
  Input extends Record<string, unknown> = Record<string, unknown>,
  Output extends object = object,
> {
  /** The `kind` of the JSON output, such as `clarification.list`. */
  kind: string;
  /** Complete command lines, at least one. */
  examples: readonly string[];
  /** The arguments. Each key is a flag, such as `--max-rounds` for `maxRounds`, unless `positional` names it. */
  input?: InputSpec<Input>;
  /** Keys that take their values from words without a flag: required keys first, the others from the left. */
  positional?: readonly (keyof Input & string)[];
  /** For a key, other keys: at least one of them must be given with it. */
  needs?: RelatedKeys<Input>;
  /** For a key, other keys that cannot be given with it. */
  conflicts?: RelatedKeys<Input>;
  /** Under `--json`, print every step of a stream as a line of its own, not only the last one. */
  jsonLines?: boolean;
  /** Run the monitor of the clarifications before the command. */
  runsMonitor?: boolean;
  /** Store the sessions that have ended before the command runs. */
  capturesSessions?: boolean;
  /** Print JSON, as with `--json`, if standard output is not a terminal. */
  jsonWhenPiped?: boolean;
  /**
   * Returns whether these words end the session of a host. If such a command is refused, the exit code is 1 instead of
   * 2, because some hosts would continue the session at 2.
   */
  endsSession?(words: readonly string[]): boolean;
  /** Runs the command. An async generator yields several results. */
  run(
    context: Context,
    input: Input,
  ): Promise<Result<Output>> | AsyncIterable<Result<Output>>;
  /** Turns an output into text for people. Pure; text of agents goes through `text.ts`. */
  render(output: Output, view: RenderView): string | Promise<string>;
}

/** Loads the module of a command. */
export type Load = () => Promise<{ command: Command }>;

/**
 * A line of the table of commands.
 *
 * @internal
 */
export interface CommandEntry {
  /** The words on the command line, such as `clarify ask`. */
  name: string;
  /** One line without a final period. */
  summary: string;
  /** The heading in the overview; a subcommand has none. */
  group?: string;
  /** Whether only `help --all` lists the command. */
  isMore?: boolean;
  /** Whether no list and no suggestion names the command: it is for programs, or another spelling. */
  isHidden?: boolean;
  /** Absent if the name only groups subcommands. */
  load?: Load;
  /**
   * Whether the command takes a word of its own besides its subcommands: `workflow feature`, but also
   * `workflow run 42`.
   */
  takesWord?: boolean;
}

/** A command with the words of one command line. */
export interface Call {
  /** The words that name the command. */
  name: string;
  command: Command;
  /** The remaining words of the command line. */
  rest: readonly string[];
}

/** Gives a command its types: `run` gets the values of `input`, and `render` the output of `run`. */
export function defineCommand<Input extends Record<string, unknown>, Output extends object>(
  command: Command<Input, Output>,
): Command<Input, Output> {
  return command;
}

/** Runs a command inside another one; returns its only result. */
export async function resultOf<Input extends Record<string, unknown>, Output extends object>(
  { kind, run }: Command<Input, Output>,
  context: Context,
  input: Input,
): Promise<Result<Output>> {
  const running = run(context, input);
  if (Symbol.asyncIterator in running) throw new TypeError(`${kind} has more than one result`);
  return { kind, ...await running };
}
