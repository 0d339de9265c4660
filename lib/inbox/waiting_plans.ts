// Keeps the plans of agents that wait for a person: `.agentx/state/plans.json`. The id of a plan is a hash of its
// content, so exactly the approved plan becomes issues. A later plan for an issue replaces the earlier one.

import { isObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { JsonList } from "../lock/json_list.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";

/** A plan that is neither approved nor rejected yet. */
export interface WaitingPlan {
  /** The id, from the issue and the content: `PLN-42-3f2a9c01`. */
  id: string;
  /** The `uid` of the issue that the plan splits into parts. */
  issueUid: string;
  /** The agent that made the plan. */
  by: string;
  /** When the plan was made: ISO-8601, UTC. */
  created: string;
  /** The text of the plan, without secrets. */
  text: string;
}

/** The plans of one workspace. */
export class WaitingPlans {
  readonly #path: string;
  readonly #plans: JsonList<WaitingPlan>;
  readonly #locks: FileLockManager;

  /**
   * Takes the workspace folder; the file need not exist.
   *
   * @param home `.agentx`
   */
  constructor(home: string, locks: FileLockManager) {
    this.#path = `${home}/state/plans.json`;
    this.#plans = new JsonList(this.#path, locks, { key: "plans", isItem: isObject });
    this.#locks = locks;
  }

  /** Returns the waiting plans, the oldest first. */
  list(): WaitingPlan[] {
    return this.#plans.read();
  }

  /** Adds a plan. Adding the same plan again changes nothing. */
  async propose(
    issue: { number: number; uid: string },
    plan: { by: string; text: string },
  ): Promise<WaitingPlan> {
    const text = await withoutSecrets(plan.text);
    const hash = await sha256(new TextEncoder().encode(text));
    let proposed: WaitingPlan = {
      id: `PLN-${issue.number}-${hash.slice(0, 8)}`,
      issueUid: issue.uid,
      by: plan.by,
      created: new Date(sys.now()).toISOString(),
      text,
    };
    await this.#plans.update(plan.by, (plans) => {
      proposed = plans.find(({ id }) => id === proposed.id) ?? proposed;
      return [...plans.filter(({ issueUid }) => issueUid !== issue.uid), proposed];
    });
    return proposed;
  }

  /**
   * Calls `act` with a waiting plan, then removes the plan. If two people decide at the same time, only one decision
   * takes effect.
   *
   * @throws {AgentxError} `NOT_FOUND` if the plan does not wait any more
   */
  async decide<T>(id: string, act: (plan: WaitingPlan) => Promise<T>): Promise<T> {
    return await this.#locks.withSafeLock(`${this.#path}.decided`, "plan", async () => {
      const plan = this.list().find((each) => each.id === id);
      if (plan === undefined) throw gone(id);
      const result = await act(plan);
      await this.#plans.update("plan", (plans) => plans.filter((each) => each.id !== id));
      return result;
    });
  }
}

function gone(id: string): AgentxError<"NOT_FOUND"> {
  const why = "it was decided, or another plan replaced it";
  return new AgentxError("NOT_FOUND", `Cannot decide "${id}": ${why}`, {
    details: { kind: "plan", id },
    next: "List what waits for you with: agentx inbox",
  });
}
