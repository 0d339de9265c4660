// The outbox, through which a session asks that may not write to the main checkout. It writes a
// request file into a folder of its own; a runner (`agentx serve`) outside of its sandbox asks in
// its name, and writes the outcome beside the request. Both files stay until the session has taken
// the reply (`outbox_asker.ts`).
//
// The ledger keeps the nonce of a request as its `callId`, so that it is asked once. Links are refused, and
// files that git tracks are neither asked nor taken for an answer: they came with the repository.

import { HUB, HUMAN, normalizeAgentName, parseAgentName } from "../../base/agent_names.ts";
import { isObject, isText, objectOf, tryParseJson } from "../../base/checks.ts";
import type { ClarificationLedger } from "../../clarify/ledger/ledger.ts";
import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import type { ClarificationRequest } from "../../clarify/hub/requests.ts";
import { isClarificationId } from "../../clarify/schema.ts";
import { AgentxError, hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { trackedFiles } from "../../git/tracked.ts";
import { birthOf } from "../state_origin.ts";
import { findWorkspace } from "../find.ts";
import { OUTBOX_VARIABLE, outboxFolder } from "./outbox_folder.ts";

/** A first question, as far as a file can hold it. */
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
  | "again"
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
  /** Null if it was not asked, or not yet. */
  clarificationId: string | null;
  /** Null until it is over. */
  outcome: ClarificationOutcome | null;
  /** Why it was not asked, or did not end well. */
  error: { code: string; message: string; details: unknown } | null;
}

/** A request in the folder. */
export interface ListedRequest {
  /** Its nonce. */
  nonce: string;
  path: string;
  /** Changes with its file. */
  version: string;
  /** Whether it came from elsewhere. */
  isForeign: boolean;
}

/** A question, with room for JSON escapes. */
const MAX_REQUEST_BYTES = 65_536;

/** A session may come back for its reply for a day. */
const KEPT_MS = 86_400_000;

const NAME = /^([0-9a-f]{8}-[0-9a-f-]{27})\.(?:(request|reply)\.json|.+\.tmp)$/;

/** A folder of requests, and of the replies to them. */
export class Outbox {
  readonly folder: string;
  readonly #foreignFiles: () => (path: string) => boolean;

  /** Names the folder, which need not exist. */
  constructor(folder: string, foreignFiles: () => (path: string) => boolean = () => () => false) {
    this.folder = folder;
    this.#foreignFiles = foreignFiles;
  }

  /** Lists the requests, sorted by their nonces. Throws `IO_ERROR`, also where a link leads there. */
  list(): ListedRequest[] {
    const files = this.#files().filter(({ kind }) => kind === "request");
    if (files.length === 0) return [];
    const isForeign = this.#foreignFiles();
    return files.flatMap(({ nonce, path }) => {
      const info = sys.lstat(path);
      if (info === undefined) return [];
      const version = `${info.id} ${info.size} ${info.modifiedMs}`;
      return [{ nonce, path, version, isForeign: isForeign(path) }];
    });
  }

  /**
   * Reads a request; undefined if it is gone. Throws `INVALID_INPUT` for what is not a request;
   * `IO_ERROR`, also for a link.
   */
  request(nonce: string): OutboxRequest | undefined {
    const path = this.#path(nonce, "request");
    const text = sys.readTextFile(path, MAX_REQUEST_BYTES);
    return text === undefined ? undefined : parseRequest(text, path);
  }

  /**
   * Writes a request without secrets. The folder has a `.gitignore` of its own. Throws `IO_ERROR`
   * where the folder cannot be written either.
   */
  put(request: OutboxRequest): string {
    const { folder } = this;
    const nonce = crypto.randomUUID();
    const path = this.#path(nonce, "request");
    const modes = privateModes();
    try {
      sys.makeDir(folder, modes.folder);
      const ignore = `${folder}/.gitignore`;
      if (sys.lstat(ignore) === undefined) sys.appendTextFile(ignore, "*\n", modes.file);
      replace(path, request, { fsync: true, mode: modes.file });
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      throw new AgentxError("IO_ERROR", error.summary, {
        details: error.details,
        next: `Set ${OUTBOX_VARIABLE} to a folder that this session can write, ` +
          "here and for agentx serve, which runs outside this sandbox",
        cause: error,
      });
    }
    return nonce;
  }

