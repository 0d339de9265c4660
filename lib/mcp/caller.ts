// The caller of a tool, as far as the protocol describes it: one interface for both generations of the protocol.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { objectOf } from "../base/checks.ts";

/** Maximum time to wait for the roots of a client that declares roots. */
const ROOTS_TIMEOUT_MS = 3_000;

/**
 * The metadata key with which Codex 0.169 names its session in each call; the environment of its server does not name
 * it.
 */
const CODEX_META = "x-codex-turn-metadata";

/** Matches a session id of Codex. */
const SESSION_ID = /^[0-9a-f-]{1,100}$/;

export interface Caller {
  /** Fires when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /** Whether the client can show its human a form. */
  readonly canBeAsked: boolean;
  /** The client's replies to requests that the first call of this tool returned; untrusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Variables that a command in the caller's session has, but the server does not. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether the client can list the folders that it works in. */
  readonly hasRoots: boolean;
  /** Asks the client for its folders; undefined if they come with a second call instead. */
  listRoots(): Promise<readonly { uri: string }[] | undefined>;
  /** Reports how long the call has waited. */
  progress(seconds: number, total: number, message: string): void;
}

/**
 * Returns the caller of a request. `isModern` means that the connection uses a protocol revision without requests from
 * the server.
 */
export function callerOf(
  server: Server,
  { mcpReq: request }: ServerContext,
  isModern: boolean,
): Caller {
  const envelope: Readonly<Record<string, unknown>> = request.envelope ?? {};
  const declared = isModern
    ? envelope[CLIENT_CAPABILITIES_META_KEY]
    : server.getClientCapabilities();
  const capabilities = (declared ?? {}) as ClientCapabilities;
  const { elicitation, roots } = capabilities;
  const token = request._meta?.progressToken;
  return {
    signal: request.signal,
    // Before there were two kinds of elicitation, an empty object meant forms.
    canBeAsked: elicitation !== undefined &&
      (elicitation.form !== undefined || elicitation.url === undefined),
    answers: request.inputResponses ?? {},
    variables: sessionVariables(request._meta?.[CODEX_META]),
    hasRoots: roots !== undefined,
    async listRoots() {
      if (isModern) return undefined;
      const options = { timeout: ROOTS_TIMEOUT_MS, signal: request.signal };
      return (await server.listRoots(undefined, options)).roots;
    },
    progress(seconds, total, message) {
      if (token === undefined) return;
      const params = { progressToken: token, progress: seconds, total, message };
      // A client that closed the connection does not need the progress.
      request.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

function sessionVariables(meta: unknown): Record<string, string> {
  const { session_id: id } = objectOf(meta);
  return typeof id === "string" && SESSION_ID.test(id) ? { CODEX_SESSION_ID: id } : {};
}
