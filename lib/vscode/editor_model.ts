// A model of the editor, used by commands in the thread. Each request is sent to the editor and waits for the
// response.

import { failedRun } from "../agents/failed_run.ts";
import type { LanguageModel, ModelRequest, ModelTurn } from "../agents/language_model.ts";
import type { FromHub, ToHub } from "./messages.ts";

/** The messages that this model sends, without the id of the command. */
type Sent =
  | Omit<Extract<FromHub, { asked: unknown }>, "id">
  | Omit<Extract<FromHub, { stop: unknown }>, "id">;

type Replied = Extract<ToHub, { request: number }>;

export class EditorModel implements LanguageModel {
  readonly name: string;
  readonly #send: (message: Sent) => void;
  readonly #waiting = new Map<number, (message: Replied) => void>();
  #last = 0;

  constructor(name: string, send: (message: Sent) => void) {
    this.name = name;
    this.#send = send;
  }

  receive(message: Replied): void {
    this.#waiting.get(message.request)?.(message);
    this.#waiting.delete(message.request);
  }

  respond({ signal, ...asked }: ModelRequest): Promise<ModelTurn> {
    const request = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(request, (message) => {
        if ("turn" in message) resolve(message.turn);
        else reject(failedRun(this.name, message.failed));
      });
      const stop = () => {
        this.#send({ request, stop: true });
        reject(signal!.reason);
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", stop, { once: true });
      this.#send({ request, asked });
    });
  }
}
