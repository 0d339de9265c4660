// A command: one object; its flags, validation, help and `--json` follow from it.

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
  /** Opens the workspace of the current folder, or of `root`; only a command that asks for it pays. */
  openWorkspace(): Promise<Workspace>;
  /** The same without the parts that act, which a list does not need. */
  openState(): Promise<WorkspaceState>;
  readonly root: string | undefined;
  /** For progress and notes on standard error; the result is returned, not written. */
  readonly io: Io;
  /** Whether the result is printed as JSON: what only people read need not be gathered. */
  readonly isJson: boolean;
  /** Fires on Ctrl-C; its reason is the `INTERRUPTED` error to throw. */
  readonly signal: AbortSignal;
  /** Called with a question before its target is run; left out, notes report it. */
  readonly onAsked?: OnAsked;
  /** Takes short work that follows the output; absent where nothing is printed. */
  readonly doAfterwards?: (work: () => Promise<void>) => void;
}

/** The result of one run, or of one step of a stream. */
export interface Result<Output extends object> {
  /** The plain object that `--json` prints and `render` turns into text. */
  output: Output;
  exitCode?: number;
  /** `kind` of this output, where it is not that of the command. */
  kind?: string;
}

/** Other keys of an input, by key. */
export type RelatedKeys<Input> = NoInfer<
  Readonly<Partial<Record<keyof Input & string, readonly (keyof Input & string)[]>>>
>;

/** One command; alone in its file, that exports it as `command`. */
export interface Command<
  Input extends Record<string, unknown> = Record<string, unknown>,
  Output extends object = object,
> {
  /** `kind` of the JSON, such as `clarification.list`. */
  kind: string;
  /** Whole command lines, at least one. */
  examples: readonly string[];
  /** Each key is a flag, `maxRounds` as `--max-rounds`, unless `positional` names it. */
  input?: InputSpec<Input>;
  /** Keys filled by the words that are not flags; required keys are served first, then from the left. */
  positional?: readonly (keyof Input & string)[];
  /** Keys that make sense only with another one: one of these has to be given too. */
  needs?: RelatedKeys<Input>;
  /** Keys beside which these are not given. */
  conflicts?: RelatedKeys<Input>;
  /** Under `--json`, each step of a stream is a line of its own instead of only the last one. */
  jsonLines?: boolean;
  /** Let the monitor look after the clarifications before the command does its work. */
  runsMonitor?: boolean;
  /** Let sessions that have ended be remembered before the command does its work. */
  capturesSessions?: boolean;
  /** Where standard output is not a terminal, print as under `--json`. */
  jsonWhenPiped?: boolean;
  /**
   * Whether these words end the session of a host. Such a command is refused with 1 where others
   * are with 2, at which some hosts would continue the session.
   */
  endsSession?(words: readonly string[]): boolean;
  /** Does the work. An async generator gives its results as they come. */
  run(
    context: Context,
    input: Input,
  ): Promise<Result<Output>> | AsyncIterable<Result<Output>>;
  /** Turns an output into text for people. Pure; an agent's text goes through `text.ts`. */
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
  /** The words that call it, such as `clarify ask`. */
  name: string;
  /** One line without a final period. */
  summary: string;
  /** Heading in the overview; a subcommand has none. */
  group?: string;
  /** Only `help --all` lists it. */
  isMore?: boolean;
  /** For programs, or another spelling: no list and no suggestion names it. */
  isHidden?: boolean;
  /** Absent where there are only subcommands. */
  load?: Load;
  /** Beside its subcommands it takes a word of its own: `workflow feature`, `workflow run 42`. */
  takesWord?: boolean;
}

/** A command, as a command line calls it. */
export interface Call {
  /** The words that call it. */
  name: string;
  command: Command;
  /** The words of the command line that are not its own. */
  rest: readonly string[];
}

/** Gives a command its types: `run` sees what `input` lets through, `render` what `run` returns. */
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
