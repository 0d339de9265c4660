import { assert, assertEquals } from "@std/assert";
import { askEndpoint } from "../../../lib/agents/http/endpoint.ts";
import { httpRunner } from "../../../lib/agents/http/http_runner.ts";
import type { HttpConfig } from "../../../lib/config/config.ts";
import { AgentxError } from "../../../lib/base/errors.ts";
import { sys } from "../../../lib/sys/mod.ts";
import { replace } from "../../lock/faults.ts";
import { refusal } from "../../refusal.ts";
import { ASK, TempWorkspace } from "../../temp_workspace.ts";
import { anthropic, Endpoint, openai, refusing, streaming } from "./endpoint.ts";

const KEY = "opensesame-4242424242";
const VARIABLES: Record<string, string> = { TEST_MODEL_KEY: KEY, TEST_BAD_KEY: "two\nlines" };

/** The environment of the process is that of every test. */
replace("env", (real) => (name) => VARIABLES[name] ?? real(name));

/** Waits that are over at once. */
const waits: number[] = [];
replace("wait", () => (ms) => (waits.push(ms), Promise.resolve()));

const PARTS = ["Postgre", "SQL \u00e9", "\u6f22.\nBoth", "."];
const ANSWER = PARTS.join("");

interface Options {
  http?: Partial<HttpConfig>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

async function ask(url: string, { http, timeoutMs = 20_000, signal }: Options = {}) {
  waits.length = 0;
  const config: HttpConfig = {
    ...{ api: "openai", url: `${url}/v1/`, model: "m", keyEnv: "TEST_MODEL_KEY", maxTokens: null },
    ...http,
  };
  const run = httpRunner({ http: config, timeoutMs, onRun: () => {} });
  return await run({ agent: "architect@2", prompt: "Which one?", signal });
}

/** The details of a call that must fail; the key is in nothing of it. */
async function failure(url: string, options?: Options) {
  const error = await refusal("AGENT_ERROR", () => ask(url, options));
  assert(!JSON.stringify([error.message, error.details]).includes(KEY), error.message);
  return error.details;
}

const API_ANSWERS = { openai: openai(PARTS), anthropic: anthropic(PARTS) } as const;

for (const [api, answer] of Object.entries(API_ANSWERS)) {
  for (const chunk of [1, 7, 100_000]) {
    Deno.test(`httpRunner() reads what ${api} streams in chunks of ${chunk}`, async () => {
      await using endpoint = new Endpoint(streaming(answer, { chunk }));
      const reply = await ask(endpoint.url, { http: { api: api as HttpConfig["api"] } });
      assertEquals(reply, { text: ANSWER, runner: "http", session: null });
    });
  }
}

Deno.test("httpRunner() asks an OpenAI-compatible endpoint", async () => {
  await using endpoint = new Endpoint(streaming(openai(["x"])));
  await ask(endpoint.url);
  const [{ path, headers, body }] = endpoint.asked;
  assertEquals([path, headers.get("authorization")], ["/v1/chat/completions", `Bearer ${KEY}`]);
  const messages = [{ role: "user", content: "Which one?" }];
  assertEquals(body, { model: "m", stream: true, messages });
});

Deno.test("httpRunner() asks an endpoint of Anthropic's", async () => {
  await using endpoint = new Endpoint(streaming(anthropic(["x"])));
  await ask(endpoint.url, { http: { api: "anthropic", maxTokens: 99 } });
  const [{ path, headers, body }] = endpoint.asked;
  assertEquals([path, headers.get("x-api-key")], ["/v1/messages", KEY]);
  assertEquals([headers.get("authorization"), body.max_tokens], [null, 99]);
});

Deno.test("httpRunner() sends no key where none is named", async () => {
  await using endpoint = new Endpoint(streaming(openai(["x"])));
  await ask(endpoint.url, { http: { keyEnv: null } });
  assertEquals(endpoint.asked[0].headers.get("authorization"), null);
});

Deno.test("httpRunner() waits as long as it is told, and asks again", async () => {
  const later = new Date(Date.now() + 5_000).toUTCString();
  await using endpoint = new Endpoint(
    refusing(429, "slow down", { "retry-after": "3" }),
    refusing(529, "overloaded", { "retry-after": later }),
    streaming(openai(PARTS)),
  );
  assertEquals((await ask(endpoint.url)).text, ANSWER);
  assertEquals([endpoint.asked.length, waits[0]], [3, 3_000]);
  assert(waits[1] >= 0 && waits[1] <= 5_000, `${waits[1]}`);
});

Deno.test("httpRunner() gives up where it is told to wait for long, or again and again", async () => {
  await using patient = new Endpoint(refusing(429, "slow down", { "retry-after": "3600" }));
  const { reason, final } = await failure(patient.url);
  assertEquals([reason, final, waits], ["HTTP 429: slow down", undefined, []]);
  await using endless = new Endpoint(refusing(503, "later", { "retry-after": "1" }));
  assertEquals((await failure(endless.url)).reason, "HTTP 503: later");
  assertEquals([endless.asked.length, waits], [4, [1_000, 1_000, 1_000]]);
});

Deno.test("httpRunner() does not wait where it is not told how long", async () => {
  for (const headers of [{}, { "retry-after": "soon" }] as Record<string, string>[]) {
    await using endpoint = new Endpoint(refusing(429, "slow down", headers));
    assertEquals((await failure(endpoint.url)).reason, "HTTP 429: slow down");
    assertEquals(endpoint.asked.length, 1);
  }
});

Deno.test("httpRunner() says in the endpoint's words that it refuses, without the key", async () => {
  await using endpoint = new Endpoint(refusing(401, `Incorrect key ${KEY}, ${KEY}!`));
  const { reason, final } = await failure(endpoint.url);
  const hidden = "[redacted: key]";
  assertEquals(reason, `HTTP 401: Incorrect key ${hidden}, ${hidden}!`);
  assertEquals(final, "the request was refused");
});

Deno.test("httpRunner() cuts the key from an answer, in its text and in its calls", async () => {
  const call = { index: 0, id: "1", function: { name: "note", arguments: `{"text":"${KEY}"}` } };
  const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] };
  const answer = `data: ${JSON.stringify(chunk)}\n\n${openai([`My key is ${KEY}.`])}`;
  await using endpoint = new Endpoint(streaming(answer));
  const http = { api: "openai", url: endpoint.url, model: "m", maxTokens: null } as const;
  const turn = await askEndpoint(
    { system: "", messages: [], tools: [] },
    {
      agent: "architect",
      http: { ...http, keyEnv: "TEST_MODEL_KEY" },
      timeoutMs: 20_000,
      onRun: () => {},
    },
  );
  assertEquals(turn.text, "My key is [redacted: key].");
  assertEquals(turn.calls[0].input, { text: "[redacted: key]" });
});

