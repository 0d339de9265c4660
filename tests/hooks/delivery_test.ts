/**
 * How far questions and answers got: only evidence advances them, nothing is lost by a kill, and what
 * may have been seen is marked where it is told once more.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { sys } from "../../lib/sys/mod.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HookSession } from "./hook_session.ts";
import { runKilled } from "./run_killed.ts";

/** A session that has asked. */
async function asking(temp: TempWorkspace): Promise<HookSession> {
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run(ASK);
  return session;
}

async function answered(temp: TempWorkspace): Promise<HookSession> {
  const session = await asking(temp);
  await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  return session;
}

/** Fires an event in a process that is killed as it answers; gives what the host got. */
async function killed(
  temp: TempWorkspace,
  { point, stdin }: { point: "before" | "after"; stdin: string },
): Promise<string> {
  const words = ["hook", "host", "claude", "PostToolUse"];
  const { isKilled, out } = await runKilled(temp.root, [point, "stdout", 1], { words, stdin });
  assert(isKilled, out);
  return out;
}

/** Runs with another time. */
async function later<T>(ms: number, action: () => Promise<T>): Promise<T> {
  const { now } = sys;
  sys.now = () => now() + ms;
  try {
    return await action();
  } finally {
    sys.now = now;
  }
}

/** A recording, as the host writes it: what it was given, each on a line. */
class Transcript {
  readonly path: string;
  readonly #temp: TempWorkspace;
  #text = "";

  constructor(temp: TempWorkspace) {
    this.#temp = temp;
    this.path = `${temp.root}/session.jsonl`;
    this.add("begins");
  }

  add(text: string): void {
    this.#text += `${JSON.stringify({ type: "attachment", text })}\n`;
    this.#temp.write("session.jsonl", this.#text);
  }
}

async function reported(temp: TempWorkspace): Promise<{ state: string; line: string }> {
  const { deliveries } = await temp.json(["clarify", "--issue", "42"]);
  const { out } = await temp.run(["clarify", "--issue", "42"]);
  const line = out.split("\n").findLast((each) => each.includes("Delivery of")) ?? "";
  return { state: deliveries.at(-1).state, line };
}

Deno.test("a delivery goes from queued over offered and shown to acknowledged, by evidence alone", async () => {
  using temp = new TempWorkspace();
  const session = await answered(temp);
  const transcript = new Transcript(temp);
  const fields = { transcript_path: transcript.path };
  assertEquals((await reported(temp)).state, "queued");
  const { text } = await session.fire("PostToolUse", fields);
  const offered = await reported(temp);
  assertEquals(offered.state, "offered");
  assert(offered.line.includes("not confirmed as read yet"), offered.line);
  await session.fire("PostToolUse", fields);
  assertEquals((await reported(temp)).state, "offered"); // another event proves nothing here
  transcript.add(text);
  await session.fire("PostToolUse", fields);
  const shown = await reported(temp);
  assertEquals(shown.state, "shown");
  assert(shown.line.includes("as its recording proves; waits for it to resolve"), shown.line);
  await session.run(["clarify", "resolve", "CLR-42-001", "Clear."]);
  assertEquals((await reported(temp)).state, "acknowledged");
  assert(!JSON.stringify(offered).includes("sent"));
});

