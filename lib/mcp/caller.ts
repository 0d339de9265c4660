// The caller of a tool, as far as the protocol names it: one interface for both of its generations.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { objectOf } from "../base/checks.ts";

/** How long to wait for a client that declares roots to list them. */
const ROOTS_TIMEOUT_MS = 3_000;

/** Codex 0.169 names its session with each call, since the environment of a server does not. */
const CODEX_META = "x-codex-turn-metadata";

/** As Codex writes an id. */
const SESSION_ID = /^[0-9a-f-]{1,100}$/;

export interface Caller {
  /** Fires when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** Whether its human can be asked in a form. */
  readonly canBeAsked: boolean;
  /** The client's replies to the needs of this tool's first call; untrusted. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Variables of a command in its session that a server does not have. */
  readonly variables: Readonly<Record<string, string>>;
  /** Whether it says which folders it works in. */
  readonly hasRoots: boolean;
  /** Asks for these folders; undefined where they come with a second call instead. */
  listRoots(): Promise<readonly { uri: string }[] | undefined>;
  /** Reports how long the wait has taken. */
  progress(seconds: number, total: number, message: string): void;
}

/**
 * The caller of a request; `isModern` says that the connection speaks a revision without requests
 * of the server.
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
    // Before there were two kinds of it, an empty object meant forms.
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
      // A client that closed the connection misses nothing.
      request.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}

function sessionVariables(meta: unknown): Record<string, string> {
  const { session_id: id } = objectOf(meta);
  return typeof id === "string" && SESSION_ID.test(id) ? { CODEX_SESSION_ID: id } : {};
}