/** What an endpoint says that is not JSON, or of another shape. */
const REFUSALS: [body: string, reason: string][] = [
  ["upstream timed out\nmore", "HTTP 500: upstream timed out"],
  ['{"error":"overloaded"}', "HTTP 500: overloaded"],
  ['{"message":"no such model"}', "HTTP 500: no such model"],
  ["[]", "HTTP 500: no reason given"],
  ["", "HTTP 500: Internal Server Error"],
  ["x".repeat(1_000_000), `HTTP 500: ${"x".repeat(190)}`],
];

for (const [body, reason] of REFUSALS) {
  Deno.test(`httpRunner() reads the refusal ${JSON.stringify(body.slice(0, 40))}`, async () => {
    await using endpoint = new Endpoint(() => new Response(body, { status: 500 }));
    const { reason: said } = await failure(endpoint.url);
    assert(said.startsWith(reason) && said.length <= 200, said);
  });
}

Deno.test("A key for an endpoint on loopback does not go to the proxy of the environment", async () => {
  await using endpoint = new Endpoint(streaming(openai([ANSWER])));
  await using proxy = new Endpoint(refusing(500, "the proxy has it"));
  const port = new URL(endpoint.url).port;
  const http = { url: `http://localhost:${port}/v1`, model: "m", keyEnv: "TEST_MODEL_KEY" };
  using temp = new TempWorkspace({ config: { agents: { architect: { preset: "http", http } } } });
  const env = { TEST_MODEL_KEY: KEY, HTTP_PROXY: proxy.url, NO_PROXY: "example.org" };
  const { success } = await temp.spawn(ASK, { env }).output();
  assertEquals([proxy.asked.length, endpoint.asked.length, success], [0, 1, true]);
  assertEquals(temp.ledger().clarifications[0].thread[1].body, ANSWER);
});

