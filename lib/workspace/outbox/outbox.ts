/**
 * The outbox: how a session asks that may not write to the main checkout. It writes one request file
 * into a folder of its own, and a runner (`agentx serve`) outside of its sandbox takes it, asks in its
 * name, and writes what comes of it beside the request.
 *
 * A request carries a nonce and no id: ids are given by the ledger. The runner notes each nonce under a
 * lock of the main checkout, so that a request is asked once. It looks into registered worktrees, and
 * into the folder that its own `AGENTX_OUTBOX` names; links are refused there as everywhere (`guard.ts`).
 *
 * @module
 */

import { HUMAN, parseAgentName } from "../../agent_names.ts";
import { isObject, type JsonObject } from "../../checks.ts";
import type { ClarificationRequest } from "../../clarify/router.ts";
import type { ClarificationOutcome } from "../../clarify/target.ts";
import { HUB } from "../../clarify/transitions.ts";
import { AgentxError, type ErrorCode, EXIT_CODES, hasCode } from "../../errors.ts";
import { pause } from "../../pause.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";

/** Names the folder where the worktree of a session cannot be written. */
export const OUTBOX_VARIABLE = "AGENTX_OUTBOX";

/** A first question: what of it a file can hold. */
export type OutboxQuestion = Pick<
  ClarificationRequest,
  | "issueNumber"
  | "fromAgent"
  | "toAgent"
  | "topic"
  | "question"
  | "blocking"
  | "workflow"
  | "maxRounds"
>;

/** The next question of a clarification. */
export interface OutboxFollowUp {
  clarificationId: string;
  by: string;
  question: string;
  workflow?: string;
}

/** What a request asks. */
export type OutboxRequest = { ask: OutboxQuestion } | { followUp: OutboxFollowUp };

/** What a runner has written beside a request. */
export interface OutboxReply {
  /** Null while, or because, it was not asked. */
  clarificationId: string | null;
  /** Null while it is not over. */
  outcome: ClarificationOutcome | null;
  /** Why it was not asked, or did not end well. */
  error: { code: string; message: string; details: unknown } | null;
}

const POLL_MS = 100;

/** A question, with room for whatever JSON makes of it. */
const MAX_REQUEST_BYTES = 65_536;

const NAME = /^([0-9a-f]{8}-[0-9a-f-]{27})\.request\.json$/;

/**
 * Writes a request.
 *
 * @param folder where requests are written
 * @param request what is asked
 * @returns its nonce
 * @throws {AgentxError} `INVALID_INPUT` where no agent asks; `IO_ERROR` where the folder cannot be written
 *   either
 */
export async function putRequest(folder: string, request: OutboxRequest): Promise<string> {
  const asker = "ask" in request ? request.ask.fromAgent : request.followUp.by;
  if (asker === HUMAN) throw unnamedAsker();
  const nonce = crypto.randomUUID();
  writeRequest(folder, `${folder}/${nonce}.request.json`, await withoutSecrets(request));
  return nonce;
}

/**
 * Waits for the reply to a request, and takes it away.
 *
 * @param folder where the request was written
 * @param nonce of the request
 * @param options hears of the question when a runner has asked it, and what stops waiting
 * @returns what became of it
 * @throws {AgentxError} `IO_ERROR`; `INTERRUPTED`; and whatever the runner met
 */
export async function awaitReply(
  folder: string,
  nonce: string,
  { onTaken, signal }: { onTaken: (clarificationId: string) => void; signal: AbortSignal },
): Promise<ClarificationOutcome> {
  let isTaken = false;
  while (true) {
    const reply = readReply(replyPath(folder, nonce));
    if (!isTaken && reply?.clarificationId) {
      isTaken = true;
      onTaken(reply.clarificationId);
    }
    if (reply !== undefined && (reply.outcome ?? reply.error) !== null) {
      sys.removeFile(replyPath(folder, nonce));
      if (reply.outcome !== null) return reply.outcome;
      throw errorOf(reply.error!);
    }
    await pause(POLL_MS, signal);
    signal.throwIfAborted();
  }
}

/** A request that is there. */
export interface ListedRequest {
  /** Its nonce. */
  nonce: string;
  /** Changes with its file. */
  version: string;
}

/**
 * Lists the requests in a folder.
 *
 * @param folder an outbox
 * @returns the requests, sorted by their nonces
 * @throws {AgentxError} `IO_ERROR`, also where a link leads there
 */
export function listRequests(folder: string): ListedRequest[] {
  if (sys.lstat(folder)?.kind !== "directory") return [];
  return sys.readDir(folder).flatMap((name) => {
    const nonce = NAME.exec(name)?.[1];
    const info = nonce && sys.lstat(`${folder}/${name}`);
    return info ? [{ nonce, version: `${info.id} ${info.size} ${info.modifiedMs}` }] : [];
  });
}

