import { assert, assertEquals } from "@std/assert";
import { AgentEventBus, type EventMap } from "../../lib/events/bus.ts";
import { MemoryPipeline } from "../../lib/memory/memory_pipeline.ts";
import type { MemoryPipelineOptions } from "../../lib/memory/pipeline_options.ts";
import { type Observation, PROJECT } from "../../lib/memory/schema.ts";
import type { IObservationStore } from "../../lib/memory/store/store.ts";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { replace } from "../lock/faults.ts";
import { refusal } from "../refusal.ts";
import { MemoryOnlyStore } from "./memory_only_store.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "./temp_store.ts";

const DAY_MS = 86_400_000;

replace("now", () => () => SAMPLE_TIME_MS);

const SUMMARY = `## Decisions
- We chose PostgreSQL because the operations team backs it up.

## Key facts
- The integration tests need TZ=UTC to pass.
`;

const SESSION = { agent: "engineer", issueNumber: 42, sessionId: "s1" };

/** A pipeline on a store, and all that it emits. */
class Memory<Store extends IObservationStore> {
  readonly store: Store;
  readonly events = new AgentEventBus();
  readonly notices: string[] = [];
  readonly pipeline: MemoryPipeline<Store>;

  constructor(store: Store, options: Partial<MemoryPipelineOptions> = {}) {
    this.store = store;
    this.pipeline = new MemoryPipeline<Store>({
      events: this.events,
      notify: (message) => this.notices.push(message),
      ...options,
      store,
    });
  }

  emitted<Name extends "memory-stored" | "memory-recalled">(name: Name): EventMap[Name][] {
    return this.events.getHistory(name).map(({ payload }) => payload);
  }
}

const inMemory = (options?: Partial<MemoryPipelineOptions>) =>
  new Memory(new MemoryOnlyStore(), options);

/** Observations one day apart, the first one the youngest. */
function daily(contents: string[], changes: Partial<Observation> = {}): Observation[] {
  return contents.map((content, days) =>
    sample(content, {
      timestamp: new Date(SAMPLE_TIME_MS - days * DAY_MS).toISOString(),
      ...changes,
    })
  );
}

Deno.test("T12: MemoryPipeline emits memory-stored once something is on the disk", async () => {
  using disk = new TempStore();
  const temp = new Memory(disk.store);
  const seen: number[] = [];
  temp.events.on("memory-stored", async ({ observationIds }) => {
    const found = await Promise.all(observationIds.map((id) => disk.another().getById(id)));
    seen.push(found.filter((observation) => observation !== null).length);
  });
  const stored = await temp.pipeline.capture(SUMMARY, SESSION);
  await new Promise((resolve) => setTimeout(resolve));
  const [event, ...others] = temp.emitted("memory-stored");
  assertEquals([others.length, seen], [0, [2]]);
  assertEquals(event, {
    agent: "engineer",
    issueNumber: 42,
    count: 2,
    totalTokens: stored[0].tokens + stored[1].tokens,
    observationIds: stored.map(({ id }) => id),
    timestamp: SAMPLE_TIME_MS,
  });
});

Deno.test("T12: MemoryPipeline emits memory-recalled with what it gave, and counts it", async () => {
  const temp = inMemory();
  const [{ id, tokens }] = await temp.store.store([sample("Chose JSON files")]);
  await temp.pipeline.injectMemory("reviewer", 29);
  const [{ durationMs, ...recalled }] = temp.emitted("memory-recalled");
  assert(durationMs! >= 0);
  assertEquals(recalled, {
    agent: "reviewer",
    issueNumber: 29,
    count: 1,
    totalTokens: tokens,
    observationIds: [id],
    timestamp: SAMPLE_TIME_MS,
  });
  assertEquals(await temp.store.recallCounts(), new Map([[id, 1]]));
});

Deno.test("T12: MemoryPipeline emits nothing where there is nothing", async () => {
  const temp = inMemory();
  await temp.pipeline.capture("", SESSION);
  await temp.pipeline.injectMemory("engineer", 42);
  await temp.pipeline.capture(SUMMARY, SESSION);
  await temp.pipeline.capture(SUMMARY, SESSION);
  assertEquals(temp.emitted("memory-stored").length, 1);
  assertEquals(temp.emitted("memory-recalled").length, 0);
});

Deno.test("T7: MemoryPipeline.injectMemory() is empty on the first run, and makes no file", async () => {
  using disk = new TempStore();
  const temp = new Memory(disk.store);
  assertEquals(await temp.pipeline.injectMemory("engineer", 42, "anything"), "");
  assertEquals([disk.snapshot(), temp.notices], [{ "": "/" }, []]);
});

