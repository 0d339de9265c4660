// Requests to GitHub's REST API, on one server. The token goes only to the origin of the base address: if a redirect or
// a link to the next page leads to another origin, the client refuses to request it. A failed read is tried once more.
// A change is sent only once, because GitHub may have made it even if its answer was lost.

import { isObject, type JsonObject, objectOf, stringOf, tryParseJson } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { isoTime, minuteOf } from "../base/time.ts";
import { VERSION } from "../base/version.ts";
import { bypassProxyOnLoopback } from "../sys/loopback.ts";
import { sys } from "../sys/mod.ts";

/** Options of {@linkcode GitHubClient}. */
export interface GitHubClientOptions {
  /** The address of the API, such as `https://ghe.example/api/v3`. */
  base: string;
  token: string;
  /** Names the repository in messages, such as `github.com/acme/shop`. */
  name: string;
  signal?: AbortSignal;
  /** Time limit of one request. @default {30_000} */
  timeoutMs?: number;
}

/** All pages of a list. */
export interface Listing {
  items: JsonObject[];
  /** The ETag of the first page; null if the server sends none. */
  etag: string | null;
  /** Whether the list is unchanged since the given ETag; `items` is then empty. */
  isUnchanged: boolean;
  /** True if the server answered that the list does not exist. */
  isMissing?: true;
}

/** The answer to a change; `unclear` if it is unknown whether GitHub made the change. */
export type Sent = { status: number; body: JsonObject } | "unclear";

/** Returns the reason for which GitHub refuses a change, in GitHub's own words. */
export function whyRefused({ status, body }: Exclude<Sent, string>): string {
  return stringOf(body.message) ?? `status ${status}`;
}

/** The result of one request. */
interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

const API_VERSION = "2026-03-10";

/** The version for older servers: Enterprise Server 3.19 refuses later versions with status 400. */
const OLDER_VERSION = "2022-11-28";
const MAX_TEXT = 2 ** 26;
const MAX_PAGES = 10_000;

/** Pause before the second attempt of a read that failed for a temporary reason. */
const RETRY_MS = 1_000;

/** A client for one GitHub server. */
export class GitHubClient {
  readonly #options: Required<Omit<GitHubClientOptions, "signal">> & { signal?: AbortSignal };
  #notBefore: string | null = null;
  #version = API_VERSION;

  /** Sends no request yet. */
  constructor(options: GitHubClientOptions) {
    this.#options = { timeoutMs: 30_000, ...options };
  }

  /** Time until which the server refuses requests, ISO-8601, UTC; null if the server named no time. */
  get notBefore(): string | null {
    return this.#notBefore;
  }

  /** Reads one object. Throws `SYNC_ERROR`. */
  async get(path: string): Promise<JsonObject> {
    return this.#object(await this.#ask(this.#url(path)));
  }

  /**
   * Like {@linkcode GitHubClient.get}, but returns undefined if the server answers with one of the statuses in
   * `accepts`.
   */
  async find(path: string, accepts: readonly number[]): Promise<JsonObject | undefined> {
    const reply = await this.#ask(this.#url(path), { accepts });
    return accepts.includes(reply.status) ? undefined : this.#object(reply);
  }