Deno.test("a question is acknowledged once its target has answered, an answer once its asker went on", async () => {
  using temp = new TempWorkspace();
  const session = await asking(temp);
  const states = async () => {
    const { deliveries } = await temp.json(["clarify", "--issue", "42"]);
    return deliveries.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`);
  };
  assertEquals(await states(), ["CLR-42-001.1 queued"]);
  await temp.run(["clarify", "answer", "CLR-42-001", "--as", "architect", "PostgreSQL."]);
  const read = ["CLR-42-001.1 acknowledged", "CLR-42-001.2 acknowledged"];
  assertEquals(await states(), [read[0], "CLR-42-001.2 queued"]);
  const { out } = await temp.run(["clarify", "--issue", "42"]);
  assert(/question CLR-42-001\.1: read: architect acted at \S+/.test(out), out);
  await session.run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  assertEquals(await states(), [...read, "CLR-42-001.3 queued"]);
  const later = (await temp.run(["clarify", "--issue", "42"])).out;
  assert(!later.includes("Delivery of the question CLR-42-001.1"), later);
  await session.run(["clarify", "escalate", "CLR-42-001", "It is urgent."]);
  assertEquals((await states()).slice(0, 2), read);
});

Deno.test("without a recording, a later event of the session proves that it was shown", async () => {
  using temp = new TempWorkspace();
  const session = await answered(temp);
  await session.fire("PostToolUse");
  assertEquals(session.deliveries[0].shownAt, null);
  await session.fire("PostToolUse");
  assertEquals(session.deliveries[0].proof, "later event");
});

Deno.test("an answer missing from the recording is told again, marked, under its id", async () => {
  using temp = new TempWorkspace();
  const session = await answered(temp);
  const transcript = new Transcript(temp);
  const fields = { transcript_path: transcript.path };
  const first = await session.fire("PostToolUse", fields);
  assert(!first.text.includes("repeated"), first.text);
  const mark = /delivery (CLR-42-001\.2 \w{6})/.exec(first.text)![1];
  transcript.add("something else");
  assertEquals((await session.fire("Stop", fields)).answer, undefined); // it may be written yet
  Deno.utimeSync(transcript.path, new Date(), new Date(Date.now() + 60_000));
  const second = await later(120_000, () => session.fire("PostToolUse", fields));
  assert(second.text.includes(`delivery ${mark}, repeated`), second.text);
});

Deno.test("an answer that the hook was killed over is told again, under its id and marked", async () => {
  using temp = new TempWorkspace();
  const session = await answered(temp);
  const got = await killed(temp, { point: "before", stdin: session.payload("PostToolUse") });
  assertEquals(got, "");
  const [{ mark }] = session.deliveries;
  const { text } = await session.fire("Stop");
  assert(text.includes(`delivery CLR-42-001.2 ${mark}, repeated`), text);
  assertEquals((await session.fire("PostToolUse")).answer, undefined);
  assertEquals(session.deliveries[0].offers.map(({ putOut }) => putOut), [false, true]);
});

Deno.test("an answer that was put out before a kill is told again only where no recording has it", async () => {
  for (const isRecorded of [true, false]) {
    using temp = new TempWorkspace();
    const session = await answered(temp);
    const transcript = new Transcript(temp);
    const fields = { transcript_path: transcript.path };
    const stdin = session.payload("PostToolUse", fields);
    const got = await killed(temp, { point: "after", stdin });
    assert(got.includes("PostgreSQL."), got);
    if (isRecorded) transcript.add(got);
    const { text } = await session.fire("PostToolUse", fields);
    assertEquals([text.includes("PostgreSQL."), text.includes("repeated")], [
      !isRecorded,
      !isRecorded,
    ]);
  }
});

Deno.test("whatever is killed, no answer is lost, and without a kill none is told twice", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const id = `CLR-42-00${number}`;
    await session.run([...ASK.slice(0, -3), "--topic", `Topic ${number}`, `Question ${number}?`]);
    await temp.run(["clarify", "answer", id, `Answer ${number}.`]);
    const isKilled = number % 2 === 0;
    const point = number % 4 === 0 ? "before" : "after";
    if (isKilled) await killed(temp, { point, stdin: session.payload("PostToolUse") });
    const texts: string[] = [];
    for (const event of ["PostToolUse", "PostToolUse", "Stop", "UserPromptSubmit"]) {
      texts.push((await session.fire(event)).text);
    }
    const told = texts.filter((text) => text.includes(`Answer ${number}.`));
    assertEquals(told.length, 1);
    assertEquals(told[0].includes("repeated"), isKilled);
  }
});

Deno.test("an answer printed by ask or wait to a session is not told again", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo PostgreSQL." } });
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  const { out } = await session.run(ASK);
  assert(out.includes("PostgreSQL."), out);
  const transcript = new Transcript(temp);
  const fields = { transcript_path: transcript.path };
  assertEquals((await session.fire("PostToolUse", fields)).answer, undefined);
  transcript.add(out);
  assertEquals((await session.fire("Stop", fields)).answer, undefined);
  assertEquals(session.deliveries[0].proof, "transcript");
});

Deno.test("an answer of clarify_ask is not told again, also if the host does not show the session", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { host: "gemini" });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run(ASK);
  await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  const gives = (round: number, answer: string) => {
    const text =
      `CLR-42-001 is answered, round ${round} of 5.\nanswer of architect:\n  | ${answer}`;
    return { tool_name: "mcp_agentx_clarify_ask", tool_response: { llmContent: [{ text }] } };
  };
  assertEquals((await session.fire("AfterTool", gives(1, "PostgreSQL."))).answer, {});
  await session.run(["clarify", "ask", "CLR-42-001", "--as", "engineer", "And pooling?"]);
  await temp.run(["clarify", "answer", "CLR-42-001", "By configuration."]);
  assertEquals((await session.fire("AfterTool", gives(2, "By configuration."))).answer, {});
  assertEquals((await session.fire("AfterAgent")).answer, {});
  assertEquals(session.deliveries.map(({ id, proof }) => [id, proof]), [
    ["CLR-42-001.2", "later event"],
    ["CLR-42-001.4", "later event"],
  ]);
});

Deno.test("an answer in clarify_list is not told again, also if the host does not show the session", async () => {
  using temp = new TempWorkspace();
  const session = new HookSession(temp, { host: "gemini" });
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run(ASK);
  await session.run([...ASK.slice(0, -3), "--topic", "Cache", "Which cache?"]);
  await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  await temp.run(["clarify", "answer", "CLR-42-002", "Redis."]);
  const { out: text } = await temp.run(["clarify", "CLR-42-001"]);
  const listed = {
    tool_name: "mcp_agentx_clarify_list",
    tool_response: { llmContent: [{ text }] },
  };
  const { text: told } = await session.fire("AfterTool", listed);
  assert(!told.includes("PostgreSQL.") && told.includes("Redis."), told);
  assertEquals(session.deliveries.map(({ id }) => id), ["CLR-42-001.2", "CLR-42-002.2"]);
});

Deno.test("an answer printed by ask in the background is told after all", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; echo PostgreSQL." } });
  const session = new HookSession(temp);
  await session.run(["here", "--as", "engineer", "--issue", "42"]);
  await session.run(ASK);
  const transcript = new Transcript(temp);
  transcript.add("goes on");
  Deno.utimeSync(transcript.path, new Date(), new Date(Date.now() + 60_000));
  const fields = { transcript_path: transcript.path };
  const { text } = await later(120_000, () => session.fire("PostToolUse", fields));
  assert(text.includes("PostgreSQL.") && text.includes("repeated"), text);
});

Deno.test("two sessions of a role: an answer to neither of them by name is told to one", async () => {
  using temp = new TempWorkspace();
  const [one, other] = ["3f2a", "beef"].map((end) =>
    new HookSession(temp, { id: `11111111-2222-4333-8444-55556666${end}` })
  );
  await temp.run(ASK); // by a person, for the engineer
  await temp.run(["clarify", "answer", "CLR-42-001", "PostgreSQL."]);
  const told: boolean[] = [];
  for (const session of [one, other]) {
    await session.run(["here", "--as", "engineer", "--issue", "42"]);
    told.push((await session.fire("PostToolUse")).text.includes("PostgreSQL."));
  }
  assertEquals(told, [true, false]);
});

Deno.test("an answer for a session that has ended is told to the next one of its role", async () => {
  using temp = new TempWorkspace();
  await answered(temp);
  const next = new HookSession(temp, { id: "11111111-2222-4333-8444-55556666beef" });
  await next.run(["here", "--as", "engineer", "--issue", "42"]);
  assertEquals((await next.fire("UserPromptSubmit")).answer, undefined);
  const session = new HookSession(temp);
  await session.fire("SessionEnd", { reason: "other" });
  assert((await next.fire("UserPromptSubmit")).text.includes("PostgreSQL."));
});

Deno.test("a session that has ended works again once its host resumes it", async () => {
  using temp = new TempWorkspace();
  const session = await asking(temp);
  const base = () => {
    const file = JSON.parse(temp.read(".agentx/state/agent-status.json"));
    return file.engineer.sessions["engineer@claude-3f2a"].base.status;
  };
  await session.fire("SessionEnd", { reason: "other" });
  assertEquals(base(), "done");
  await session.fire("SessionStart", { source: "resume" });
  assertEquals(base(), "working");
});
