// A GitHub of our own on loopback, for tests.
//
// It follows GitHub's description of its REST API (`openapi.json`) and its documentation, and knows
// nothing of `lib/github`. Every request and every answer is checked against the description, the one of
// version 2022-11-28; `problems` lists what did not fit, and a test ends with an empty list.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

import { type Answer, Moved, notFound, Refusal } from "./call.ts";
import { fail, type Fault, sleep } from "./fault.ts";
import type { Repository } from "./records.ts";
import { OPERATIONS } from "./routes.ts";
import { answerProblem, isLacking, requestProblem, type Route, routeOf } from "./schema.ts";
import { State } from "./state.ts";

export type { Fault } from "./fault.ts";

/** A request as a test sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface FakeOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** "/api/v3" where the server stands for a GitHub Enterprise Server. */
  readonly prefix?: string;
  /**
   * Answers as GitHub Enterprise Server 3.19: without issue types, sub-issues and fields, without a limit
   * of requests, and for the one version of the API that was there when it came out.
   */
  readonly enterprise?: boolean;
  /** Says what goes wrong with a request; nothing does by default. */
  readonly fault?: (seen: Seen) => Fault | undefined;
}

const SECONDARY =
  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const LIMIT = 5000;
const VERSIONS = ["2022-11-28", "2026-03-10"];
/** The fields that the later version lacks, after GitHub's list of breaking changes. */
const REMOVED = new Set(["assignee", "merge_commit_sha", "rate", "has_downloads"]);

export class FakeGitHub {
  readonly state: State;
  /** Requests in their order. */
  readonly seen: Seen[] = [];
  /** What did not fit GitHub's description, with the request that showed it. */
  readonly problems: string[] = [];
  /** The hits that a token still has; a test lowers it. */
  remaining = LIMIT;
  /** When the hits are back, in seconds; in an hour by default. */
  reset: number | undefined;
  /** The limit on requests that make or change content; there is none by default. */
  secondary: { readonly perMinute: number; readonly perHour: number } | undefined;
  /** The times, in milliseconds, of accepted requests that make or change content. */
  readonly written: number[] = [];
  fault: (seen: Seen) => Fault | undefined;
  readonly #prefix: string;
  readonly #server: Server;
  readonly #isTls: boolean;

  private constructor(options: FakeOptions) {
    this.state = new State(options.enterprise ?? false);
    this.#prefix = options.prefix ?? "";
    this.fault = options.fault ?? (() => undefined);
    this.#isTls = options.tls !== undefined;
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void this.#serve(request, response);
    this.#server = options.tls === undefined
      ? createServer(listener)
      : createTlsServer(options.tls, listener) as unknown as Server;
  }

  static async start(options: FakeOptions = {}): Promise<FakeGitHub> {
    const made = new FakeGitHub(options);
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  /** The base address of the API, without a slash at its end. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${this.#isTls ? "https://localhost" : "http://127.0.0.1"}:${port}${this.#prefix}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const url = new URL(request.url!, "http://fake");
    const seen = {
      method: request.method!,
      path: url.pathname.startsWith(this.#prefix)
        ? url.pathname.slice(this.#prefix.length)
        : url.pathname,
      query: url.search,
      headers: request.headers as Record<string, string>,
      body: new TextDecoder().decode(await new Blob(chunks as BlobPart[]).arrayBuffer()),
    };
    this.seen.push(seen);
    const fault = this.fault(seen);
    const answer = () => this.#answer(seen, url);
    if (fault?.kind === "slow") await sleep(fault.ms);
    else if (fault !== undefined) return await fail(fault, response, answer);
    this.#send(seen, url, response, answer());
  }

  #answer(seen: Seen, url: URL): Answer {
    const route = routeOf(seen.method, this.#named(seen.path));
    try {
      if (route === undefined || (this.state.isEnterprise && isLacking(route))) throw notFound();
      const answer = this.#run(seen, url, route);
      this.#note(seen, "answer", answerProblem(route, answer.status, answer.body));
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) {
        this.#note(seen, "fake", String(error));
        return { status: 500, body: { message: "Server Error" } };
      }
      if (route === undefined) this.#note(seen, "request", "no such operation in the cut");
      const body = {
        message: error.message,
        ...error.rest,
        documentation_url: "https://docs.github.com/rest",
        status: String(error.status),
      };
      if (route !== undefined) {
        this.#note(seen, "refusal", answerProblem(route, error.status, body));
      }
      return { status: error.status, body };
    }
  }

  #run(seen: Seen, url: URL, route: Route): Answer {
    const { headers } = seen;
    if (!headers["user-agent"]) {
      throw new Refusal(403, "Request forbidden by administrative rules.");
    }
    const version = headers["x-github-api-version"];
    const { isEnterprise } = this.state;
    if (!VERSIONS.slice(0, isEnterprise ? 1 : 2).includes(version ?? VERSIONS[0]!)) {
      throw new Refusal(400, "The API version is not supported");
    }
    const given = /^(?:bearer|token) (.+)$/i.exec(headers.authorization ?? "")?.[1];
    const token = given === undefined ? undefined : this.state.tokens.get(given);
    if (token === undefined) {
      throw new Refusal(401, given === undefined ? "Requires authentication" : "Bad credentials");
    }
    const isFree = isEnterprise || route.path === "/rate_limit";
    if (!isFree && this.remaining-- <= 0) throw new Refusal(403, "API rate limit exceeded");
    if (seen.method !== "GET") this.#write();
    const body = bodyOf(seen.body);
    const removed = version === VERSIONS[1] &&
      Object.keys(body ?? {}).find((key) => REMOVED.has(key));
    const problem = removed
      ? `${version} removed ${removed}`
      : requestProblem(route, url.searchParams, body);
    this.#note(seen, "request", problem);
    if (problem !== "") throw new Refusal(422, problem);
    const repository = route.names.repo === undefined ? undefined : this.#repository(seen, route);
    const permission = repository && this.state.permission(token.login, repository);
    if (permission === "none") throw notFound();
    const operation = OPERATIONS[route.operation.operationId];
    if (operation === undefined) throw new Refusal(501, "The fake has no such operation");
    return operation({
      base: this.url,
      state: this.state,
      rate: isEnterprise ? undefined : this.#rate(),
      names: route.names,
      query: url.searchParams,
      body: (body ?? {}) as Record<string, unknown>,
      account: this.state.account(token.login),
      token,
      repository: repository!,
      permission: permission!,
    });
  }

  #write(): void {
    const now = Date.now();
    const within = (ms: number) => this.written.filter((time) => time > now - ms).length;
    const { perMinute, perHour } = this.secondary ?? { perMinute: Infinity, perHour: Infinity };
    if (within(60_000) >= perMinute || within(3_600_000) >= perHour) {
      throw new Refusal(403, SECONDARY);
    }
    this.written.push(now);
  }

  #repository(seen: Seen, route: Route): Repository {
    const name = `${route.names.owner}/${route.names.repo}`;
    const moved = this.state.renamed.get(name.toLowerCase());
    if (moved !== undefined) {
      const { id } = this.state.repositories.get(moved.toLowerCase())!;
      const rest = seen.path.slice(`/repos/${name}`.length) + seen.query;
      // A redirect 301 would make a GET of a request that changes something.
      throw new Moved(seen.method === "GET" ? 301 : 307, `${this.url}/repositories/${id}${rest}`);
    }
    const found = this.state.repositories.get(name.toLowerCase());
    if (found === undefined) throw notFound();
    return found;
  }

  /** The path by the repository's name, where it has the id, as GitHub's redirects do. */
  #named(path: string): string {
    const [whole, id] = /^\/repositories\/(\d+)/.exec(path) ?? [];
    const found = [...this.state.repositories.values()].find((each) => each.id === Number(id));
    if (whole === undefined || found === undefined) return path;
    return `/repos/${found.owner.login}/${found.name}${path.slice(whole.length)}`;
  }

