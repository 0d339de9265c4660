/**
 * Whom a board answers, by requests as pages and programs of elsewhere send them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { askWords } from "../gate/samples.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { assertHas, TempBoard } from "./temp_board.ts";

/** Sends bytes, since `fetch` would not say another host; gives the first line of what comes back. */
async function sent(board: TempBoard, text: string): Promise<string> {
  const port = Number(new URL(board.origin).port);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    await connection.write(new TextEncoder().encode(text));
    const buffer = new Uint8Array(1_000);
    const length = await connection.read(buffer);
    return new TextDecoder().decode(buffer.subarray(0, length ?? 0)).split("\r\n", 1)[0];
  } finally {
    connection.close();
  }
}

Deno.test("board: Enter in the terminal lets in the tab that asks, and no other", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  assertEquals(board.url, `${board.origin}/`);
  assertEquals((await (await fetch(board.url)).text()).includes("agentx-key"), false);
  const tab = await board.enter();
  const { code } = (await tab.next()).value;
  assert(/^[A-Z2-9]{4}$/.test(code!), code);
  assertEquals(await board.asked(), code);
  const said = board.io.err.replaceAll(/\s+/g, " ");
  assert(said.includes("compare them with those shown here, then press Enter"), said);
  const headers = { origin: board.origin, "content-type": "application/json" };
  const init = { method: "POST", headers, body: "{}" };
  const other = await fetch(`${board.origin}/enter`, init);
  assertEquals([other.status, await other.text()], [409, "Another tab asks to be let in"]);
  board.type("\r");
  assertEquals(typeof (await tab.next()).value.key, "string");
  assertEquals((await tab.next()).done, true);
  const early = await fetch(`${board.origin}/enter`, init); // a second Enter is for nobody
  assertEquals([early.status, await early.text()], [409, "Another tab asks to be let in"]);
});

Deno.test("board: a tab that is refused, that leaves or waits for a minute is not let in", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  const { now, wait } = sys;
  let passedMs = 0;
  sys.now = () => now() + passedMs;
  try {
    const refused = await board.enter();
    await refused.next();
    await board.asked();
    board.type("n");
    assertEquals((await refused.next()).value, { key: null });
    passedMs += 2_000;
    const left = await board.enter();
    await left.next();
    await board.asked();
    await left.return(undefined);
    while (board.io.err.split("the tab was not let in").length < 3) await wait(5);
    passedMs += 2_000;
    sys.wait = (ms, signal) => wait(ms === 60_000 ? 1 : ms, signal);
    const late = await board.enter();
    await late.next();
    assertEquals((await late.next()).value, { key: null });
  } finally {
    [sys.now, sys.wait] = [now, wait];
  }
});

Deno.test("board: a click in a tab that is in lets in another one", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await board.open();
  const changes = board.changes();
  const told = async () => (await changes.next()).value;
  assertEquals(await told(), { waiting: 0, repository: temp.root.split("/").at(-1) });
  await sys.wait(1_000); // so long nobody else can ask
  const tab = await board.enter();
  const { code } = (await tab.next()).value;
  assertEquals(await told(), { asks: code });
  const admit = async (body: unknown, headers: HeadersInit = {}) => {
    const response = await fetch(`${board.origin}/admit`, {
      method: "POST",
      headers: { origin: board.origin, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await admit({ code, isLetIn: true }), 401);
  assertEquals(await admit({ code: "AAAA", isLetIn: true }, board.headers), 200);
  assertEquals(await admit({ code, isLetIn: true }, board.headers), 200);
  assertEquals(typeof (await tab.next()).value.key, "string");
  assertEquals(await told(), { asks: null, isLetIn: true });
  await changes.return(undefined);
});

Deno.test("board: without a terminal its address opens once, within a minute, and nothing is opened", async () => {
  using temp = new TempWorkspace();
  const { env, run, now } = sys;
  const ran: string[][] = [];
  sys.env = (name) => name === "DISPLAY" ? ":0" : env(name);
  sys.run = (argv, options) => {
    ran.push([...argv]);
    return run(argv, options);
  };
  try {
    await using board = await TempBoard.start(temp, { terminal: false, words: [] });
    const [first, second] = [await fetch(board.url), await fetch(board.url)];
    assertHas(await first.text(), "agentx-key");
    assertEquals((await second.text()).includes("agentx-key"), false);
    await using other = await TempBoard.start(temp, { terminal: false });
    sys.now = () => now() + 61_000;
    assertEquals((await (await fetch(other.url)).text()).includes("agentx-key"), false);
  } finally {
    [sys.env, sys.run, sys.now] = [env, run, now];
  }
  assertEquals(ran.filter(([program]) => program === "xdg-open"), []);
});

Deno.test("board: without the key, or with a guessed one, nothing is seen and nothing changes", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Secret plans"]);
  await using board = await TempBoard.start(temp);
  const headers = { "content-type": "application/json", origin: board.origin };
  const body = JSON.stringify({ command: "issue close", input: { issue: "1" } });
  for (const authorization of [undefined, "Bearer 00", "Basic x"]) {
    const given = { ...headers, ...authorization !== undefined && { authorization } };
    for (const path of ["/view/issues", "/changes", "/view/../do", "/%2e%2e/.agentx/config.json"]) {
      const response = await fetch(board.origin + path, { headers: given });
      assertEquals([401, 404].includes(response.status), true, path);
      assertEquals((await response.text()).includes("Secret"), false);
    }
    const response = await fetch(`${board.origin}/do`, { method: "POST", headers: given, body });
    assertEquals([response.status, await response.text()], [401, "The key is missing or wrong"]);
  }
  assertEquals((await (await fetch(board.origin)).text()).includes("agentx-key"), false);
  assertEquals(temp.issue(1).status, "Backlog");
});

Deno.test("board: 500 wrong keys end it", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  for (let turn = 0; turn < 500; turn++) {
    const response = await fetch(`${board.origin}/view/inbox`, {
      headers: { authorization: "Bearer 1" },
    })
      .catch(() => undefined);
    await response?.body?.cancel();
  }
  assertEquals(await board.code, 6);
  assertHas(board.io.err, "its key is being guessed");
});

