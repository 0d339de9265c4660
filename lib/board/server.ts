// The requests that a board answers. It serves one person on this machine. A request that seems to come from elsewhere
// is refused before anything is read, and no request without the key gets any data.
//
// It uses no cookies, because they ignore ports: a server on another port of 127.0.0.1 would receive them.

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { AgentxError } from "../base/errors.ts";
import { isObject, isText, tryParseJson } from "../base/checks.ts";
import type { Reply } from "./actions.ts";
import type { BoardKeys } from "./keys.ts";
import { ASSETS, shell } from "./page.ts";

/** Maximum size of a request. The body of an issue has at most 65,536 characters, each of up to six bytes in JSON. */
const MAX_BODY_BYTES = 2 ** 20;

/** Headers that allow only scripts, styles and requests of the board itself. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; " +
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

/** Options of {@linkcode boardServer}. */
export interface BoardServerOptions {
  keys: BoardKeys;
  /** Why nothing can be changed; undefined if changes are allowed. */
  readOnly: string | undefined;
  /** Returns `127.0.0.1:PORT`; called when the port is known. */
  host: () => string;
  /** Returns a view of the page as HTML; undefined for an unknown name. */
  view: (name: string, query: URLSearchParams) => Promise<string | undefined>;
  /** Runs a command. */
  act: (given: unknown) => Promise<Reply>;
  /** Reports changes to a listener; returns a function that removes it. */
  listen: (listener: (summary: string) => void) => Promise<() => void>;
}

/** @returns the handler of requests */
export function boardServer(
  { keys, host, view, act, listen, readOnly }: BoardServerOptions,
): (request: Request) => Response | Promise<Response> {
  const app = new Hono();
  const onError = (context: Context) => context.text("It is too long", 413);
  app.use(async (context, next) => {
    const why = whyForeign(context, host());
    if (why !== undefined) context.res = context.text(why, 403);
    else await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  });
  for (const [path, { type, text }] of Object.entries(ASSETS)) {
    app.get(path, (context) => context.body(text, 200, { "content-type": type }));
  }
  app.get("/", (context) => {
    const code = context.req.query("open");
    return context.html(shell(code === undefined ? undefined : keys.keyFor(code)));
  });
  app.post("/enter", (context) => {
    const asking = keys.ask();
    if (asking === undefined) return context.text("Another tab asks to be let in", 409);
    return lines(context, ({ send, end }) => {
      send(JSON.stringify({ code: asking.code }));
      asking.key.then((key) => {
        send(JSON.stringify({ key: key ?? null }));
        end();
      });
      return asking.leave;
    });
  });
  app.use(async (context, next) => {
    const [, key] = /^Bearer (.+)$/.exec(context.req.header("authorization") ?? "") ?? [];
    if (key === undefined || !keys.isKey(key)) {
      return context.text("The key is missing or wrong", 401);
    }
    await next();
  });
  app.get("/view/:name", async (context) => {
    const query = new URL(context.req.url).searchParams;
    const shown = await view(context.req.param("name"), query);
    if (shown === undefined) return context.text("There is no such page", 404);
    const banner = readOnly === undefined ? "" : html`<p class="banner">${readOnly}</p>`;
    return context.html(`${banner}${shown}`);
  });
  app.get("/changes", (context) =>
    lines(context, async ({ send }) => {
      const stops = [await listen(send), keys.listen((told) => send(JSON.stringify(told)))];
      return () => stops.forEach((stop) => stop());
    }));
  app.post("/admit", bodyLimit({ maxSize: MAX_BODY_BYTES, onError }), async (context) => {
    const given = tryParseJson(await context.req.text());
    if (isObject(given) && isText(given.code)) keys.decide(given.code, given.isLetIn === true);
    return context.json({});
  });
  app.post("/do", bodyLimit({ maxSize: MAX_BODY_BYTES, onError }), async (context) => {
    if (readOnly !== undefined) return context.json(refused(readOnly));
    return context.json(await act(tryParseJson(await context.req.text())));
  });
  app.notFound((context) => context.text("There is nothing here", 404));
  app.onError((error, context) => {
    if (!(error instanceof AgentxError)) throw error;
    const { code, message } = error;
    return context.json({ error: { code, message } });
  });
  return (request) => app.fetch(request);
}

/** An open response that sends lines. */
interface Lines {
  send: (line: string) => void;
  end: () => void;
}

/** Responds with lines until they end or the client leaves; `start` returns the function that stops them. */
function lines(
  context: Context,
  start: (lines: Lines) => (() => void) | Promise<() => void>,
): Response {
  let isOver = false;
  let stop = () => {};
  const body = new ReadableStream<string>({
    async start(controller) {
      stop = await start({
        send: (line) => isOver || controller.enqueue(`${line}\n`),
        end() {
          if (!isOver) controller.close();
          isOver = true;
        },
      });
      if (isOver) stop();
    },
    cancel() {
      isOver = true;
      stop();
    },
  });
  return context.body(body.pipeThrough(new TextEncoderStream()), 200, {
    "content-type": "application/x-ndjson",
  });
}

function refused(message: string): Reply {
  return { error: { code: "UNTRUSTED", message } };
}

/**
 * Returns why a request may come from another page; undefined if it does not. Another page can reach a local server by
 * its address, or by a name that leads to it. Browsers name the origin of each request. A POST with the type of a form
 * or of plain text never comes from the board.
 */
function whyForeign({ req }: Context, host: string): string | undefined {
  if (req.header("host") !== host) return `This board is at http://${host}`;
  const origin = req.header("origin");
  if (origin !== undefined && origin !== `http://${host}`) return "Not for other pages";
  const site = req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return "Not for other pages";
  if (req.method === "GET") return undefined;
  if (req.method !== "POST") return "GET or POST";
  const isJson = req.header("content-type") === "application/json";
  return isJson && origin !== undefined
    ? undefined
    : "A post must be JSON, and say where it is from";
}