Deno.test("httpRunner() follows no redirect: the key goes to one address alone", async () => {
  await using other = new Endpoint(streaming(openai(PARTS)));
  await using endpoint = new Endpoint(() => Response.redirect(`${other.url}/v1`, 307));
  const { reason } = await failure(endpoint.url);
  assert(reason.startsWith("HTTP 307: it redirects to http://127.0.0.1"), reason);
  assertEquals(other.asked, []);
});

/** Streams that bring no whole answer, and what is said of each. */
const BROKEN: [
  name: string,
  api: HttpConfig["api"],
  text: string,
  after: "close" | "break",
  says: string,
][] = [
  ["cut off", "openai", openai(PARTS, null), "break", "its answer broke off: "],
  ["that ends early", "openai", openai(PARTS, null), "close", "its answer broke off"],
  ["that ends early", "anthropic", anthropic(PARTS, null), "close", "its answer broke off"],
  ["at the limit", "openai", openai(PARTS, "length"), "close", 'its answer was ended by "length"'],
  [
    "at the limit",
    "anthropic",
    anthropic(PARTS, "max_tokens"),
    "close",
    'its answer was ended by "max_tokens"',
  ],
  [
    "with an error",
    "openai",
    `${openai(PARTS, null)}data: {"error":{"message":"overloaded ${KEY}"}}\n\n`,
    "close",
    "overloaded [redacted: key]",
  ],
  [
    "with an error",
    "anthropic",
    `${anthropic(PARTS, null)}data: {"type":"error","error":{"message":"overloaded"}}\n\n`,
    "close",
    "overloaded",
  ],
];

for (const [name, api, text, after, says] of BROKEN) {
  Deno.test(`httpRunner() keeps what came of a stream of ${api} ${name}, as a failure`, async () => {
    await using endpoint = new Endpoint(streaming(text, { after }));
    const { reason, stdout, final } = await failure(endpoint.url, { http: { api } });
    assert(reason.startsWith(says), reason);
    assertEquals([stdout, final], [ANSWER, undefined]);
  });
}

Deno.test("httpRunner() takes blank text, and what is no stream of events, for failures", async () => {
  await using blank = new Endpoint(streaming(openai([" ", "\n"])));
  assertEquals((await failure(blank.url)).reason, "it answered with nothing");
  await using whole = new Endpoint(() => Response.json({ choices: [] }));
  assertEquals((await failure(whole.url)).reason, "the endpoint did not stream its answer");
  await using noise = new Endpoint(streaming("data: {\n\ndata: 5\n\nfoo\n\ndata: null\n\n"));
  assertEquals((await failure(noise.url)).reason, "its answer broke off");
});

Deno.test("httpRunner() stops reading an answer, or an event, that does not end", async () => {
  const endless = openai(["x".repeat(1_100_000)], null);
  await using long = new Endpoint(streaming(endless, { chunk: 65_536 }));
  assertEquals((await failure(long.url)).reason, "its answer is too long");
  const event = `data: ${"x".repeat(5_000_000)}`;
  await using wide = new Endpoint(streaming(event, { chunk: 65_536 }));
  assert((await failure(wide.url)).reason.startsWith("its answer broke off: an event"));
});

Deno.test("httpRunner() gives up when its time is over, and keeps what came", async () => {
  await using endpoint = new Endpoint(
    streaming(openai(PARTS, null), { after: "hang", chunk: 9_999 }),
  );
  const { reason, stdout } = await failure(endpoint.url, { timeoutMs: 300 });
  assertEquals(reason, "no reply within 0.3 s (agents.architect.timeoutSeconds)");
  assertEquals(stdout, ANSWER);
});