/** Requests of a page of elsewhere that knows the key, which it cannot: each sign of it is refused by itself. */
const FOREIGN: Readonly<
  Record<string, { status: number; method?: string; headers: Record<string, string> }>
> = {
  "a page on another port": { status: 403, headers: { origin: "http://127.0.0.1:9" } },
  "a page without an origin": { status: 403, headers: { origin: "null" } },
  "a request that a browser calls cross-site": {
    status: 403,
    headers: { "sec-fetch-site": "cross-site" },
  },
  "one from another port of this machine": {
    status: 403,
    headers: { "sec-fetch-site": "same-site" },
  },
  "a post as plain text": {
    status: 403,
    method: "POST",
    headers: { "content-type": "text/plain", origin: "own" },
  },
  "a post as a form": {
    status: 403,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "own" },
  },
  "a post that does not say where it is from": {
    status: 403,
    method: "POST",
    headers: { "content-type": "application/json" },
  },
  "a preflight": { status: 403, method: "OPTIONS", headers: { origin: "http://example.com" } },
};

for (const [name, { status, method = "GET", headers }] of Object.entries(FOREIGN)) {
  Deno.test(`board: ${name} is refused`, async () => {
    using temp = new TempWorkspace();
    await temp.run(["issue", "create", "-t", "One"]);
    await using board = await TempBoard.start(temp);
    await board.open();
    if (headers.origin === "own") headers.origin = board.origin;
    const body = method === "POST"
      ? JSON.stringify({ command: "issue close", input: { issue: "1" } })
      : undefined;
    const path = method === "GET" ? "/view/issues" : "/do";
    const response = await fetch(board.origin + path, {
      method,
      headers: { ...board.headers, ...headers },
      body,
    });
    const text = await response.text();
    assertEquals([response.status, text.includes("One")], [status, false]);
    assertEquals(response.headers.get("access-control-allow-origin"), null);
    assertEquals(temp.issue(1).status, "Backlog");
  });
}

Deno.test("board: a name that leads to this machine is not its address", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  const key = await board.open();
  for (const host of ["evil.example", "localhost", `evil.example:${new URL(board.origin).port}`]) {
    const head =
      `GET /view/inbox HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    assertHas(await sent(board, head), " 403 ");
  }
});

/** What was not read of a body is drained for half a second. */
const DRAIN_MS = 700;

Deno.test("board: whatever is sent, the server lives on", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  const key = await board.open();
  const garbage = ["\0\0\0\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "G".repeat(100_000)];
  for (const text of garbage) await sent(board, text).catch(() => {});
  const host = new URL(board.origin).host;
  const head = `POST /do HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${board.origin}\r\n` +
    `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  assertHas(await sent(board, `${head}Content-Length: 104857600\r\n\r\n{`), " 413 ");
  assertHas(await board.view("inbox"), "Nothing waits for you");
  await sys.wait(DRAIN_MS);
});

