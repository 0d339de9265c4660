// Lets only one call of a server work at a time. So a client that calls thousands of tools at once cannot use up the
// memory of the server or the locks of the workspace. Pure.

import { AgentxError } from "../base/errors.ts";

/**
 * Maximum number of calls that work, are queued or wait for an answer. No host was seen to have more than a few dozen.
 */
const MAX_CALLS = 100;

/** The calls of one server. They take turns, because parallel calls would compete for the same locks. */
export class CallQueue {
  #calls = 0;
  #last = Promise.resolve();

  /**
   * Runs a call when its turn comes. The call must call `waits` as soon as it only waits for somebody's answer, so that
   * the next call may work. Throws `GATE_REFUSED` if there are too many calls.
   */
  async run<T>(work: (waits: () => void) => Promise<T>): Promise<T> {
    if (this.#calls === MAX_CALLS) throw tooMany();
    this.#calls++;
    const before = this.#last;
    let waits = () => {};
    this.#last = new Promise((resolve) => waits = resolve);
    await before;
    try {
      return await work(waits);
    } finally {
      waits();
      this.#calls--;
    }
  }
}

function tooMany(): AgentxError<"GATE_REFUSED"> {
  const why = `${MAX_CALLS} calls of this server are not over yet`;
  return new AgentxError("GATE_REFUSED", `Cannot call the tool: ${why}`, {
    details: { gate: "calls", issueNumber: null, reasons: [] },
    next: "Nothing was done: call it again when some of the others have returned",
  });
}
