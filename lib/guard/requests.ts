// The commands that agents asked to run and that a person decides about: `.agentx/state/guard-requests.json`. A
// command is identified by its hash, so only the exact command is allowed. Its stored text is redacted.

import { isObject } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import type { Origin } from "../base/origin.ts";
import { sha256 } from "../base/sha256.ts";
import { JsonList } from "../lock/json_list.ts";
import type { FileLockManager } from "../lock/lock_manager.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import type { Decision, GuardRequest } from "./request.ts";

/** The maximum number of requests. Decided requests are dropped first, then the oldest. */
const MAX_KEPT = 200;

const MAX_COMMAND = 500;

export class GuardRequests {
  readonly #path: string;
  readonly #requests: JsonList<GuardRequest>;
  readonly #origin: Origin;

  /** `origin` recognizes requests from elsewhere, which are ignored. */
  constructor(home: string, locks: FileLockManager, origin: Origin) {
    this.#origin = origin;
    this.#path = `${home}/state/guard-requests.json`;
    this.#requests = new JsonList(this.#path, locks, {
      key: "requests",
      isItem: isObject,
      max: MAX_KEPT,
      isKept: ({ decision }) => decision === null,
    });
  }

  /** Returns the requests that wait for a decision, the oldest first. */
  pending(): GuardRequest[] {
    return this.#own(this.#requests.read()).filter(({ decision }) => decision === null);
  }

  #own(requests: readonly GuardRequest[]): GuardRequest[] {
    const isForeign = this.#origin.now();
    return requests.filter((each) => !isForeign(this.#path, each));
  }

  /**
   * Adds a request, or returns an earlier one with its decision. `isAllowed` is true if a person agreed. A
   * permission for one time counts only once.
   */
  async ask(
    asked: Pick<
      GuardRequest,
      "session" | "agent" | "issue" | "command" | "line" | "rule" | "reason" | "process"
    >,
  ): Promise<{ request: GuardRequest; isAllowed: boolean }> {
    const hash = await sha256(new TextEncoder().encode(asked.command));
    const command = (await withoutSecrets(asked.command)).slice(0, MAX_COMMAND);
    const line = await withoutSecrets(asked.line) === asked.line ? asked.line : null;
    let request: GuardRequest | undefined;
    let isAllowed = false;
    await this.#requests.update("guard", (requests) => {
      request = this.#own(requests).findLast((each) =>
        each.hash === hash && each.session === asked.session && each.decision !== "used"
      );
      isAllowed = ["once", "session", "rule"].includes(request?.decision ?? "");
      if (request?.decision === "once") request.decision = "used";
      if (request !== undefined) request.process = asked.process;
      else {
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
        this.#origin.noteOwn(request);
      }
      return requests;
    });
    return { request: request!, isAllowed };
  }

  /** Returns a request. Throws `NOT_FOUND` if no agent made it. */
  get(id: string): GuardRequest {
    const request = this.#own(this.#requests.read()).findLast((each) => each.id === id);
    if (request !== undefined) return request;
    throw new AgentxError("NOT_FOUND", `Cannot decide "${id}": no agent asked that`, {
      details: { kind: "request", id },
      next: "List what waits for you with: agentx inbox",
    });
  }

  /** Records the decision on a request. It replaces an earlier decision. */
  async decide(id: string, decision: Decision): Promise<void> {
    await this.#requests.update("guard", (requests) => {
      for (const each of this.#own(requests)) if (each.id === id) each.decision = decision;
      return requests;
    });
  }
}
