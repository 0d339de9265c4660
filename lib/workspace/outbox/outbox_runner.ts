// Takes the requests of outboxes, and asks them through the hub of the main checkout, once each.

import { roleOf } from "../../base/agent_names.ts";
import { type ClarificationOutcome, outcomeOf } from "../../clarify/hub/outcome.ts";
import { RUNNER } from "../../clarify/hub/runner.ts";
import type { ClarificationRequest } from "../../clarify/hub/requests.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { untilAnswered } from "../../clarify/hub/until_answered.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { checkoutsOf, repositoryAbove } from "../../git/repository.ts";
import type { Workspace } from "../open.ts";
import { isOver, Outbox, outboxOf, type OutboxRequest, targetOf } from "./outbox.ts";
import { namedOutbox, OUTBOX_VARIABLE, requestRunKey } from "./outbox_folder.ts";

/** How many requests are asked at the same time. */
const MAX_AT_ONCE = 16;

export class OutboxRunner {
  readonly #workspace: Workspace;
  readonly #signal: AbortSignal;
  readonly #role: string | undefined;
  /** By folder, as they were at the last look. */
  #outboxes: ReadonlyMap<string, Outbox> = new Map();
  /** By nonce: the request as it was taken. One that is half written is taken again when it changes. */
  readonly #seen = new Map<string, string>();
  readonly #noted = new Set<string>();
  /** By nonce. */
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Takes the requests to a role, or to all roles if it is undefined; the signal stops the waits
   * for answers. Throws `INVALID_INPUT` where the variable names no absolute path.
   */
  constructor(workspace: Workspace, signal: AbortSignal, role?: string) {
    this.#workspace = workspace;
    this.#signal = signal;
    this.#role = role;
    namedOutbox(sys.env(OUTBOX_VARIABLE));
  }

  /** Starts asking what was not asked yet, also from worktrees made since the last look. */
  look(): void {
    for (const outbox of this.#find()) {
      for (
        const { nonce, path, version, isForeign } of this.#attempt(() => outbox.list(), outbox) ??
          []
      ) {
        if (this.#running.size >= MAX_AT_ONCE) return;
        if (this.#running.has(nonce) || this.#seen.get(nonce) === version) continue;
        this.#seen.set(nonce, version);
        if (isForeign) {
          this.#note(path, "was skipped: it came from elsewhere");
          continue;
        }
        const run = this.#take(outbox, { nonce, path }).finally(() => this.#running.delete(nonce));
        this.#running.set(nonce, run);
      }
    }
  }

  /** Removes what no session comes back for. */
  tidy(): void {
    for (const outbox of this.#find()) {
      this.#attempt(() => outbox.removeLeftovers(sys.now()), outbox);
    }
  }

  /** Resolves once everything that it asked has ended. */
  async end(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** An outbox that stays keeps what it knows of git's index. */
  #find(): Iterable<Outbox> {
    const known = this.#outboxes;
    this.#outboxes = new Map(
      outboxesOf(this.#workspace.root).map((each) => [each.folder, known.get(each.folder) ?? each]),
    );
    return this.#outboxes.values();
  }

  async #take(outbox: Outbox, { nonce, path }: { nonce: string; path: string }): Promise<void> {
    try {
      if (!this.#isOurs(outbox.request(nonce))) return;
      const run = await this.#workspace.runs.hold(requestRunKey(nonce), RUNNER, async () => {
        const request = outbox.request(nonce);
        if (request === undefined || isOver(outbox.reply(nonce))) return;
        await this.#answer(outbox, nonce, request);
      });
      if (run === undefined) this.#seen.delete(nonce); // another runner has it, and may be killed
    } catch (error) {
      if (this.#signal.aborted && error instanceof AgentxError) return; // the next runner takes it
      const isBusy = hasCode(error, "LOCK_TIMEOUT");
      if (isBusy) this.#seen.delete(nonce);
      this.#note(path, `${isBusy ? "will be retried" : "was skipped"}: ${summaryOf(error)}`);
    }
  }

  /** Requests to another role are left to another runner. */
  #isOurs(request: OutboxRequest | undefined): boolean {
    if (request === undefined || this.#role === undefined) return request !== undefined;
    return roleOf(targetOf(request, this.#workspace.ledger)) === this.#role;
  }

  async #answer(outbox: Outbox, nonce: string, request: OutboxRequest): Promise<void> {
    let clarificationId: string | null = null;
    const onAsked = ({ id }: ClarificationRecord) => {
      clarificationId = id;
      outbox.answer(nonce, { clarificationId, outcome: null, error: null });
    };
    try {
      const asked = this.#askedBefore(nonce, request);
      clarificationId = asked?.id ?? null;
      const outcome = asked === undefined
        ? await this.#ask(request, { callId: nonce, onAsked, signal: this.#signal })
        : await this.#resume(asked, request);
      ({ clarificationId } = outcome);
      outbox.answer(nonce, { clarificationId, outcome, error: null });
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof AgentxError)) throw error;
      const { code, message, details } = error;
      const safe = await withoutSecrets({ code, message, details });
      outbox.answer(nonce, { clarificationId, outcome: null, error: safe });
    }
  }

  /** The ledger says so: a runner that was killed has left nothing else behind. */
  #askedBefore(nonce: string, request: OutboxRequest): ClarificationRecord | undefined {
    const { ledger } = this.#workspace;
    const records = "ask" in request
      ? ledger.getByIssue(request.ask.issueNumber)
      : [ledger.getById(request.followUp.clarificationId)];
    return records.find(({ thread }) => thread.some(({ callId }) => callId === nonce));
  }

  async #ask(
    request: OutboxRequest,
    how: Pick<ClarificationRequest, "callId" | "onAsked" | "signal">,
  ): Promise<ClarificationOutcome> {
    const { router } = this.#workspace;
    return "ask" in request
      ? await router.requestClarification({ ...request.ask, ...how })
      : await router.followUp({ ...request.followUp, ...how });
  }

  async #resume(
    { id, round }: ClarificationRecord,
    request: OutboxRequest,
  ): Promise<ClarificationOutcome> {
    const isWaiting = !("ask" in request) || request.ask.blocking;
    const record = await untilAnswered(this.#workspace.ledger, id, {
      signal: this.#signal,
      round,
      untilOverdue: true,
      whileOpen: () => !isWaiting,
    });
    return outcomeOf(record, round);
  }

  #attempt<T>(action: () => T, { folder }: Outbox): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#note(folder, `was skipped: ${summaryOf(error)}`);
      return undefined;
    }
  }

  /** Reports each problem once. */
  #note(path: string, what: string): void {
    if (this.#noted.has(path)) return;
    this.#noted.add(path);
    this.#workspace.notify(`"${path}" ${what}`);
  }
}

/** Failures of files only; a bug is thrown on. */
function summaryOf(error: unknown): string {
  if (!(error instanceof AgentxError)) throw error;
  return error.summary;
}

/** Those of all checkouts of the repository, and the one that the variable names. */
function outboxesOf(root: string): Outbox[] {
  const repository = repositoryAbove(root);
  const trees = repository === undefined
    ? []
    : checkoutsOf(repository).map((tree) => tree + root.slice(repository.checkout.length));
  const named = namedOutbox(sys.env(OUTBOX_VARIABLE));
  return [
    ...[...new Set([root, ...trees])].map(outboxOf),
    ...named === undefined ? [] : [new Outbox(named)],
  ];
}
