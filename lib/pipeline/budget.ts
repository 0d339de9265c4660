// Counts the tokens of a workflow's agents against a budget. The numbers come from the programs of the agents, or else
// from an estimate by prompt and reply.

import { AgentxError } from "../base/errors.ts";

/** The token budget of one `workflow run`. */
export class Budget {
  readonly #limit: number;
  readonly #used = new Map<string, number>();

  /**
   * @param limit the limit in tokens; none by default
   */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** Records the tokens of a run so far. */
  note(run: string, tokens: number): void {
    this.#used.set(run, Math.max(tokens, this.#used.get(run) ?? 0));
  }

  /** Whether no further run may begin. */
  get isUsedUp(): boolean {
    return this.#all() >= this.#limit;
  }

  /** Returns the error for an agent that cannot continue because the budget is used up. */
  usedUp(issueNumber: number, agent: string): AgentxError<"GATE_REFUSED"> {
    const [limit, all] = [this.#limit, this.#all()];
    const over = all > limit ? `, ${all - limit} too many` : "";
    const reason = `the budget of ${limit} tokens is used up: ${all} were used${over}`;
    return new AgentxError("GATE_REFUSED", `Cannot continue with ${agent}: ${reason}`, {
      details: { gate: "budget", issueNumber, reasons: [reason] },
      next: "Its step waits in your inbox (agentx inbox); give it more with: " +
        `agentx workflow run ${issueNumber} --budget TOKENS`,
    });
  }

  #all(): number {
    return [...this.#used.values()].reduce((sum, each) => sum + each, 0);
  }
}
