// Lets one call of a server work at a time, so that a client that calls thousands of tools at once
// takes neither its memory nor the locks of the workspace. Pure.

import { AgentxError } from "../base/errors.ts";

/** Working, queued or waiting for an answer; no host was seen to have more than a few dozen. */
const MAX_CALLS = 100;

/** The calls of one server: several would take the locks from each other, and from other servers. */
export class CallQueue {
  #calls = 0;
  #last = Promise.resolve();

  /**
   * Runs a call when it is its turn. It calls `waits` once it only waits for somebody's answer: the
   * next one may work then. Throws `GATE_REFUSED` if there are too many.
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