/**
 * Reads a request.
 *
 * @param folder an outbox
 * @param nonce of the request
 * @returns what is asked; undefined if the request is gone
 * @throws {AgentxError} `INVALID_INPUT` for what is not a request; `IO_ERROR`, also for a link
 */
export function readRequest(folder: string, nonce: string): OutboxRequest | undefined {
  const path = `${folder}/${nonce}.request.json`;
  const text = sys.readTextFile(path, MAX_REQUEST_BYTES);
  if (text === undefined) return undefined;
  const { ask, followUp } = parseObject(text) ?? {};
  if (isObject(ask)) {
    const { blocking, workflow, maxRounds } = ask;
    const fits = typeof blocking === "boolean" && isTextOrNothing(workflow) &&
      (maxRounds === undefined || typeof maxRounds === "number");
    if (fits) return { ask: { ...ask, fromAgent: agent(ask.fromAgent, path) } as OutboxQuestion };
  }
  if (isObject(followUp) && isTextOrNothing(followUp.workflow)) {
    return { followUp: { ...followUp, by: agent(followUp.by, path) } as OutboxFollowUp };
  }
  throw invalidRequest(path, "it is not a request of agentx clarify ask");
}

/**
 * Writes what became of a request beside it.
 *
 * @param folder an outbox
 * @param nonce of the request
 * @param reply replaces an earlier one
 * @throws {AgentxError} `IO_ERROR`
 */
export function writeReply(folder: string, nonce: string, reply: OutboxReply): void {
  const temporary = `${folder}/${nonce}.reply.${crypto.randomUUID()}.tmp`;
  const { mode } = sys.lstat(`${folder}/${nonce}.request.json`) ?? {};
  sys.writeNewFile(temporary, JSON.stringify(reply) + "\n", {
    fsync: false,
    mode: mode ?? privateModes().file,
  });
  try {
    sys.rename(temporary, replyPath(folder, nonce));
  } catch (error) {
    sys.removeFile(temporary);
    throw error;
  }
}

/**
 * Removes a request that is done with.
 *
 * @param folder an outbox
 * @param nonce of the request
 */
export function removeRequest(folder: string, nonce: string): void {
  sys.removeFile(`${folder}/${nonce}.request.json`);
}

/** Git need not be told: the folder ignores itself. */
function writeRequest(folder: string, path: string, request: OutboxRequest): void {
  const { folder: folderMode, file: mode } = privateModes();
  const temporary = `${path}.tmp`;
  try {
    sys.makeDir(folder, folderMode);
    const ignore = `${folder}/.gitignore`;
    if (sys.lstat(ignore) === undefined) sys.appendTextFile(ignore, "*\n", mode);
    sys.writeNewFile(temporary, JSON.stringify(request) + "\n", { fsync: true, mode });
    sys.rename(temporary, path);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    throw new AgentxError("IO_ERROR", error.message.split("\n")[0], {
      details: error.details,
      next: `Set ${OUTBOX_VARIABLE} to a folder that this session can write, ` +
        "also for agentx serve, which asks for it outside of this sandbox",
      cause: error,
    });
  }
}

function readReply(path: string): OutboxReply | undefined {
  const text = sys.readTextFile(path);
  return text === undefined ? undefined : parseObject(text) as OutboxReply | undefined;
}

function replyPath(folder: string, nonce: string): string {
  return `${folder}/${nonce}.reply.json`;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // somebody else's file
  }
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** No request is a human's: it comes out of an agent's session. */
function agent(name: unknown, path: string): string {
  const agent = parseAgentName(String(name));
  if (agent !== HUMAN && agent !== HUB) return agent;
  throw invalidRequest(path, `${agent} does not ask through an outbox`);
}

function unnamedAsker(): AgentxError<"INVALID_INPUT"> {
  return new AgentxError(
    "INVALID_INPUT",
    "Cannot ask through an outbox: nothing says which agent asks, and a human does so outside",
    {
      details: { field: "--as", value: null },
      next: "Say it with --as, such as --as engineer, or set AGENTX_AGENT",
    },
  );
}

function invalidRequest(path: string, why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot take "${path}": ${why}`, {
    details: { field: "request", value: null },
    next: "Remove it",
  });
}

/** The runner's error, as if it had happened here. */
function errorOf({ code, message, details }: NonNullable<OutboxReply["error"]>): AgentxError {
  const known: ErrorCode = Object.hasOwn(EXIT_CODES, code) ? code as ErrorCode : "AGENT_ERROR";
  const [summary, next] = String(message).split("\n");
  return new AgentxError(known, summary, { details: details as never, next });
}