  #rate() {
    const remaining = Math.max(0, this.remaining);
    const reset = this.reset ?? Math.floor(Date.now() / 1000) + 3600;
    return { limit: LIMIT, remaining, used: LIMIT - remaining, reset };
  }

  #send(seen: Seen, url: URL, response: ServerResponse, answer: Answer): void {
    const headers: Record<string, string> = {
      "content-type": "application/json; charset=utf-8",
      "x-github-api-version-selected": seen.headers["x-github-api-version"] ?? "2022-11-28",
      ...this.#serverHeaders(),
    };
    let body = answer.body;
    if ((body as { message?: string })?.message === SECONDARY) headers["retry-after"] = "60";
    if ([201, 301, 307].includes(answer.status)) headers.location = (body as { url: string }).url;
    if (Array.isArray(body) && seen.method === "GET") body = this.#page(url, body, headers);
    const version = headers["x-github-api-version-selected"];
    const isLeftOut = (key: string) => version === VERSIONS[1] && REMOVED.has(key);
    const text = body === undefined
      ? ""
      : JSON.stringify(body, (key, value) => isLeftOut(key) ? undefined : value);
    if (seen.method === "GET" && answer.status === 200) {
      headers.etag = `W/"${createHash("sha256").update(text).digest("hex")}"`;
      if (seen.headers["if-none-match"] === headers.etag) {
        // An answer 304 to an authorised request does not count against the limit.
        this.remaining++;
        response.writeHead(304, headers).end();
        return;
      }
    }
    response.writeHead(answer.status, headers).end(text);
  }

  #serverHeaders(): Record<string, string> {
    if (this.state.isEnterprise) {
      return { "x-github-enterprise-version": "enterprise-server@3.19.0" };
    }
    const rate = Object.entries({ ...this.#rate(), resource: "core" });
    return Object.fromEntries(rate.map(([name, value]) => [`x-ratelimit-${name}`, String(value)]));
  }

  #page(url: URL, all: readonly unknown[], headers: Record<string, string>): unknown[] {
    const size = Math.min(100, Number(url.searchParams.get("per_page") ?? 30));
    const page = Number(url.searchParams.get("page") ?? 1);
    const last = Math.max(1, Math.ceil(all.length / size));
    const link = (number: number, name: string) => {
      const next = new URL(this.url + url.pathname.slice(this.#prefix.length) + url.search);
      next.searchParams.set("page", String(number));
      return `<${next.href}>; rel="${name}"`;
    };
    const links = [];
    if (page > 1) links.push(link(page - 1, "prev"));
    if (page < last) links.push(link(page + 1, "next"), link(last, "last"));
    if (page > 1) links.push(link(1, "first"));
    if (links.length > 0) headers.link = links.join(", ");
    return all.slice((page - 1) * size, page * size);
  }

  #note(seen: Seen, part: string, problem: string): void {
    if (problem !== "") {
      this.problems.push(`${part} of ${seen.method} ${seen.path}${seen.query}: ${problem}`);
    }
  }
}

function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "Problems parsing JSON");
  }
}
