// Runs command lines for the editor in a separate thread. Reading 1,000 issues in the editor's own thread would
// block all extensions for 50 ms.
//
// A command that a click started may decide as the person. All other commands, which views run, decide nothing.

import { BoardIo } from "../board/board_io.ts";
import { AgentxError } from "../base/errors.ts";
import type { Io } from "../cli/io.ts";
import { type FoundSurface, surfaceOf } from "../who/surface.ts";
import { findWorkspace } from "../workspace/find.ts";
import { EditorModel } from "./editor_model.ts";
import type { FromHub, Port, RunMessage, ToHub } from "./messages.ts";

/** The main function of the command line, as in `cli.ts`. */
export type Main = (argv: readonly string[], io: Io) => Promise<number>;

/** Answers calls that arrive at a port. Several calls may run at the same time. */
export function serveHub(port: Port<FromHub, ToHub>, main: Main): void {
  const running = new Map<number, Running>();
  port.receive((message) => {
    if ("argv" in message) run(message, { port, main, running });
    else if ("folder" in message) port.send({ id: message.id, ...placeOf(message.folder) });
    else running.get(message.id)?.receive(message);
  });
}

/** A message for a running command. */
type Reply = Exclude<ToHub, { argv: unknown } | { folder: unknown }>;

interface Running {
  receive(message: Reply): void;
}

async function run(
  { id, argv, isClick, model: name }: RunMessage,
  { port, main, running }: {
    port: Port<FromHub, ToHub>;
    main: Main;
    running: Map<number, Running>;
  },
): Promise<void> {
  const stop = new AbortController();
  let answer = (_: string) => {};
  const model = name === undefined
    ? undefined
    : new EditorModel(name, (message) => port.send({ id, ...message }));
  running.set(id, {
    receive(message) {
      if ("line" in message) answer(message.line);
      else if ("stop" in message) stop.abort();
      else model?.receive(message);
    },
  });
  const io = new HubIo(isClick, {
    model,
    signal: stop.signal,
    onText: (out) => port.send({ id, out }),
    ask: (ask) =>
      new Promise((resolve) => {
        answer = resolve;
        port.send({ id, ask });
      }),
  });
  const code = await main(argv, io);
  running.delete(id);
  port.send({ id, code, said: io.taken().said });
}

function placeOf(folder: string): { root: string | null; said: string } {
  try {
    return { root: findWorkspace(folder).root, said: "" };
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    return { root: null, said: error.code === "NOT_INITIALISED" ? "" : error.oneLine };
  }
}

interface HubIoOptions extends Pick<Io, "model"> {
  signal: AbortSignal;
  onText: (text: string) => void;
  ask: (said: string) => Promise<string>;
}

/** The streams of one call. Results are passed on at once. */
class HubIo extends BoardIo {
  readonly signal: AbortSignal;
  readonly model: Io["model"];
  readonly #onText: (text: string) => void;

  constructor(isClick: boolean, { model, signal, onText, ask }: HubIoOptions) {
    super(startedBy(isClick), ask);
    this.signal = signal;
    this.model = model;
    this.#onText = onText;
  }

  override stdout(text: string): boolean {
    this.#onText(text);
    return true;
  }
}

/** Returns who starts a command. An editor that was started in an agent's session acts as that agent. */
function startedBy(isClick: boolean): FoundSurface {
  const isTerminal = { stdin: false, stderr: false };
  const found = surfaceOf({ env: new BoardIo(NOBODY, noLine).env, isTerminal });
  if (found.agent !== undefined) return found;
  return { surface: isClick ? "editor" : "pipe", agent: undefined };
}

const NOBODY: FoundSurface = { surface: "pipe", agent: undefined };

function noLine(): Promise<string> {
  return Promise.resolve("");
}
