// The hub and its monitor with the constructors of the documents: they take the folder of a workspace, which is
// opened at the first call.

import type { MonitorReport } from "../clarify/monitor/monitor.ts";
import type { ClarificationOutcome } from "../clarify/hub/outcome.ts";
import type {
  ClarificationAction,
  ClarificationFollowUp,
  ClarificationRequest,
} from "../clarify/hub/requests.ts";
import type { ClarificationRecord, ClarificationStatus } from "../clarify/schema.ts";
import { openWorkspaceParts, type Workspace } from "./open.ts";
import type { OpenWorkspaceOptions } from "./state.ts";

/**
 * Routes clarifications between agents (SPEC-1 section 3.3). Each method rejects with an `AgentxError`:
 * `NOT_INITIALISED`, `INVALID_INPUT`, `SCOPE_VIOLATION`, `NOT_FOUND`, `INVALID_TRANSITION`, `GATE_REFUSED`,
 * `MAX_ROUNDS_EXCEEDED`, `LOCK_TIMEOUT`, `CORRUPT_STATE` or `IO_ERROR`.
 */
export class ClarificationRouter {
  readonly #open: () => Promise<Workspace>;

  /** Stores the options; the workspace is opened at the first call. */
  constructor(options: OpenWorkspaceOptions = {}) {
    this.#open = openedOnce(options);
  }

  /** Asks the first question of a clarification, and runs the target if it can be run. */
  async requestClarification(request: ClarificationRequest): Promise<ClarificationOutcome> {
    return await (await (await this.#open()).router()).requestClarification(request);
  }

  /** Asks the next question of a clarification. */
  async followUp(followUp: ClarificationFollowUp): Promise<ClarificationOutcome> {
    return await (await (await this.#open()).router()).followUp(followUp);
  }

  /** Records an answer. A late answer is stored, too, and its `inTime` is false. */
  async answerClarification(
    answer: ClarificationAction & { answer: string; round?: number },
  ): Promise<ClarificationOutcome & { inTime: boolean }> {
    return await (await (await this.#open()).router()).answerClarification(answer);
  }

  /** Ends a clarification. */
  async resolveClarification(
    resolution: ClarificationAction & { resolutionBody: string },
  ): Promise<{ status: "resolved"; clarification: ClarificationRecord }> {
    return await (await (await this.#open()).router()).resolveClarification(resolution);
  }

  /** Hands a clarification to a human. */
  async escalateClarification(
    escalation: ClarificationAction & { summary: string },
  ): Promise<{ status: "escalated"; clarification: ClarificationRecord }> {
    return await (await (await this.#open()).router()).escalateClarification(escalation);
  }
}

/**
 * Marks, escalates and reports clarifications without progress (SPEC-1 section 3.4). Each method rejects with an
 * `AgentxError`: `NOT_INITIALISED`, `NOT_FOUND`, `INVALID_TRANSITION`, `GATE_REFUSED`, `LOCK_TIMEOUT` or `IO_ERROR`.
 */
export class ClarificationMonitor {
  readonly #open: () => Promise<Workspace>;

  /** Stores the options; the workspace is opened at the first call. */
  constructor(options: OpenWorkspaceOptions = {}) {
    this.#open = openedOnce(options);
  }

  /** Checks all clarifications, and acts on those without progress. */
  async runCheck(): Promise<MonitorReport> {
    return await (await (await this.#open()).monitor()).runCheck();
  }

  /** Runs the target once more on its open question. */
  async autoRetry(
    clarificationId: string,
  ): Promise<{ retried: boolean; newStatus: ClarificationStatus }> {
    const { retried, newStatus } = await (await (await this.#open()).router()).autoRetry(
      clarificationId,
    );
    return { retried, newStatus };
  }

  /** Breaks the deadlock of two requests that wait for each other. */
  async breakDeadlock(
    clrA: Pick<ClarificationRecord, "id">,
    clrB: Pick<ClarificationRecord, "id">,
  ): Promise<{ escalated: string; continued: string }> {
    return await (await (await this.#open()).monitor()).breakDeadlock(clrA, clrB);
  }
}

function openedOnce(options: OpenWorkspaceOptions): () => Promise<Workspace> {
  let opened: Promise<Workspace> | undefined;
  return () => opened ??= openWorkspaceParts(options);
}