  /** Returns the status of a page if it is 200, 301, 404 or 410. Throws `SYNC_ERROR` for any other status. */
  async status(path: string): Promise<number> {
    return (await this.#ask(this.#url(path), { accepts: [301, 404, 410] })).status;
  }

  /**
   * Reads all pages of a list, and calls `onPage` with the number of items so far. If the server answers with one of
   * the statuses in `emptyOn`, the listing is empty and `isMissing` is set. Throws `SYNC_ERROR`.
   */
  async list(
    path: string,
    { etag, onPage = () => {}, emptyOn = [] }: {
      etag?: string | null;
      onPage?: (items: number) => void;
      emptyOn?: readonly number[];
    } = {},
  ): Promise<Listing> {
    const items: JsonObject[] = [];
    const headers: Record<string, string> = etag ? { "if-none-match": etag } : {};
    let reply = await this.#ask(this.#url(path), { accepts: [304, ...emptyOn], headers });
    const first = reply.headers.get("etag");
    if (emptyOn.includes(reply.status)) {
      return { items, etag: null, isUnchanged: false, isMissing: true };
    }
    if (reply.status === 304) return { items, etag: etag ?? null, isUnchanged: true };
    for (let page = 1;; page++) {
      const value = this.#parse(reply);
      if (!Array.isArray(value)) throw this.#failed("the answer is not a list");
      for (const item of value) if (isObject(item)) items.push(item);
      onPage(items.length);
      const next = /<([^>]+)>;\s*rel="next"/.exec(reply.headers.get("link") ?? "")?.[1];
      if (next === undefined) return { items, etag: first, isUnchanged: false };
      if (page === MAX_PAGES) throw this.#failed(`the list has more than ${MAX_PAGES} pages`);
      reply = await this.#ask(this.#url(next));
    }
  }

  /**
   * Sends a change once.
   *
   * @throws {AgentxError} `SYNC_ERROR` if GitHub refused it for a reason that has nothing to do with the change: a bad
   *   token, or a rate limit
   */
  async send(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body?: JsonObject,
  ): Promise<Sent> {
    const reply = await this.#fetch(this.#url(path), { method, body });
    if (typeof reply === "string" || reply.status >= 500) return "unclear";
    const { status, text } = reply;
    const isCut = status < 300 && status !== 204 && tryParseJson(text) === undefined;
    if (isCut) return "unclear"; // a proxy between this machine and GitHub may have answered
    if (status === 401 || limitedUntil(reply) !== undefined) throw this.#refused(reply);
    return { status, body: objectOf(tryParseJson(text)) };
  }

  /** Returns the error for a change that GitHub refused. */
  refusal(why: string, next?: string): AgentxError<"SYNC_ERROR"> {
    return this.#failed(why, { isRefused: true, next });
  }

  /** Returns the error for a change without an answer. */
  failure(why: string): AgentxError<"SYNC_ERROR"> {
    return this.#failed(why);
  }

  #url(address: string): URL {
    const { base } = this.#options;
    const url = new URL(address.startsWith("/") ? base + address : address);
    if (url.origin === new URL(base).origin) return url;
    throw this.#failed(
      `it named an address on another server, ${url.origin}, and the token is for GitHub only`,
    );
  }

  async #ask(
    url: URL,
    { accepts = [], headers = {} }: {
      accepts?: readonly number[];
      headers?: Record<string, string>;
    } = {},
  ): Promise<Reply> {
    for (let attempt = 1;; attempt++) {
      const reply = await this.#fetch(url, { headers });
      const isPassing = typeof reply === "string" || reply.status >= 500;
      if (!isPassing && (reply.status === 200 || accepts.includes(reply.status))) return reply;
      if (!isPassing) throw this.#refused(reply);
      if (attempt === 2) {
        throw this.#failed(
          typeof reply === "string" ? reply : `the server answered ${reply.status}`,
        );
      }
      await sys.wait(RETRY_MS, this.#options.signal);
    }
  }

  /** Returns the reply, or a sentence that says why there is none. */
  async #fetch(
    url: URL,
    { method = "GET", body, headers = {} }: {
      method?: string;
      body?: JsonObject;
      headers?: Record<string, string>;
    },
  ): Promise<Reply | string> {
    const { token, timeoutMs, signal } = this.#options;
    bypassProxyOnLoopback(); // a proxy would get the token
    const time = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signal ? [signal] : []]);
    try {
      const response = await fetch(url, {
        ...{ method, redirect: "manual" },
        ...body && { body: JSON.stringify(body) },
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": `agentx/${VERSION}`,
          "x-github-api-version": this.#version,
          ...headers,
        },
        signal: time,
      });
      const text = await response.text();
      const isTooNew = response.status === 400 && /API version/i.test(text);
      if (isTooNew && this.#version === API_VERSION) {
        this.#version = OLDER_VERSION;
        return await this.#fetch(url, { method, body, headers });
      }
      if (text.length > MAX_TEXT) return `the answer has more than ${MAX_TEXT} characters`;
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (time.aborted) return `there was no whole answer within ${timeoutMs / 1000} s`;
      const { message, cause } = error as Error;
      const why = cause instanceof Error && cause.message !== "" ? cause.message : message;
      return `there was no whole answer: ${why.replaceAll(token, "[redacted: token]")}`;
    }
  }

  #object(reply: Reply): JsonObject {
    const value = this.#parse(reply);
    if (isObject(value)) return value;
    throw this.#failed("the answer is not a JSON object");
  }

  #parse({ text }: Reply): unknown {
    const value = tryParseJson(text);
    if (value === undefined) throw this.#failed("the answer is not JSON");
    return value;
  }

  #refused({ status, headers, text }: Reply): AgentxError<"SYNC_ERROR"> {
    const body = tryParseJson(text);
    const said = (isObject(body) ? stringOf(body.message) ?? "" : "").split("\n")[0].slice(0, 200);
    const saying = said === "" ? "" : ` (${said})`;
    const limit = limitedUntil({ status, headers, text });
    if (limit !== undefined) {
      this.#notBefore = isoTime(limit);
      return rateLimited(this.#options.name, this.#notBefore);
    }
    if (status >= 300 && status < 400) {
      const to = URL.canParse(headers.get("location") ?? "")
        ? new URL(headers.get("location")!)
        : undefined;
      const isSame = to?.origin === new URL(this.#options.base).origin;
      return isSame
        ? this.#failed("it was renamed or moved", {
          isRefused: true,
          next: "Set its name with: agentx config set github.repository OWNER/NAME; then: " +
            "agentx config set mode github",
        })
        : this.#failed("it redirects to another server, and the token does not follow", {
          isRefused: true,
        });
    }
    const known = REFUSALS[status];
    const [why, next] = known ?? [`the server answered ${status}`, undefined];
    return this.#failed(why + saying, { isRefused: true, next });
  }

  #failed(
    why: string,
    { next = "Nothing here was changed; try again with: agentx sync", isRefused = false }: {
      next?: string;
      isRefused?: boolean;
    } = {},
  ): AgentxError<"SYNC_ERROR"> {
    return readFailure(this.#options.name, why, { next, isRefused });
  }
}

