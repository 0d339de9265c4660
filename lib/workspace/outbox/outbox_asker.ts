// The asker's side of an outbox. Hosts kill a session that waits too long: asking the same again finds the
// request that was left, or the reply to it, and makes no second one.

import { HUMAN } from "../../base/agent_names.ts";
import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import { parseClarificationId } from "../../clarify/schema.ts";
import { AgentxError, type ErrorCode, EXIT_CODES, orElse } from "../../base/errors.ts";
import { pause } from "../../sys/pause.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { isOver, type Outbox, type OutboxReply, type OutboxRequest } from "./outbox.ts";

/** A question that is in no ledger yet. */
export interface LeftQuestion {
  /** The file of the request. */
  path: string;
  /** Of a further question: the clarification. */
  clarificationId: string | null;
  issueNumber: number;
  from: string;
  /** Null for a further question. */
  to: string | null;
  question: string;
  /** Why it was not asked; null while no runner has taken it. */
  refusal: string | null;
}

const POLL_MS = 100;

/** It looks at which runner has the request once in so many looks for a reply. */
const LOOKS = 10;

/**
 * Leaves a request, unless the same is there already. Throws `INVALID_INPUT` where no agent asks;
 * `IO_ERROR` where the folder cannot be written either.
 */
export async function leaveRequest(
  outbox: Outbox,
  request: OutboxRequest,
): Promise<{ nonce: string; isFound: boolean }> {
  const asker = "ask" in request ? request.ask.fromAgent : request.followUp.by;
  if (asker === HUMAN) throw unnamedAsker();
  const cut = await withoutSecrets(request);
  for (const { nonce, request } of readable(outbox)) {
    if (keyOf(request) !== keyOf(cut)) continue;
    const reply = outbox.reply(nonce);
    if (!isRefusal(reply)) return { nonce, isFound: true };
    outbox.remove(nonce); // it was not asked, and may be by now
  }
  return { nonce: outbox.put(cut), isFound: false };
}

/**
 * Takes the reply to a request away, if there is one. Until it is over, the outcome is undefined,
 * and the id may be there already. Throws whatever the runner met; `NOT_FOUND` where another
 * process has taken it.
 */
export function takeReply(
  outbox: Outbox,
  nonce: string,
): { outcome?: ClarificationOutcome; clarificationId: string | null } {
  const reply = outbox.reply(nonce);
  if (reply === undefined && outbox.request(nonce) === undefined) throw takenElsewhere(nonce);
  if (reply === undefined || !isOver(reply)) {
    return { clarificationId: reply?.clarificationId ?? null };
  }
  outbox.remove(nonce);
  if (reply.outcome === null) throw errorOf(reply.error!);
  return { outcome: reply.outcome, clarificationId: reply.outcome.clarificationId };
}

/**
 * Waits for the reply to a request, and takes it away. `onTaken` is called when a runner has asked
 * the question; `watch` checks now and then which runner has it. Throws `IO_ERROR`; `INTERRUPTED`;
 * and as {@linkcode takeReply}.
 */
export async function awaitReply(
  outbox: Outbox,
  nonce: string,
  { onTaken, watch, signal }: {
    onTaken: (clarificationId: string) => void;
    watch: (clarificationId: string | null) => void;
    signal: AbortSignal;
  },
): Promise<ClarificationOutcome> {
  let isTaken = false;
  for (let look = 0;; look++) {
    const { outcome, clarificationId } = takeReply(outbox, nonce);
    if (!isTaken && clarificationId !== null) {
      isTaken = true;
      onTaken(clarificationId);
    }
    if (outcome !== undefined) return outcome;
    if (look % LOOKS === 0) watch(clarificationId);
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/**
 * Lists the questions that are in no ledger, because no runner took them or could ask them. Throws
 * `IO_ERROR`.
 */
export function leftQuestions(outbox: Outbox): LeftQuestion[] {
  return readable(outbox).flatMap(({ nonce, path, request }): LeftQuestion[] => {
    const reply = outbox.reply(nonce);
    if (reply !== undefined && !isRefusal(reply)) return [];
    const refusal = reply?.error ? errorOf(reply.error).summary : null;
    if ("ask" in request) {
      const { issueNumber, fromAgent: from, toAgent: to, question } = request.ask;
      return [{ path, clarificationId: null, issueNumber, from, to, question, refusal }];
    }
    const { clarificationId, by: from, question } = request.followUp;
    const { issueNumber } = parseClarificationId(clarificationId);
    return [{ path, clarificationId, issueNumber, from, to: null, question, refusal }];
  });
}

/** The runner reports anything that is not a request, or came with the repository. */
function readable(outbox: Outbox) {
  return outbox.list().flatMap(({ nonce, path, isForeign }) => {
    if (isForeign) return [];
    return orElse([], () => {
      const request = outbox.request(nonce);
      return request === undefined ? [] : [{ nonce, path, request }];
    });
  });
}

/** The asker, the target and the question; options may differ the next time. */
function keyOf(request: OutboxRequest): string {
  if ("ask" in request) {
    const { issueNumber, fromAgent, toAgent, question } = request.ask;
    return JSON.stringify([issueNumber, fromAgent, toAgent, question]);
  }
  const { clarificationId, by, question } = request.followUp;
  return JSON.stringify([clarificationId, by, question]);
}

function isRefusal(reply: OutboxReply | undefined): boolean {
  return reply?.clarificationId === null && reply.error !== null;
}

function unnamedAsker(): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    "Cannot ask through an outbox: the asking agent is unknown, and a human asks outside the sandbox",
    {
      details: { field: "--as", value: null },
      next: "Name it with --as, such as --as engineer, or set AGENTX_AGENT",
    },
  );
}

function takenElsewhere(nonce: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError(
    "NOT_FOUND",
    "Cannot wait for the reply: another process that asked the same question has taken it",
    { details: { kind: "request", id: nonce }, next: "See the answer with: agentx clarify" },
  );
}

/** The runner's error, as if it had happened here. A reply has the message in one piece. */
function errorOf({ code, message, details }: NonNullable<OutboxReply["error"]>): AgentxError {
  const known: ErrorCode = Object.hasOwn(EXIT_CODES, code) ? code as ErrorCode : "AGENT_ERROR";
  const [summary, next] = String(message).split("\n");
  return new AgentxError(known, summary, { details: details as never, next });
}
