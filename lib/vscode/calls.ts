// Runs command lines for the editor in the thread of `hub.ts`. The result of a call is the JSON that the command
// prints.

import { isObject, isText, objectOf, tryParseJson } from "../base/checks.ts";
import type { LanguageModel } from "../agents/language_model.ts";
import type { FromHub, Port, ToHub } from "./messages.ts";

/** The error of a failed command. */
export class CallError extends Error {
  override readonly name = "CallError";
  /** Code of the error, such as `NOT_FOUND`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CallOptions {
  /** Whether a click of a person started the command. Only then may the command decide for them. */
  isClick?: boolean;
  /** Called with each value of a stream. */
  onValue?: (value: Record<string, unknown>) => void;
  /** The language model for the command. */
  model?: LanguageModel;
  /** Makes the command print for people instead of JSON; called with each part of the text. */
  onText?: (text: string) => void;
  /** Stops the command. */
  signal?: AbortSignal;
}

/** The result of a command. */
export interface Called {
  /** The last JSON value that the command printed. */
  value: Record<string, unknown>;
  /** The text that the command wrote to standard error. */
  said: string;
  code: number;
}

interface Waiting {
  onMessage(message: FromHub): void;
}

/** The calls of one editor window. */
export class Calls {
  readonly #port: Port<ToHub, FromHub>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /**
   * @param port the connection to the thread
   * @param ask asks the person a command's question; an empty line means no
   */
  constructor(port: Port<ToHub, FromHub>, ask: (text: string) => Promise<string>) {
    this.#port = port;
    port.receive(async (message) => {
      const { id } = message;
      if ("ask" in message) port.send({ id, line: await ask(message.ask) });
      else this.#waiting.get(id)?.onMessage(message);
    });
  }

  /**
   * Runs a command line; `--json` is added if there is no `onText`.
   *
   * @throws {CallError} with the code of the command's error
   */
  run(
    [words, ...rest]: readonly [words: string, ...rest: string[]],
    root: string,
    { isClick = false, onValue = () => {}, onText, model, signal }: CallOptions = {},
  ): Promise<Called> {
    const id = ++this.#lastId;
    const format = onText === undefined ? ["--json"] : [];
    const argv = [...words.split(" "), "--root", root, ...format, ...rest];
    const asking = new Map<number, AbortController>();
    return new Promise((resolve, reject) => {
      let text = "";
      this.#waiting.set(id, {
        onMessage: (message) => {
          if ("out" in message) {
            onText?.(message.out);
            text += message.out;
            const value = tryParseJson(message.out);
            if (isObject(value)) onValue(value);
          } else if ("asked" in message) {
            const { request, asked } = message;
            const stop = new AbortController();
            asking.set(request, stop);
            model!.respond({ ...asked, signal: stop.signal })
              .then((turn) => this.#port.send({ id, request, turn }))
              .catch((error) => this.#port.send({ id, request, failed: String(error.message) }))
              .finally(() => asking.delete(request));
          } else if ("stop" in message) asking.get(message.request)?.abort();
          else if ("code" in message) {
            this.#waiting.delete(id);
            const { code, said } = message;
            const isText = onText !== undefined && (code === 0 || text !== "");
            const value = isText || code === 0 && text === "" ? {} : lastValue(text);
            if (value !== undefined) resolve({ value, said, code });
            else reject(errorIn(said, code));
          }
        },
      });
      signal?.addEventListener("abort", () => this.#port.send({ id, stop: true }), { once: true });
      this.#port.send({ id, argv, isClick, ...model && { model: model.name } });
    });
  }

  /** Finds the workspace of a folder; undefined if there is none. Throws {@linkcode CallError}. */
  find(folder: string): Promise<string | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        onMessage: (message) => {
          if (!("root" in message)) return;
          this.#waiting.delete(id);
          if (message.said === "") resolve(message.root ?? undefined);
          else reject(new CallError("UNTRUSTED", message.said));
        },
      });
      this.#port.send({ id, folder });
    });
  }
}

/** Returns the JSON value of a whole text, or otherwise of its last line. */
function lastValue(text: string): Record<string, unknown> | undefined {
  const lines = text.trim().split("\n");
  const value = tryParseJson(text) ?? tryParseJson(lines.at(-1)!);
  return isObject(value) ? value : undefined;
}

/** Makes the error of a failed command from the last line of standard error. Notes may come before it. */
function errorIn(said: string, exitCode: number): CallError {
  const { error } = objectOf(tryParseJson(said.trim().split("\n").at(-1)!));
  const { code, message } = objectOf(error);
  if (isText(code) && isText(message)) return new CallError(code, message);
  return new CallError(
    "FAILED",
    said.trim().replace(/^error: /, "") || `it ended with ${exitCode}`,
  );
}