Deno.test("board: connections that ask for nothing keep out neither a new one nor a page that is in", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  const key = await board.open();
  const changes = board.changes();
  assertEquals((await changes.next()).value?.waiting, 0);
  const { host, port } = new URL(board.origin);
  const connect = () => Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
  const connections = await Promise.all(Array.from({ length: 400 }, connect));
  const halves = ["", "GET / HT"];
  for (const [at, connection] of connections.entries()) {
    await connection.write(new TextEncoder().encode(halves[at % 2])).catch(() => {}); // it was closed
  }
  const head = `GET /view/inbox HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  for (let turn = 0; turn < 10; turn++) assertHas(await sent(board, head), " 200 ");
  await temp.run([...askWords({}), "--no-wait"]);
  assertEquals((await changes.next()).value?.waiting, 1);
  await changes.return(undefined);
  for (const connection of connections) connection.close();
});

Deno.test("board: a body of 100 MB is not taken", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await board.open();
  const chunk = new Uint8Array(2 ** 20).fill(32);
  let left = 100;
  const body = new ReadableStream({
    pull: (controller) => left-- > 0 ? controller.enqueue(chunk) : controller.close(),
  });
  const status = await fetch(`${board.origin}/do`, {
    method: "POST",
    headers: { ...board.headers, origin: board.origin, "content-type": "application/json" },
    body,
  }).then(async (response) => {
    await response.body?.cancel();
    return response.status;
  }, () => 413); // it was cut off
  assertEquals(status, 413);
  assertHas(await board.view("inbox"), "Nothing waits for you");
  await sys.wait(DRAIN_MS);
});

Deno.test("board: every response forbids scripts of others, frames and caches", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await board.open();
  for (const path of ["/", "/board.js", "/board.css", "/view/inbox", "/nothing"]) {
    const response = await fetch(board.origin + path, { headers: board.headers });
    await response.body?.cancel();
    const policy = response.headers.get("content-security-policy") ?? "";
    assertHas(policy, "default-src 'none'");
    assertEquals([policy.includes("unsafe"), policy.includes("frame-ancestors 'none'")], [
      false,
      true,
    ]);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(response.headers.get("set-cookie"), null);
  }
});

Deno.test("board: a session of an agent gets one that changes nothing, and is told so", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "One"]);
  await using board = await TempBoard.start(temp, { env: { CLAUDECODE: "1" } });
  assertHas(board.io.err, "Nothing can be changed here");
  const { error } = await board.act({ command: "issue close", input: { issue: "1" } });
  assertEquals(error?.code, "UNTRUSTED");
  assertHas(await board.view("issues"), "Nothing can be changed here");
  assertEquals(temp.issue(1).status, "Backlog");
});

Deno.test("board: a click decides as a person at a terminal does, and is logged", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  await using board = await TempBoard.start(temp);
  const stream = board.changes();
  assertEquals((await stream.next()).value?.waiting, 1);
  const { exitCode } = await board.act({
    command: "answer",
    input: { id: "CLR-42-001", answer: "PostgreSQL." },
  });
  assertEquals(exitCode, 0);
  while ((await stream.next()).value?.waiting !== 0);
  await stream.return(undefined);
  const [{ status, thread }] = temp.ledger().clarifications;
  assertEquals([status, thread.at(-1)?.from, thread.at(-1)?.verified], ["resolved", "human", true]);
  const log =
    Object.entries(temp.snapshot()).find(([path]) => path.startsWith("/.agentx/log/"))![1];
  assert(log.includes('"operation":"board","clarificationId":"CLR-42-001"'), log);
});

Deno.test("board: two clicks decide at once: one wins, and the other is told", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  await using board = await TempBoard.start(temp);
  await board.open();
  const input = { id: "CLR-42-001", answer: "PostgreSQL." };
  const replies = await Promise.all([1, 2, 3].map(() => board.act({ command: "answer", input })));
  const late = replies.filter(({ error, said }) =>
    error?.code === "INVALID_TRANSITION" || said?.includes("the late answer is kept")
  );
  assertEquals(late.length, 2, JSON.stringify(replies));
  const resolutions = temp.ledger().clarifications[0].thread
    .filter(({ type }) => type === "resolution");
  assertEquals(resolutions.length, 1);
});

Deno.test("board: of two clicks that ask again, none becomes the answer", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  assertEquals((await temp.run(["config", "unset", "agents.architect"])).code, 0);
  await using board = await TempBoard.start(temp);
  await board.open();
  const input = { id: "CLR-42-001", answer: "a" };
  const first = await board.act({ command: "answer", input });
  assertEquals(first.exitCode, 0, JSON.stringify(first));
  const { error } = await board.act({ command: "answer", input });
  assertEquals(error?.code, "INVALID_TRANSITION");
  const [{ status, thread }] = temp.ledger().clarifications;
  assertEquals([status, thread.at(-1)?.type], ["pending", "question"]);
});

Deno.test("board: a command refuses in its own words", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  const { error } = await board.act({
    command: "issue edit",
    input: { issue: "x", status: "Done" },
  });
  const { err } = await temp.run(["issue", "edit", "x", "-s", "Done"]);
  assertEquals(error?.code, "INVALID_INPUT");
  assertHas(err.replace(/^error: /, ""), error!.message.split("\n")[0]);
});

Deno.test("board: only commands of the page run", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  for (const body of [{ command: "config set" }, { command: "answer", input: [] }, [], 1, null]) {
    assertEquals((await board.act(body)).error?.code, "INVALID_INPUT");
  }
});

Deno.test("board: what a command asks is asked in the page", async () => {
  using temp = new TempWorkspace({ agents: { architect: "echo Yes." }, isTrusted: false });
  await using board = await TempBoard.start(temp);
  const { ask } = await board.act({ command: "trust", input: {} });
  assertHas(ask!.text, "architect.sh");
  assertEquals((await board.act({ id: ask!.id, line: "y" })).exitCode, 0);
  assertEquals((await temp.json(["trust", "--print"])).isTrusted, true);
  assertEquals((await board.act({ id: ask!.id, line: "y" })).error?.code, "INVALID_INPUT");
});