Deno.test("MemoryPipeline.capture() stores a session once, also as it goes on", async () => {
  const temp = inMemory();
  const first = "## User\n\nAlways use tabs in Go files, never spaces.\n";
  const whole =
    `${first}\n## Assistant\n\nDone: the linter of \`make check\` refuses spaces, and the build needs Go 1.22 or newer to pass.\n`;
  const capture = async (text: string) =>
    (await temp.pipeline.capture(readTranscript(text), { agent: "engineer", issueNumber: 42 }))
      .length;
  const before = await capture(first);
  assert(before >= 1);
  const more = await capture(whole);
  assert(more >= 1);
  assertEquals([await capture(whole), await capture(first)], [0, 0]);
  assertEquals(temp.store.all.length, before + more);
});

Deno.test("MemoryPipeline does nothing where memory is switched off", async () => {
  const temp = inMemory({ isEnabled: false });
  await temp.store.store([sample("Chose JSON files")]);
  assertEquals(await temp.pipeline.capture(SUMMARY, SESSION), []);
  assertEquals(await temp.pipeline.injectMemory("engineer", 29), "");
  assertEquals(temp.store.all.length, 1);
});

Deno.test("MemoryPipeline with a budget of 0 captures, and recalls nothing", async () => {
  const temp = inMemory({ maxTokens: 0 });
  assertEquals((await temp.pipeline.capture(SUMMARY, SESSION)).length, 2);
  assertEquals(await temp.pipeline.injectMemory("engineer", 42), "");
  assertEquals(temp.emitted("memory-recalled"), []);
});

Deno.test("MemoryPipeline.recall() keeps to the budget of the settings, or its own", async () => {
  const temp = inMemory({ startTokens: 300, maxTokens: 600 });
  await temp.store.store(samples(40));
  const usual = await temp.pipeline.recall("engineer", 29);
  assert(usual.tokens > 200 && usual.tokens <= 300, String(usual.tokens));
  const { tokens } = await temp.pipeline.recall("engineer", 29, { maxTokens: 600 });
  assert(tokens > 500 && tokens <= 600, String(tokens));
  const { section } = await temp.pipeline.recall("engineer", 29, { maxCharacters: 500 });
  assert(section.length > 300 && section.length <= 500, String(section.length));
});

Deno.test("MemoryPipeline.recall() brings up what other issues know about the context", async () => {
  const temp = inMemory();
  const [hit, miss] = [
    sample("The payment gateway rejects cards without a postal code", { issueNumber: 7 }),
    sample("The logo is blue", { issueNumber: 8 }),
  ];
  const own = sample("Chose JSON files");
  await temp.store.store([hit, miss, own]);
  const { whole } = await temp.pipeline.recall("engineer", 29, { context: "payment gateway" });
  assertEquals(whole.map(({ id }) => id), [own.id, hit.id]);
});

Deno.test("MemoryPipeline.recall() finds by one sentence of a long context", async () => {
  const temp = inMemory();
  const hit = sample("The payment gateway rejects cards without a postal code", { issueNumber: 7 });
  await temp.store.store([hit, ...samples(20, { issueNumber: 8 })]);
  const filler = Array.from({ length: 200 }, (_, index) => `Word${index} says thing${index}.`);
  const context = [...filler, "The payment gateway is to be replaced."].reverse().join(" ");
  const { whole } = await temp.pipeline.recall("engineer", 29, { context });
  assertEquals(whole[0]?.id, hit.id);
});

Deno.test("MemoryPipeline.recall() brings from elsewhere what has a rare word in common, or nothing", async () => {
  using disk = new TempStore();
  const { pipeline, store } = new Memory(disk.store, {
    issueOf: () => ({ title: "The API endpoint for refunds", uid: "u29" }),
  });
  const refund = sample("The refunds endpoint needs a role", { issueNumber: 7 });
  const others = samples(30, { issueNumber: 8 }).map((one, index) => ({
    ...one,
    sessionId: `engineer-${index}`,
    content: `The API has endpoint number ${index} of many`,
  }));
  await store.store([refund, ...others]);
  const { whole } = await pipeline.recall("engineer", 29);
  assertEquals(whole.map(({ id }) => id), [refund.id]);
});

