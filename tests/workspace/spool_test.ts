/**
 * Sessions that have ended: kept at once, captured by what reads memory, never by a hook in between.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { spoolFolder } from "../../lib/workspace/state_origin.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "../hooks/hook_session.ts";

const LEARNED = "We decided to use PostgreSQL 16, because the architect asked for it.";

function record(temp: TempWorkspace, text: string, name = "session.jsonl", uuid = "u1"): string {
  const message = { role: "assistant", content: [{ type: "text", text }] };
  const line = { type: "assistant", uuid, sessionId: "s1", message, isSidechain: false };
  temp.write(name, JSON.stringify({ ...line, timestamp: "2026-02-26T10:00:00.000Z" }));
  return `${temp.root}/${name}`;
}

async function ending(temp: TempWorkspace, text = LEARNED, end = "3f2a"): Promise<HookSession> {
  const session = new HookSession(temp, { id: `11111111-2222-4333-8444-55556666${end}` });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const { code, answer } = await session.fire("SessionEnd", {
    transcript_path: record(temp, text),
  });
  assertEquals([code, answer], [0, undefined]);
  return session;
}

/** In the user's own folder. */
function folderOf(temp: TempWorkspace): string {
  return spoolFolder(temp.root)!;
}

function spooled(temp: TempWorkspace): string[] {
  try {
    return Array.from(Deno.readDirSync(folderOf(temp)), ({ name }) => name);
  } catch {
    return []; // nothing was kept yet
  }
}

async function found(temp: TempWorkspace): Promise<number> {
  const { observations } = await temp.json(["memory", "search", "PostgreSQL 16"]);
  return observations.length;
}

Deno.test("the end of a session is kept, privately, and captured by a search", async () => {
  using temp = new TempWorkspace();
  await ending(temp);
  const [name] = spooled(temp);
  const { mode } = Deno.statSync(`${folderOf(temp)}/${name}`);
  assertEquals(mode! & 0o777, 0o600);
  assert(!temp.has(".agentx/memory/journal.jsonl") && !temp.has(".agentx/memory/issue-42.json"));
  assertEquals(await found(temp), 1);
  assertEquals(spooled(temp), []);
});

Deno.test("a recording without messages is captured without a word", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { id: "11111111-2222-4333-8444-555566663f2b" });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.fire("SessionEnd", { transcript_path: record(temp, "") });
  assertEquals(spooled(temp).length, 1);
  assertEquals((await temp.run(["memory", "search", "x"])).err, "");
  assertEquals(spooled(temp), []);
});

Deno.test("copilot does not say where its recording is: it is known", async () => {
  using temp = new TempWorkspace();
  const env = { HOME: temp.root };
  const session = new HookSession(temp, { host: "copilot", env });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const path = record(temp, LEARNED, `.copilot/session-state/${session.id}/events.jsonl`);
  await session.fire("sessionEnd", { reason: "complete" });
  Deno.utimeSync(path, new Date(), new Date(Date.now() + 60_000));
  assertEquals(await found(temp), 0); // it is still being written
  Deno.utimeSync(path, new Date(), new Date(Date.now() - 60_000));
  assertEquals(await found(temp), 1);
  const elsewhere = new HookSession(temp, { host: "copilot", id: "../x", env });
  await elsewhere.fire("sessionEnd", { reason: "complete" });
  assertEquals(spooled(temp), []);
});

Deno.test("a recording of copilot is found where COPILOT_HOME says", async () => {
  using temp = new TempWorkspace();
  const env = { HOME: temp.root, COPILOT_HOME: `${temp.root}/elsewhere` };
  const session = new HookSession(temp, { host: "copilot", env });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const path = record(temp, LEARNED, `elsewhere/session-state/${session.id}/events.jsonl`);
  await session.fire("sessionEnd", { reason: "complete" });
  Deno.utimeSync(path, new Date(), new Date(Date.now() - 60_000));
  assertEquals(await found(temp), 1);
});

Deno.test("a host that keeps no file of a session hands its recording over", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { host: "opencode" });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const parts = [{ type: "text", text: LEARNED }];
  const messages = [{ info: { role: "assistant", time: { created: 1 } }, parts }];
  const recording = JSON.stringify({ info: { id: session.id }, messages });
  await session.fire("dispose", { recording });
  await session.fire("dispose", { recording: 42 }); // of another version, it may be anything
  assertEquals(spooled(temp).length, 1);
  assertEquals(await found(temp), 1);
  assertEquals(spooled(temp), []);
});

Deno.test("a recording that a host writes after the end of a session is captured, too", async () => {
  using temp = new TempWorkspace();
  await ending(temp, "Nothing.");
  const text = temp.read("session.jsonl");
  const path = record(temp, LEARNED, "session.jsonl", "u2");
  temp.write("session.jsonl", `${text}\n${Deno.readTextFileSync(path)}`);
  assertEquals(await found(temp), 1);
});

