// What agents asked to do and a person decides: `.agentx/state/guard-requests.json`. A command is
// known by its hash, so that exactly that is allowed; the text that is kept is redacted.

import { isObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { JsonList } from "../lock/json_list.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import type { Decision, GuardRequest } from "./request.ts";

/** The number of requests that are kept; of the oldest, those that are decided go first. */
const MAX_KEPT = 200;

const MAX_COMMAND = 500;

export class GuardRequests {
  readonly #requests: JsonList<GuardRequest>;

  constructor(home: string, locks: FileLockManager) {
    this.#requests = new JsonList(`${home}/state/guard-requests.json`, locks, {
      key: "requests",
      isItem: isObject,
      max: MAX_KEPT,
      isKept: ({ decision }) => decision === null,
    });
  }

  /** Those that wait for a decision, the oldest first. */
  pending(): GuardRequest[] {
    return this.#requests.read().filter(({ decision }) => decision === null);
  }

  /**
   * Asks, or gives the decision: `isAllowed` where a person agreed, for the last time if it was for
   * once.
   */
  async ask(
    asked: Pick<
      GuardRequest,
      "session" | "agent" | "issue" | "command" | "line" | "rule" | "reason"
    >,
  ): Promise<{ request: GuardRequest; isAllowed: boolean }> {
    const hash = await sha256(new TextEncoder().encode(asked.command));
    const command = (await withoutSecrets(asked.command)).slice(0, MAX_COMMAND);
    const line = await withoutSecrets(asked.line) === asked.line ? asked.line : null;
    let request: GuardRequest | undefined;
    let isAllowed = false;
    await this.#requests.update("guard", (requests) => {
      request = requests.findLast((each) =>
        each.hash === hash && each.session === asked.session && each.decision !== "used"
      );
      isAllowed = ["once", "session", "rule"].includes(request?.decision ?? "");
      if (request?.decision === "once") request.decision = "used";
      if (request === undefined) {
        const last = Math.max(0, ...requests.map(({ id }) => Number(id.slice(4))));
        request = {
          ...asked,
          id: `GRD-${String(last + 1).padStart(3, "0")}`,
          command,
          line,
          hash,
          created: new Date(sys.now()).toISOString(),
          decision: null,
        };
        requests.push(request);
      }
      return requests;
    });
    return { request: request!, isAllowed };
  }

  /** Throws `NOT_FOUND` if no agent asked that. */
  get(id: string): GuardRequest {
    const request = this.#requests.read().find((each) => each.id === id);
    if (request !== undefined) return request;
    throw new AgentxError("NOT_FOUND", `Cannot decide "${id}": no agent asked that`, {
      details: { kind: "request", id },
      next: "List what waits for you with: agentx inbox",
    });
  }

  /** Decides a request; an earlier decision is replaced. */
  async decide(id: string, decision: Decision): Promise<void> {
    await this.#requests.update("guard", (requests) => {
      for (const each of requests) if (each.id === id) each.decision = decision;
      return requests;
    });
  }
}
