// Speaks JSON-RPC 2.0 with a program, one message a line.

import { isObject, type JsonObject, objectOf, stringOf, tryParseJson } from "../../base/checks.ts";
import type { Dialog } from "../../sys/dialog.ts";

/** Handlers for the requests and notices that the other side sends. */
export interface Handlers {
  /** Returns the result of a request; undefined for an unknown method, so that the agent gets an error. */
  request: (method: string, params: JsonObject) => Promise<JsonObject | undefined>;
  notice: (method: string, params: JsonObject) => void;
}

/** An error that the agent sent, or the end of its program. */
export class AcpError extends Error {
  /**
   * @param code the code of JSON-RPC; null if the program ended
   */
  constructor(message: string, readonly code: number | null) {
    super(message);
  }
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

interface Waiting {
  resolve: (result: JsonObject) => void;
  reject: (error: AcpError) => void;
}

export class AcpConnection {
  readonly #dialog: Dialog;
  readonly #handlers: Handlers;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(dialog: Dialog, handlers: Handlers) {
    this.#dialog = dialog;
    this.#handlers = handlers;
  }

  /** Reads messages until the program ends; then each open request fails. */
  async listen(): Promise<void> {
    let why = "it ended before its answer";
    try {
      for await (const line of this.#dialog.lines()) this.#take(tryParseJson(line));
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    for (const { reject } of this.#waiting.values()) reject(new AcpError(why, null));
  }

  /** Sends a request, and returns its result. Throws {@linkcode AcpError}. */
  request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** Handles one message. Other output, such as a warning of the program's runtime, is ignored. */
  #take(message: unknown): void {
    if (!isObject(message)) return;
    const { id, method, error, result } = message;
    if (typeof method === "string") {
      const params = objectOf(message.params);
      if (id === undefined) this.#handlers.notice(method, params);
      else void this.#reply(id, method, params);
      return;
    }
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(id as number);
    if (!isObject(error)) return waiting.resolve(objectOf(result));
    const detail = stringOf(objectOf(error.data).details) ?? stringOf(objectOf(error.data).message);
    const code = typeof error.code === "number" ? error.code : 0;
    const status = code >= 400 && code < 600 ? `HTTP ${code}` : "";
    const said = [status, stringOf(error.message), detail].filter((part) => part).join(": ");
    waiting.reject(new AcpError(said || "no reason given", code));
  }

  async #reply(id: unknown, method: string, params: JsonObject): Promise<void> {
    try {
      const result = await this.#handlers.request(method, params);
      const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
      this.#send(result === undefined ? { id, error } : { id, result });
    } catch (error) {
      this.#send({ id, error: { code: INTERNAL_ERROR, message: String(error) } });
    }
  }

  #send(message: JsonObject): void {
    this.#dialog.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}
