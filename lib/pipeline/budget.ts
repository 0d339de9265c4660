// How many tokens the agents of a workflow may use, and have used: what their programs report, or else an
// estimate of what was sent and came back.

import { AgentxError } from "../base/errors.ts";

/** The tokens of one `workflow run`. */
export class Budget {
  readonly #limit: number;
  readonly #used = new Map<string, number>();

  /** @param limit none by default */
  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  /** Records what a run has used so far. */
  note(run: string, tokens: number): void {
    this.#used.set(run, Math.max(tokens, this.#used.get(run) ?? 0));
  }

  /** Whether no further run may begin. */
  get isUsedUp(): boolean {
    return this.#all() >= this.#limit;
  }

  /** Why no agent continues. */
  usedUp(issueNumber: number, agent: string): AgentxError<"AGENT_ERROR"> {
    const [limit, all] = [this.#limit, this.#all()];
    const over = all > limit ? `, ${all - limit} too many` : "";
    const reason = `the budget of ${limit} tokens is used up: ${all} were used${over}`;
    return new AgentxError("AGENT_ERROR", `Cannot continue with ${agent}: ${reason}`, {
      details: { agent, reason, final: "the budget is used up" },
      next: `Give it more: agentx workflow run ${issueNumber} --budget TOKENS`,
    });
  }

  #all(): number {
    return [...this.#used.values()].reduce((sum, each) => sum + each, 0);
  }
}