Deno.test("MemoryPipeline.recall() brings what stands out, and nothing where as much fits many", async () => {
  using disk = new TempStore();
  const { pipeline } = new Memory(disk.store);
  const words = ["lock", "queue", "inbox", "digest", "budget", "lease"];
  const notes = Array.from(
    { length: 36 },
    (_, index) => `The ${words[index % 6]} of part ${index} is in the plan`,
  );
  const written = ["The PKCE verifier is kept in the cookie of the login", ...notes];
  for (const content of written) {
    await pipeline.note({
      agent: "engineer",
      issueNumber: PROJECT,
      category: "decision",
      content,
    });
  }
  const told = async (context: string) => {
    const { whole } = await pipeline.recall("engineer", PROJECT, { context });
    return whole.map(({ content }) => content);
  };
  const all =
    "Read the plan of the lock, the queue, the inbox, the digest, the budget and the lease";
  assertEquals(await told(all), []);
  assertEquals(await told(`${all}, then keep the verifier of the PKCE login in no cookie`), [
    written[0],
  ]);
});

Deno.test("MemoryPipeline.recall() tells a session on no issue what somebody wrote down, or what it asks for", async () => {
  const temp = inMemory();
  const found = daily(["Created the pool", "Moved the lock", "Renamed the queue", "Logs are JSON"])
    .map((one) => ({ ...one, id: one.id.replace("-29-", "-0-"), issueNumber: PROJECT }));
  await temp.store.store(found);
  assertEquals((await temp.pipeline.recall("engineer", PROJECT)).section, "");
  const note = { agent: "engineer", issueNumber: PROJECT, category: "decision" } as const;
  const written = await temp.pipeline.note({ ...note, content: "Never force-push to main" });
  const again = await temp.pipeline.recall("engineer", PROJECT);
  assertEquals(again.whole.map(({ id }) => id), [written.id]);
  const asked = await temp.pipeline.recall("engineer", PROJECT, { context: "moved lock" });
  assertEquals(asked.whole.map(({ id }) => id), [found[1].id]);
  const strange = await temp.pipeline.recall("engineer", PROJECT, { context: "Paint the logo" });
  assertEquals(strange.section, "");
});

Deno.test("MemoryPipeline.recall() looks for the title of the issue", async () => {
  const temp = inMemory({ issueOf: () => ({ title: "Payment: +cards -x", uid: "u29" }) });
  const hit = sample("Cards need a postal code", { issueNumber: 7 });
  await temp.store.store([hit]);
  const { whole } = await temp.pipeline.recall("engineer", 29);
  assertEquals(whole.map(({ id }) => id), [hit.id]);
});

Deno.test("MemoryPipeline.recall() ranks by relevance, and equally relevant ones by recency", async () => {
  const temp = inMemory();
  const list = daily([
    "The logo is blue",
    "The font is Inter",
    "The lock waits five seconds at most",
    "Spaces are two columns",
  ]);
  await temp.store.store(list.toReversed());
  const { whole } = await temp.pipeline.recall("engineer", 29, { context: "how long locks: lock" });
  const order = whole.map(({ id }) => list.findIndex((one) => one.id === id));
  assertEquals(order, [2, 0, 1, 3]);
});

Deno.test("MemoryPipeline.recall() reads no file of an issue, whatever is found there", async () => {
  using disk = new TempStore();
  const { pipeline, store } = new Memory(disk.store);
  await store.store(
    Array.from(
      { length: 20 },
      (_, index) =>
        sample(`The ${index % 5 === 0 ? "lock" : "queue"} of part ${index} waits`, {
          issueNumber: 7,
          sessionId: `engineer-${index}`,
        }),
    ),
  );
  await store.close();
  await store.search("lock");
  const read: string[] = [];
  using _ = replace("readTextFile", (real) => (path) => {
    read.push(path.slice(path.lastIndexOf("/") + 1));
    return real(path);
  });
  const { whole } = await pipeline.recall("engineer", 29, {
    context: "lock waits",
    maxTokens: 9_000,
  });
  assertEquals(whole.length, 4);
  assertEquals(read.filter((name) => name.startsWith("issue-")), []);
});

Deno.test("MemoryPipeline.recall() prefers the issue's own to equal ones of other issues", async () => {
  const temp = inMemory();
  const foreign = sample("The lock waits for five seconds", { issueNumber: 7 });
  const own = daily(["", "Two seconds is what the lock waits here"])[1];
  await temp.store.store([foreign, own]);
  const { whole } = await temp.pipeline.recall("engineer", 29, {
    context: "lock waits",
    maxTokens: 9_000,
  });
  assertEquals(whole.map(({ id }) => id), [own.id, foreign.id]);
});

