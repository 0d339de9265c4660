// Sends one request to a model over HTTP and reads the streamed answer. It waits as long as the endpoint asks for,
// within the time limit.
//
// The key comes from the environment, is sent only to the configured address (no redirect is followed), and never
// appears in a message.

import { roleOf } from "../../base/agent_names.ts";
import type { HttpConfig } from "../../config/config.ts";
import { bypassProxyOnLoopback } from "../../sys/loopback.ts";
import { sys } from "../../sys/mod.ts";
import { failedRun, firstLine, interrupted, NO_NETWORK } from "../failed_run.ts";
import { explainFailure, tailOf, whyFinal } from "../failure.ts";
import type { ModelRequest, ModelTurn } from "../language_model.ts";
import type { OnRun } from "../trace.ts";
import { readAnswer, readRefusal, type StreamEnd } from "./answer.ts";
import { MODEL_APIS } from "./model_api.ts";

/**
 * The endpoint to ask, the agent, and the time limit.
 *
 * @internal
 */
export interface EndpointOptions {
  agent: string;
  /** The settings of the endpoint; null if there are none. */
  http: HttpConfig | null;
  /** Time limit for one request, in milliseconds. */
  timeoutMs: number;
  /** Called with the request and the reply. */
  onRun: OnRun;
}

/** Maximum pause that an endpoint may ask for; a longer one is a failure. */
const MAX_WAIT_MS = 60_000;

/** Maximum number of waits before further requests. */
const MAX_WAITS = 3;

/** Statuses of temporary refusals: too many requests, unavailable, overloaded. */
const PASSING = [429, 503, 529];

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

const HIDDEN = "[redacted: key]";

/** The characters that a header value may have. */
const KEY = /^[\x21-\x7e]+$/;

/** The end of one request: the answer, or a failure, which may be temporary. */
interface RequestEnd extends StreamEnd {
  /** The outcome, such as `HTTP 200`. */
  outcome: string;
  /** The pause that the endpoint asks for. */
  waitMs?: number;
  /** Whether the request ended because its time was over. */
  isLate?: boolean;
}

interface Asking {
  http: HttpConfig;
  key: string | undefined;
  request: ModelRequest;
}

/** Asks a model for its turn. Throws `AGENT_ERROR`; `INTERRUPTED` if the signal aborted. */
export async function askEndpoint(
  request: ModelRequest,
  { agent, http, timeoutMs, onRun }: EndpointOptions,
): Promise<ModelTurn> {
  const { signal } = request;
  const key = http?.keyEnv ? sys.env(http.keyEnv)?.trim() : undefined;
  const why = http === null ? "agents.NAME.http is not set" : whyNotAsked(http, key);
  if (why !== undefined) {
    const reason = why.replace("NAME", roleOf(agent));
    throw failedRun(agent, reason, { final: "its settings are not complete" });
  }
  const time = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signal ? [signal] : []]);
  const end = await askPatiently({ http: http!, key, request }, time);
  if (signal?.aborted) throw signal.reason ?? interrupted();
  const hide = (text = "") => key ? text.replaceAll(key, HIDDEN) : text;
  const [text, complaint] = [hide(end.text), hide(end.complaint)];
  onRun({
    sent: ["POST", addressOf(http!), http!.model!],
    variables: http!.keyEnv === null ? [] : [http!.keyEnv],
    outcome: end.outcome,
    stdout: text,
    stderr: complaint,
  });
  if (end.complaint === undefined) {
    const { text, calls, tokens } = end;
    const said = { text, calls, ...tokens !== undefined && { tokens } };
    return isSecret(key) ? withoutKey(said, key) : said;
  }
  const stdout = tailOf(text);
  if (end.isLate) {
    const setting = `agents.${roleOf(agent)}.timeoutSeconds`;
    throw failedRun(agent, `no reply within ${timeoutMs / 1000} s (${setting})`, { stdout });
  }
  const reason = firstLine(complaint);
  const { kind } = explainFailure({ stdout: reason, stderr: "" });
  const offline = kind === "network" ? NO_NETWORK : "";
  throw failedRun(agent, reason + offline, { stdout, final: whyFinal(kind) });
}

/**
 * Whether a key is long enough to be a secret. A server without keys gets a short placeholder, which may also occur in
 * an answer.
 */
function isSecret(key: string | undefined): key is string {
  return key !== undefined && key.length >= 16;
}

/**
 * Removes the key from an answer: the answer is kept, and a prompt may make a model repeat the text that its endpoint
 * received.
 */
function withoutKey<T>(said: T, key: string): T {
  const escaped = JSON.stringify(key).slice(1, -1);
  return JSON.parse(JSON.stringify(said).replaceAll(escaped, HIDDEN));
}

/**
 * Returns why an endpoint is not asked; undefined if it is. A key is never sent unencrypted, except to this machine.
 */
function whyNotAsked(
  { url, model, keyEnv }: HttpConfig,
  key: string | undefined,
): string | undefined {
  if (url === null) return "agents.NAME.http.url is not set";
  if (model === null) return "agents.NAME.http.model is not set";
  if (keyEnv === null) return undefined;
  if (!key) return `the variable ${keyEnv}, which agents.NAME.http.keyEnv names, is not set`;
  if (!KEY.test(key)) return `the variable ${keyEnv} does not hold a key`;
  if (url.startsWith("https:") || LOOPBACK.test(url)) return undefined;
  return "agents.NAME.http.url must begin with https: for a key to be sent there";
}

async function askPatiently(asking: Asking, time: AbortSignal): Promise<RequestEnd> {
  for (let waits = 0;; waits++) {
    const end = await ask(asking, time);
    const { waitMs } = end;
    if (time.aborted) return { ...end, isLate: true };
    if (waitMs === undefined || waitMs > MAX_WAIT_MS || waits === MAX_WAITS) return end;
    try {
      await sys.wait(waitMs, time);
    } catch (error) {
      if (!time.aborted) throw error;
      return end; // its reason tells more than a timeout
    }
  }
}

async function ask({ http, key, request }: Asking, time: AbortSignal): Promise<RequestEnd> {
  const { model, maxTokens } = http;
  const { system, messages, tools } = request;
  const api = MODEL_APIS[http.api];
  const address = addressOf(http);
  bypassProxyOnLoopback(); // a proxy would get the key
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", ...(key ? api.headers(key) : {}) },
      body: JSON.stringify(api.body({ model: model!, system, messages, tools, maxTokens })),
      signal: time,
    });
  } catch (error) {
    return failure("no response", `fetch failed for ${address}: ${messageOf(error)}`);
  }
  const { status, headers } = response;
  const outcome = `HTTP ${status}`;
  if (status === 200) return { ...await readAnswer(response, api), outcome };
  const end = failure(outcome, `${outcome}: ${await readRefusal(response)}`);
  if (!PASSING.includes(status)) return end;
  return { ...end, waitMs: retryAfterMs(headers.get("retry-after")) };
}

function failure(outcome: string, complaint: string): RequestEnd {
  return { text: "", calls: [], outcome, complaint };
}

function addressOf({ api, url }: HttpConfig): string {
  return MODEL_APIS[api].address(url!.replace(/\/+$/, ""));
}

/** Returns the pause in a `retry-after` header, which has seconds or a date; undefined for other values. */
function retryAfterMs(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text.trim())
    ? Number(text) * 1_000
    : Date.parse(text) - sys.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Returns the reason of an error, which Node puts into `cause`. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