Deno.test("another file in the place of a recording is not captured", async () => {
  using temp = new TempWorkspace();
  await ending(temp, "Nothing.");
  record(temp, LEARNED);
  assertEquals(await found(temp), 0);
});

Deno.test("a session recalls what the one before it learned", async () => {
  using temp = new TempWorkspace();
  const session = await ending(temp);
  const { text } = await session.fire("SessionStart", { source: "startup" });
  assert(text.includes("PostgreSQL 16"), text);
  assertEquals(spooled(temp), []);
});

Deno.test("neither hooks in between nor listings nor completions capture a session", async () => {
  using temp = new TempWorkspace();
  const session = await ending(temp);
  for (const event of ["UserPromptSubmit", "PostToolUse", "Stop"]) await session.fire(event);
  await temp.run(["clarify"]);
  await temp.run(["__complete", "memory", "get", ""]);
  await temp.run(["ready"]);
  assertEquals(spooled(temp).length, 1);
});

Deno.test("the end of a session that two hosts tell is kept once", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const twin = new HookSession(temp, { host: "codex", id: session.id });
  const path = record(temp, LEARNED);
  const stdin = { transcript_path: path, reason: "other", prompt_id: null };
  await session.fire("SessionEnd", stdin);
  await twin.fire("SessionEnd", stdin);
  assertEquals(spooled(temp).length, 1);
});

Deno.test("a session that was captured but not removed, as after a kill, is captured once", async () => {
  using temp = new TempWorkspace();
  await ending(temp);
  const [name] = spooled(temp);
  const path = `${folderOf(temp)}/${name}`;
  const text = Deno.readTextFileSync(path);
  assertEquals(await found(temp), 1);
  Deno.writeTextFileSync(path, text);
  assertEquals(await found(temp), 1);
  assertEquals(spooled(temp), []);
});

Deno.test("the start of a session captures for two seconds at most, and leaves the rest", async () => {
  using temp = new TempWorkspace();
  const session = await ending(temp);
  const [name] = spooled(temp);
  const text = Deno.readTextFileSync(`${folderOf(temp)}/${name}`);
  for (const number of [1, 2, 3, 4]) {
    const path = `${folderOf(temp)}/${Number(name.slice(0, 13)) + number}-aa.spool`;
    Deno.writeTextFileSync(path, text);
  }
  const { now } = performance;
  let ms = 0;
  performance.now = () => (ms += 200);
  try {
    await session.fire("SessionStart", { source: "startup" });
  } finally {
    performance.now = now;
  }
  const left = spooled(temp).length;
  assert(left > 0 && left < 5, String(left));
});

Deno.test("a recording that is none is set aside and named; the others are captured", async () => {
  using temp = new TempWorkspace();
  await ending(temp, LEARNED, "beef");
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  temp.write("binary", "\x7fELF\0\0\0");
  await session.fire("SessionEnd", { transcript_path: `${temp.root}/binary` });
  assertEquals(spooled(temp).length, 2);
  const { out, err } = await temp.run(["memory", "search", "PostgreSQL 16"]);
  assert(err.includes("is set aside: Cannot read the transcript: it is a binary file"), err);
  assert(out.includes("PostgreSQL 16"), out);
  assertEquals(spooled(temp).map((name) => name.replace(/.*\./, "")), ["failed"]);
});

Deno.test("a spool in the state names no file that is read into memory", async () => {
  using temp = new TempWorkspace();
  await ending(temp);
  const [name] = spooled(temp);
  const text = Deno.readTextFileSync(`${folderOf(temp)}/${name}`);
  Deno.removeSync(`${folderOf(temp)}/${name}`);
  temp.write(`.agentx/state/spool/${name}`, text);
  assertEquals(await found(temp), 0);
  assert(temp.has(`.agentx/state/spool/${name}`));
});

Deno.test("without an issue a session is kept for the project", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  const { code, err } = await session.fire("SessionEnd", {
    transcript_path: record(temp, LEARNED),
  });
  assertEquals([code, err, spooled(temp).length], [0, "", 1]);
});

Deno.test("nothing is kept where memory is switched off", async () => {
  using temp = new TempWorkspace({ config: { memory: { enabled: false } } });
  await ending(temp);
  assertEquals(spooled(temp), []);
});

Deno.test("a full disk at the end of a session is named, and its host goes on", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const { rename } = sys;
  const fields = { transcript_path: record(temp, LEARNED) };
  const stdin = session.payload("SessionEnd", fields);
  await session.run(ASK);
  sys.rename = (from, to) => {
    if (to.endsWith(".spool")) sys.writeNewFile(`${temp.root}/nowhere/x`, "", { fsync: false });
    rename(from, to);
  };
  try {
    const { code, answer, err } = await session.send("SessionEnd", stdin);
    assertEquals([code, answer], [1, undefined]);
    assert(err.includes("error:"), err);
  } finally {
    sys.rename = rename;
  }
});
