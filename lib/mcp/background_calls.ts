// The work of the server besides its calls: questions with running targets, and questions to its human. A question
// continues after its call returns, and ends with the server.

import { AgentxError } from "../base/errors.ts";
import type { OnAsked } from "../clarify/hub/requests.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";

/** A question that is being asked. */
export interface Asking<T> {
  /** The question; undefined until it is written. */
  readonly record: ClarificationRecord | undefined;
  /** Resolves when the question is written, left for a runner outside of this sandbox, or over. */
  readonly begun: Promise<void>;
  readonly done: Promise<T>;
  /** Ends the wait of one call; the question ends when its last call has left. */
  leave(): void;
}

/** Starts a question. */
export type Begin<T> = (
  how: { signal: AbortSignal; onAsked: OnAsked },
) => Promise<T>;

interface Running extends Asking<unknown> {
  waiting: number;
  end(why: string): void;
}

export class BackgroundCalls {
  /** Maximum time that a tool waits for an answer, in milliseconds. */
  readonly waitMs: number;
  /** Replaces the session id of a host that shows none; the human is asked only once in a session. */
  readonly session: string = `mcp:${crypto.randomUUID()}`;
  /** The questions to the human, by the calls that asked them, so that the same question is not asked twice. */
  readonly asked = new Map<string, Promise<string>>();
  readonly #running = new Map<string, Running>();
  #isClosed = false;

  constructor(waitMs: number) {
    this.waitMs = waitMs;
  }

  /**
   * Asks a question, or joins the same one if it is already being asked, because clients repeat calls. Throws
   * `INTERRUPTED` if the server is closing, because nobody would end a run that begins then.
   */
  ask<T>(key: string, begin: Begin<T>): Asking<T> {
    if (this.#isClosed) throw interrupted(CLOSED);
    const running = this.#running.get(key) ?? this.#begin(key, begin);
    running.waiting++;
    return running as Asking<unknown> as Asking<T>;
  }

  /** Ends all runs, and returns when none is left. The questions stay open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running.values()];
    for (const asking of running) asking.end(CLOSED);
    await Promise.allSettled(running.map(({ done }) => done));
  }

  #begin<T>(key: string, begin: Begin<T>): Running {
    const controller = new AbortController();
    const end = (why: string) => controller.abort(interrupted(why));
    let record: ClarificationRecord | undefined;
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => hasBegun = resolve);
    const onAsked: OnAsked = (written) => {
      record = written;
      hasBegun();
    };
    const done = begin({ signal: controller.signal, onAsked })
      .finally(() => this.#running.delete(key));
    done.catch(() => {}).finally(hasBegun); // if nobody waits any more, the ledger has the outcome
    const running: Running = {
      get record() {
        return record;
      },
      begun,
      done,
      waiting: 0,
      end,
      leave() {
        if (--running.waiting === 0) end("the client has cancelled the call");
      },
    };
    this.#running.set(key, running);
    return running;
  }
}

const CLOSED = "the client has closed the connection";

function interrupted(why: string): AgentxError<"INTERRUPTED"> {
  return new AgentxError("INTERRUPTED", `Cannot get an answer: ${why}`, {
    details: { signal: "cancelled" },
  });
}
