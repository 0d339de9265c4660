/**
 * The names of sessions (SPEC-AgentX section 4): a session that its host gives no name has one that
 * stays the same however often it is captured.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { AgentEventBus } from "../../lib/events/bus.ts";
import { MemoryPipeline } from "../../lib/memory/memory_pipeline.ts";
import type { MemoryPipelineOptions } from "../../lib/memory/pipeline_options.ts";
import type { Observation } from "../../lib/memory/schema.ts";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { replace } from "../lock/faults.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { MemoryOnlyStore } from "./memory_only_store.ts";
import { sample, SAMPLE_TIME_MS, TempStore } from "./temp_store.ts";

const SHAPE = /^engineer-[0-9]{13}-[a-z0-9]{6}$/;

const START_MS = Date.parse("2026-02-27T09:00:00.000Z");

const WHOSE = { agent: "engineer", issueNumber: 42 };

const SUMMARY = "## Decisions\n- We chose PostgreSQL because the team backs it up.\n";

const CHAT = "## User\n\nAlways use tabs in Go files, never spaces.\n\n## Assistant\n\nDone.\n";

/** A session of Codex whose recording has times, and no id. */
function timed(startMs: number, ...said: string[]) {
  const lines = said.map((text, minutes) => ({
    type: "response_item",
    timestamp: new Date(startMs + minutes * 60_000).toISOString(),
    payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
  }));
  const transcript = readTranscript(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assertEquals(transcript.sessionId, null);
  return transcript;
}

class Memory implements Disposable {
  readonly store = new MemoryOnlyStore();
  readonly events = new AgentEventBus();
  readonly notices: string[] = [];
  nowMs = SAMPLE_TIME_MS;
  readonly #clock = replace("now", () => () => this.nowMs);

  pipeline(options: Partial<MemoryPipelineOptions> = {}): MemoryPipeline<MemoryOnlyStore> {
    const { store, events } = this;
    const notify = (message: string) => void this.notices.push(message);
    return new MemoryPipeline({ events, notify, ...options, store });
  }

  async sessions(): Promise<string[]> {
    const all = (await this.store.getByIssue(42)).map(({ sessionId }) => sessionId);
    return [...new Set(all)];
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
  }
}

Deno.test("MemoryPipeline.capture() names a session by its first time, also after it went on", async () => {
  using temp = new Memory();
  const first = "We always use tabs in Go files.";
  const second = "Use PostgreSQL, not SQLite, because operations back it up.";
  assertEquals((await temp.pipeline().capture(timed(START_MS, first), WHOSE)).length, 1);
  const whole = timed(START_MS, first, second);
  temp.nowMs++;
  const later = temp.pipeline({ startOf: () => 7 });
  assertEquals((await later.capture(whole, WHOSE)).length, 1);
  assertEquals(await later.capture(whole, WHOSE), []);
  const [name, ...others] = await temp.sessions();
  assert(SHAPE.test(name), name);
  assertEquals([name.split("-")[1], others], [String(START_MS), []]);
  await later.capture(
    timed(START_MS + 1, "Use npm, not yarn, because the lock file is its own."),
    WHOSE,
  );
  assertEquals((await temp.sessions()).length, 2);
});

Deno.test("MemoryPipeline.capture() keeps the name that the host, or the caller, gives", async () => {
  using temp = new Memory();
  const transcript = { ...readTranscript(CHAT), sessionId: "0193-of-the-host" };
  const [first] = await temp.pipeline().capture(transcript, WHOSE);
  assertEquals(first.sessionId, "0193-of-the-host");
  const said = readTranscript(CHAT.replace("tabs in Go", "spaces in Python"));
  const [other] = await temp.pipeline().capture(said, { ...WHOSE, sessionId: "mine" });
  assertEquals(other.sessionId, "mine");
});

for (
  const [what, source] of Object.entries({ summary: SUMMARY, recording: readTranscript(CHAT) })
) {
  Deno.test(`MemoryPipeline.capture() names a ${what} without times by the start that is known`, async () => {
    using temp = new Memory();
    const pipeline = temp.pipeline({ startOf: () => START_MS });
    const [{ sessionId }] = await pipeline.capture(source, WHOSE);
    assert(SHAPE.test(sessionId), sessionId);
    assertEquals(sessionId.split("-")[1], String(START_MS));
    assertEquals(await pipeline.capture(source, WHOSE), []);
    const otherIssue = { ...WHOSE, issueNumber: 43 };
    assertEquals((await pipeline.capture(source, otherIssue))[0].sessionId, sessionId);
    const another = { ...otherIssue, issueNumber: 44, session: "engineer@2" };
    const [of] = await pipeline.capture(source, another);
    assert(SHAPE.test(of.sessionId), of.sessionId);
    assert(of.sessionId !== sessionId);
  });

  Deno.test(`MemoryPipeline.capture() names a ${what} of which no start is known by its text`, async () => {
    using temp = new Memory();
    const [{ sessionId }] = await temp.pipeline().capture(source, WHOSE);
    assert(/^engineer-0{13}-[a-z0-9]{6}$/.test(sessionId), sessionId);
    temp.nowMs += 86_400_000;
    const otherIssue = { ...WHOSE, issueNumber: 43 };
    assertEquals((await temp.pipeline().capture(source, otherIssue))[0].sessionId, sessionId);
    const other = "## Decisions\n- We chose SQLite for the tests, because it needs no server.\n";
    assert((await temp.pipeline().capture(other, WHOSE))[0].sessionId !== sessionId);
  });

  Deno.test(`MemoryPipeline.capture() stores a ${what} once, whenever its start became known`, async () => {
    using temp = new Memory();
    const stored = await temp.pipeline().capture(source, WHOSE);
    assert(stored.length > 0);
    for (const startMs of [START_MS, START_MS + 1, undefined]) {
      const pipeline = temp.pipeline({ startOf: () => startMs });
      assertEquals(await pipeline.capture(source, { ...WHOSE, session: "engineer@2" }), []);
    }
    for (const { id } of stored) await temp.store.remove(id);
    assertEquals(await temp.pipeline({ startOf: () => START_MS }).capture(source, WHOSE), []);
  });
}

Deno.test("MemoryPipeline.capture() captures also where it cannot be read when the session began", async () => {
  using temp = new Memory();
  const startOf = () => {
    throw new Error("no status");
  };
  const [{ sessionId }] = await temp.pipeline({ startOf }).capture(SUMMARY, WHOSE);
  assert(SHAPE.test(sessionId), sessionId);
  assertEquals(temp.notices.length, 1);
});

Deno.test("MemoryPipeline knows again what was stored under the names of before", async () => {
  using temp = new Memory();
  const content = "We chose PostgreSQL because the team backs it up.";
  const before = (changes: Partial<Observation>) =>
    sample(content, { issueNumber: 42, ...changes });
  const pipeline = temp.pipeline({ startOf: () => START_MS });
  const note = { ...WHOSE, category: "decision", content } as const;

  const [captured] = await temp.store.store([before({ sessionId: "engineer-42" })]);
  assertEquals(await pipeline.capture(SUMMARY, WHOSE), []);
  await temp.store.remove(captured.id);
  assertEquals(await pipeline.capture(SUMMARY, WHOSE), []);

  const [noted] = await temp.store.store([before({ sessionId: "note-engineer-42" })]);
  assertEquals(await pipeline.note(note), noted);
  const { sessionId } = await pipeline.note({ ...note, content: "The build needs Go 1.22." });
  assert(SHAPE.test(sessionId), sessionId);
  const others = await pipeline.note({ ...note, content: "The tests need TZ=UTC." });
  assertEquals(others.sessionId, sessionId);
});

Deno.test("JsonObservationStore keeps equal words of two sessions whose names others gave", async () => {
  using temp = new TempStore();
  const names = ["engineer-1709035100000-x7y8z9", "engineer-1709035200000-a1b2c3"];
  const both = names.map((sessionId) => sample("Chose JSON files", { sessionId }));
  assertEquals((await temp.store.store(both)).length, 2);
});

/** The names of the sessions that are stored, in the order of their contents. */
async function sessionsIn(temp: TempWorkspace): Promise<string[]> {
  const { observations } = await temp.json(["memory", "export"]);
  return observations
    .sort((a: Observation, b: Observation) => a.content < b.content ? -1 : 1)
    .map(({ sessionId }: Observation) => sessionId);
}

Deno.test("hook names two sessions of one role on one issue by their starts, and again the same", async () => {
  using temp = new TempWorkspace();
  const finish = async (agent: string, stdin: string) =>
    (await temp.json(["hook", "finish", agent, "42", "--transcript", "-"], { stdin })).captured;
  const rule = (text: string) => `## User\n\nAlways ${text} in this repository.\n`;
  for (const agent of ["engineer@1", "engineer@2"]) await temp.run(["hook", "start", agent, "42"]);
  assertEquals((await finish("engineer@1", rule("use tabs"))).length, 1);
  assertEquals((await finish("engineer@2", rule("write tests"))).length, 1);
  const [first, second, ...none] = await sessionsIn(temp);
  assertEquals(none, []);
  for (const name of [first, second]) {
    assert(SHAPE.test(name), name);
    assert(Number(name.split("-")[1]) > SAMPLE_TIME_MS, name);
  }
  assert(first !== second);

  const wentOn = `${rule("use tabs")}\n## User\n\nNever use a database here.\n`;
  assertEquals((await finish("engineer@1", wentOn)).length, 1);
  assertEquals(await finish("engineer@1", wentOn), []);
  assertEquals(await sessionsIn(temp), [first, second, first]);
});

Deno.test("hook start again by the same session of a host leaves its start", async () => {
  using temp = new TempWorkspace();
  const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "0193-3f2a" };
  const start = async (env: Record<string, string>) =>
    (await temp.json(["hook", "start", "engineer", "42"], { env })).state.base.startedAt;
  const first = await start(env);
  assert(Date.parse(first) > 0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(await start(env), first);
  const ofRole = await start({});
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert(await start({}) > ofRole);
});