  /** What a runner has written beside a request; undefined if nothing yet. */
  reply(nonce: string): OutboxReply | undefined {
    const text = sys.readTextFile(this.#path(nonce, "reply"));
    const value = text === undefined ? undefined : tryParseJson(text);
    return isObject(value) ? value as unknown as OutboxReply : undefined;
  }

  /** Writes the outcome of a request beside it. Throws `IO_ERROR`. */
  answer(nonce: string, reply: OutboxReply): void {
    const { mode = privateModes().file } = sys.lstat(this.#path(nonce, "request")) ?? {};
    replace(this.#path(nonce, "reply"), reply, { fsync: false, mode });
  }

  /** Removes a finished request, and then the reply to it. */
  remove(nonce: string): void {
    sys.removeFile(this.#path(nonce, "request"));
    sys.removeFile(this.#path(nonce, "reply"));
  }

  /**
   * Removes replies without a request, and replies and half-written files that are a day old. A
   * request without a reply stays. Throws `IO_ERROR`.
   */
  removeLeftovers(nowMs: number): void {
    const files = this.#files();
    const requests = new Set(files.map(({ nonce, kind }) => kind === "request" && nonce));
    for (const { nonce, kind, path } of files) {
      if (kind === "request") continue;
      const isOld = nowMs - (sys.lstat(path)?.modifiedMs ?? nowMs) > KEPT_MS;
      if (kind === undefined) {
        if (isOld) sys.removeFile(path);
      } else if (!requests.has(nonce) || isOld && isOver(this.reply(nonce))) this.remove(nonce);
    }
  }

  #files(): Array<{ nonce: string; kind: string | undefined; path: string }> {
    const { folder } = this;
    if (sys.lstat(folder)?.kind !== "directory") return [];
    return sys.readDir(folder).flatMap((name) => {
      const [, nonce, kind] = NAME.exec(name) ?? [];
      return nonce === undefined ? [] : [{ nonce, kind, path: `${folder}/${name}` }];
    });
  }

  #path(nonce: string, kind: "request" | "reply"): string {
    return `${this.folder}/${nonce}.${kind}.json`;
  }
}

export function outboxOf(tree: string): Outbox {
  const tracked = trackedFiles(tree);
  return new Outbox(outboxFolder(tree), () => {
    const isTracked = tracked();
    const { isOurs } = birthOf(findWorkspace(tree).root); // it came together with the state
    return (path) => !isOurs || isTracked(path);
  });
}

/**
 * The agent that a request asks; `ledger` is that of the main checkout. Throws `NOT_FOUND`,
 * `CORRUPT_STATE`, `IO_ERROR` for the next question of a clarification that cannot be read.
 */
export function targetOf(request: OutboxRequest, ledger: ClarificationLedger): string {
  if ("ask" in request) return normalizeAgentName(request.ask.toAgent);
  return ledger.getById(request.followUp.clarificationId).to;
}

/** Whether nothing more is written into a reply. */
export function isOver(reply: OutboxReply | undefined): boolean {
  return reply !== undefined && (reply.outcome ?? reply.error) !== null;
}

function replace(path: string, value: object, options: { fsync: boolean; mode: number }): void {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  sys.writeNewFile(temporary, JSON.stringify(value) + "\n", options);
  try {
    sys.rename(temporary, path);
  } catch (error) {
    sys.removeFile(temporary);
    throw error;
  }
}

function parseRequest(text: string, path: string): OutboxRequest {
  const { ask, followUp } = objectOf(tryParseJson(text));
  if (isObject(ask)) {
    const { issueNumber, toAgent, topic, question, blocking, workflow, maxRounds, again } = ask;
    const fits = [toAgent, topic, question].every(isText) && typeof issueNumber === "number" &&
      typeof blocking === "boolean" && isTextOrNothing(workflow) &&
      (maxRounds === undefined || typeof maxRounds === "number") &&
      (again === undefined || typeof again === "boolean");
    // Only what a question has: anybody may have written more.
    const asked = { issueNumber, toAgent, topic, question, blocking, workflow, maxRounds, again };
    if (fits) return { ask: { ...asked, fromAgent: agent(ask.fromAgent, path) } as OutboxQuestion };
  }
  if (isObject(followUp)) {
    const { clarificationId, question, workflow } = followUp;
    const fits = isClarificationId(String(clarificationId)) && isText(question) &&
      isTextOrNothing(workflow);
    const asked = { clarificationId, question, workflow };
    if (fits) return { followUp: { ...asked, by: agent(followUp.by, path) } as OutboxFollowUp };
  }
  throw invalidRequest(path, "it is not a request of agentx ask");
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || isText(value);
}

/** No human writes requests: they come out of an agent's session. */
function agent(name: unknown, path: string): string {
  const agent = parseAgentName(String(name));
  if (agent !== HUMAN && agent !== HUB) return agent;
  throw invalidRequest(path, `${agent} cannot ask through an outbox`);
}

function invalidRequest(path: string, why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot take "${path}": ${why}`, {
    details: { field: "request", value: null },
    next: "Remove it",
  });
}