Deno.test("MemoryPipeline.recall() prefers what the agent's own role observed among equals", async () => {
  const temp = inMemory();
  const [a, b] = [
    sample("Pools are set up once, at the start.", { agent: "engineer@2" }),
    sample("Reviews ask for a test of each defect.", { agent: "reviewer" }),
  ];
  await temp.pipeline.addAll([a, b]);
  const first = async (agent: string) => (await temp.pipeline.recall(agent, 29)).whole[0].id;
  assertEquals([await first("engineer"), await first("reviewer@1")], [a.id, b.id]);
});

Deno.test("MemoryPipeline.recall() never gives what was retracted or superseded, of any issue", async () => {
  const temp = inMemory();
  const retracted = { because: "measured", timestamp: new Date(SAMPLE_TIME_MS).toISOString() };
  const [wrong, old] = [
    sample("The lock waits five seconds", { issueNumber: 7, retracted }),
    sample("The lock waits six seconds"),
  ];
  await temp.store.store([wrong, old]);
  const right = await temp.pipeline.note({
    agent: "engineer",
    issueNumber: 29,
    category: "key-fact",
    content: "The lock waits thirty seconds",
    supersedes: old.id,
  });
  const { whole, named } = await temp.pipeline.recall("engineer", 29, {
    context: "lock waits",
    maxTokens: 9_000,
  });
  assertEquals([whole.map(({ id }) => id), named], [[right.id], []]);
});

Deno.test("MemoryPipeline.note() redacts, cuts private parts, and supersedes only what there is", async () => {
  const temp = inMemory();
  const note = { agent: "engineer", issueNumber: 29, category: "key-fact" } as const;
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"}`;
  const content = `The token ${token} works <private>for Bob</private> now`;
  const { id } = await temp.pipeline.note({ ...note, content });
  const kept = (await temp.store.getById(id))?.content ?? "";
  assert(!kept.includes("ghp_aB3d") && !kept.includes("Bob") && kept.includes("works"), kept);
  await refusal(
    "NOT_FOUND",
    () => temp.pipeline.note({ ...note, content: "x", supersedes: "obs-engineer-29-1-aaaaaa" }),
  );
});

Deno.test("MemoryPipeline.recall() turns a failure into a warning, and capture() rejects", async () => {
  using disk = new TempStore();
  Deno.writeTextFileSync(disk.folder, "not a folder");
  const { pipeline, notices } = new Memory(disk.store);
  assertEquals(await pipeline.injectMemory("engineer", 42), "");
  assertEquals(notices.map((notice) => notice.slice(0, 23)), ["Memory recall skipped: "]);
  await refusal("IO_ERROR", () => pipeline.capture(SUMMARY, SESSION));
});

Deno.test("MemoryPipeline recalls where the recalls cannot be counted", async () => {
  using disk = new TempStore();
  const { pipeline, notices, store } = new Memory(disk.store);
  await store.store([sample("Chose JSON files")]);
  Deno.mkdirSync(`${disk.root}/state`, { recursive: true });
  Deno.writeTextFileSync(`${disk.root}/state/memory-recalls.json`, "{");
  assert((await pipeline.injectMemory("engineer", 29)).includes("Chose JSON files"));
  assert(notices.every((notice) => notice.startsWith("Memory count skipped: ")));
  assertEquals(notices.length, 2);
});

Deno.test("MemoryPipeline.addAll() asks once which issue it is", async () => {
  const asked: number[] = [];
  const issueOf = (issue: number) => ({ title: "", uid: `uid-${asked.push(issue)}` });
  const temp = inMemory({ issueOf });
  const added = await temp.pipeline.addAll([...samples(60), ...samples(2, { issueNumber: 30 })]);
  assertEquals([...new Set(added.map(({ issueUid }) => issueUid))], ["uid-1", "uid-2"]);
  assertEquals(asked, [29, 30]);
});

Deno.test("MemoryPipeline.addAll() takes any number, and tells each agent and issue of its own", async () => {
  const temp = inMemory();
  const list = [...samples(60), ...samples(60, { agent: "architect", issueNumber: 30 })];
  assertEquals((await temp.pipeline.addAll(list)).length, 120);
  const told = temp.emitted("memory-stored").map(({ agent, issueNumber, count }) =>
    `${agent} #${issueNumber}: ${count}`
  );
  assertEquals(told, [
    "engineer #29: 50",
    "engineer #29: 10",
    "architect #30: 40",
    "architect #30: 20",
  ]);
  assertEquals(await temp.pipeline.addAll(list), []);
});
