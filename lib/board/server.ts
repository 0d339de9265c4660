// The requests that a board answers. It is for one person on this machine: whatever shows that somebody
// else asks is refused before anything is looked at, and nothing without the key shows anything.
//
// No cookies: they ignore ports, so that a server on another port of 127.0.0.1 would get them.

import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { html } from "hono/html";
import { AgentxError } from "../base/errors.ts";
import { isObject, isText, tryParseJson } from "../base/checks.ts";
import type { Reply } from "./actions.ts";
import type { BoardKeys } from "./keys.ts";
import { ASSETS, shell } from "./page.ts";

/** The body of an issue has 65,536 characters at most, of six bytes each as JSON writes them. */
const MAX_BODY_BYTES = 2 ** 20;

/** Scripts, styles and requests of our own, and nothing else. */
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

/** The parts of the server. */
export interface BoardServerOptions {
  keys: BoardKeys;
  /** Why nothing can be changed here; undefined where it can. */
  readOnly: string | undefined;
  /** `127.0.0.1:PORT`, once it is known. */
  host: () => string;
  /** A part of the page as HTML; undefined for an unknown name. */
  view: (name: string, query: URLSearchParams) => Promise<string | undefined>;
  /** Runs a command. */
  act: (given: unknown) => Promise<Reply>;
  /** Tells of changes until the function that it gives is called. */
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

/** The open stream of a client that stays. */
interface Lines {
  send: (line: string) => void;
  end: () => void;
}

/** Answers with lines until they end or the client leaves; `start` returns what stops them. */
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
 * A page of elsewhere reaches a server of this machine by its address, or by a name that it lets lead here. A
 * browser says of each request where it comes from; one that is written as a form or as plain text is none of ours.
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