/** Reasons for the statuses with which GitHub refuses a read, and what the user can do. */
const REFUSALS: Readonly<Record<number, readonly [why: string, next: string]>> = {
  401: [
    "the token is not valid",
    "Give a valid one in GH_TOKEN (GH_ENTERPRISE_TOKEN for a server of your own), or run: gh auth login",
  ],
  403: ["the token may not read it", "Give a token that may read the repository and its issues"],
  404: [
    "there is no such repository, or the token may not see it",
    "Look at its name with: agentx config get github.repository; and at the rights of the token",
  ],
  410: ["its issues were switched off or deleted", "Look at the settings of the repository"],
};

/** Returns the error for a read that the server refuses until a given time. */
export function rateLimited(name: string, until: string): AgentxError<"SYNC_ERROR"> {
  const isPast = Date.parse(until) <= sys.now();
  return readFailure(name, `the rate limit is used up until ${minuteOf(until)} UTC`, {
    next: isPast ? "Try again with: agentx sync" : "Try again after that with: agentx sync",
    isRefused: false,
  });
}

function readFailure(
  name: string,
  reason: string,
  { next, isRefused }: { next: string; isRefused: boolean },
): AgentxError<"SYNC_ERROR"> {
  return new AgentxError("SYNC_ERROR", `Cannot sync with ${name}: ${reason}`, {
    details: { remote: name, reason, ...isRefused && { isRefused } },
    next,
  });
}

/** Time to wait if a rate limit names no time. */
const LIMIT_MS = 60_000;

/**
 * Returns the time from which the server takes requests again, in milliseconds since 1970; undefined if the reply shows
 * no rate limit.
 */
function limitedUntil({ status, headers, text }: Reply): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = headers.get("retry-after");
  if (after !== null) {
    const ms = /^\d+$/.test(after) ? sys.now() + Number(after) * 1_000 : Date.parse(after);
    if (!Number.isNaN(ms)) return ms;
  }
  const reset = Number(headers.get("x-ratelimit-reset"));
  if (headers.get("x-ratelimit-remaining") === "0" && reset > 0) return reset * 1_000;
  const isLimit = status === 429 || /rate limit/i.test(text);
  return isLimit ? sys.now() + LIMIT_MS : undefined;
}