Deno.test("httpRunner() tells what it was told where its time is over in a wait", async () => {
  await using endpoint = new Endpoint(refusing(429, "slow down", { "retry-after": "30" }));
  const { wait } = sys;
  sys.wait = (_, signal) =>
    new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
  try {
    assertEquals((await failure(endpoint.url, { timeoutMs: 100 })).reason, "HTTP 429: slow down");
  } finally {
    sys.wait = wait;
  }
});

Deno.test("httpRunner() gives up where nothing is answered at all", async () => {
  const turn = (request: Request) =>
    new Promise<Response>((resolve) =>
      request.signal.addEventListener("abort", () => resolve(new Response()))
    );
  await using endpoint = new Endpoint(turn);
  const { reason } = await failure(endpoint.url, { timeoutMs: 100 });
  assert(reason.startsWith("no reply within 0.1 s"), reason);
});

Deno.test("httpRunner() stops when the signal fires, with its reason", async () => {
  await using endpoint = new Endpoint(streaming(openai(PARTS, null), { after: "hang" }));
  const interrupt = new AbortController();
  const reason = new AgentxError("INTERRUPTED", "Stopped", { details: { signal: "SIGINT" } });
  const timer = setTimeout(() => interrupt.abort(reason), 100);
  const { signal } = interrupt;
  assertEquals(await refusal("INTERRUPTED", () => ask(endpoint.url, { signal })) === reason, true);
  clearTimeout(timer);
  const fired = AbortSignal.abort(reason);
  await refusal("INTERRUPTED", () => ask(endpoint.url, { signal: fired }));
});

Deno.test("httpRunner() says what can be done where nobody listens", async () => {
  const { reason, final } = await failure("http://127.0.0.1:9");
  assert(reason.startsWith("fetch failed for http://127.0.0.1:9/v1/chat/completions"), reason);
  assert(reason.endsWith("outside its sandbox"), reason);
  assertEquals(final, undefined);
});

const NOT_ASKED: [name: string, http: Partial<HttpConfig>, says: string][] = [
  ["an address", { url: null }, "agents.architect.http.url is not set"],
  ["a model", { model: null }, "agents.architect.http.model is not set"],
  ["its key", { keyEnv: "TEST_NO_KEY" }, "the variable TEST_NO_KEY, which agents.architect"],
  ["a key that a header can hold", { keyEnv: "TEST_BAD_KEY" }, "TEST_BAD_KEY does not hold a key"],
  ["a safe way for the key", { url: "http://192.0.2.1/v1" }, "must begin with https:"],
  ["a safe way for the key", { url: "http://127.0.0.1.example.org/v1" }, "must begin with https:"],
];

for (const [name, http, says] of NOT_ASKED) {
  Deno.test(`httpRunner() asks nobody without ${name}: ${says}`, async () => {
    const { reason, final } = await failure("http://127.0.0.1:9", { http });
    assert(reason.includes(says), reason);
    assertEquals(final, "its settings are not complete");
  });
}

Deno.test("the preset http answers a question, and is next where a program is missing", async () => {
  await using endpoint = new Endpoint(streaming(openai(["Both."])));
  using temp = new TempWorkspace({
    config: {
      agents: {
        architect: {
          preset: ["opencode", "http"],
          env: { PATH: "/nowhere" },
          http: { url: endpoint.url, model: "m", keyEnv: "TEST_MODEL_KEY" },
        },
      },
    },
  });
  const { code, err } = await temp.run(ASK);
  assertEquals(code, 0, err);
  const [, answer] = temp.ledger().clarifications[0].thread;
  assertEquals([answer.body, answer.runner, "session" in answer], ["Both.", "http", false]);
  assert(endpoint.asked[0].body.messages[0].content.includes("> PostgreSQL or SQLite?"));
});

Deno.test("the preset http of a repository reaches nobody before its user agreed", async () => {
  await using endpoint = new Endpoint(streaming(openai(["Both."])));
  const architect = {
    preset: "http",
    http: { url: endpoint.url, model: "m", keyEnv: "TEST_MODEL_KEY" },
  };
  using temp = new TempWorkspace({ config: { agents: { architect } }, isTrusted: false });
  const { code, out, err } = await temp.run(ASK);
  assertEquals([code, endpoint.asked.length], [7, 0]);
  assert(out.includes("agree to it: agentx trust"), out + err);
});
