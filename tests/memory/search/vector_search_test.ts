import { assert, assertEquals } from "@std/assert";
import { AgentEventBus } from "../../../lib/events/bus.ts";
import { MemoryPipeline } from "../../../lib/memory/pipeline.ts";
import type { Embedder } from "../../../lib/memory/search/embedder.ts";
import { similarity, vectorOf } from "../../../lib/memory/search/vectors.ts";
import { sample, TempStore } from "../temp_store.ts";

/** Knows three subjects by some of their words, and counts the texts that it was given. */
class Subjects implements Embedder {
  readonly minSimilarity = 0.5;
  readonly name: string;
  texts: string[] = [];

  constructor(name = "subjects-1") {
    this.name = name;
  }

  embed(texts: readonly string[]): Promise<number[][]> {
    this.texts.push(...texts);
    const subjects = [/car|vehicle/i, /doctor|physician/i, /kitchen|cook/i];
    return Promise.resolve(texts.map((text) => subjects.map((words) => words.test(text) ? 1 : 0)));
  }
}

const PATH = "state/memory-vectors.jsonl";

function pipeline(temp: TempStore, embed: Embedder): MemoryPipeline {
  const notify = (message: string) => void temp.notices.push(message);
  const vectorsPath = `${temp.root}/${PATH}`;
  return new MemoryPipeline({
    store: temp.another(),
    events: new AgentEventBus(),
    embed,
    vectorsPath,
    notify,
  });
}

const OBSERVATIONS = [
  sample("The vehicle is parked", { sessionId: "a" }),
  sample("A physician was asked", { sessionId: "b" }),
  sample("Somebody has to cook", { sessionId: "c" }),
];

Deno.test("MemoryPipeline({ embed }) finds what says the same in other words, in searches and recalls", async () => {
  using temp = new TempStore();
  await temp.store.store(OBSERVATIONS);
  const memory = pipeline(temp, new Subjects());
  assertEquals(await temp.store.search("car"), []);
  assertEquals((await memory.searchMemory("car")).map(({ id }) => id), [OBSERVATIONS[0].id]);
  assertEquals(await memory.searchMemory("weather"), []);
  const { whole } = await memory.recall("engineer", 30, { context: "doctor" });
  assertEquals(whole.map(({ id }) => id), [OBSERVATIONS[1].id]);
});

Deno.test("MemoryPipeline({ embed }) puts what fits by words and by vector first", async () => {
  using temp = new TempStore();
  const both = sample("The doctor asked the physician", { sessionId: "d" });
  await temp.store.store([...OBSERVATIONS, both]);
  const found = await pipeline(temp, new Subjects()).searchMemory("doctor");
  assertEquals(found.map(({ id }) => id), [both.id, OBSERVATIONS[1].id]);
});

Deno.test("MemoryPipeline({ embed }) makes each vector once, and those of another model again", async () => {
  using temp = new TempStore();
  await temp.store.store(OBSERVATIONS);
  const [first, second, other] = [new Subjects(), new Subjects(), new Subjects("subjects-2")];
  await pipeline(temp, first).searchMemory("car");
  assertEquals(first.texts.length, 4);
  const late = sample("Kitchen stories", { sessionId: "e" });
  await temp.another().store([late]);
  assertEquals((await pipeline(temp, second).searchMemory("cook")).length, 2);
  assertEquals(second.texts, [late.content, "cook"]);
  await pipeline(temp, other).searchMemory("car");
  assertEquals(other.texts.length, 5);
  const text = Deno.readTextFileSync(`${temp.root}/${PATH}`);
  Deno.writeTextFileSync(`${temp.root}/${PATH}`, text.slice(0, -30));
  const healed = new Subjects("subjects-2");
  assertEquals((await pipeline(temp, healed).searchMemory("car")).length, 1);
  assertEquals(healed.texts.length, 2);
});

Deno.test("MemoryPipeline({ embed }) forgets the vector of what is forgotten", async () => {
  using temp = new TempStore();
  await temp.store.store(OBSERVATIONS);
  await pipeline(temp, new Subjects()).searchMemory("car");
  await temp.another().remove(OBSERVATIONS[0].id);
  assertEquals(await pipeline(temp, new Subjects()).searchMemory("car"), []);
  assert(!Deno.readTextFileSync(`${temp.root}/${PATH}`).includes(OBSERVATIONS[0].id));
});

Deno.test("MemoryPipeline({ embed }) searches by words where the model fails, and says so", async () => {
  using temp = new TempStore();
  await temp.store.store(OBSERVATIONS);
  const broken = {
    name: "broken",
    minSimilarity: 0,
    embed: () => Promise.reject(new Error("no GPU")),
  };
  const found = await pipeline(temp, broken).searchMemory("physician");
  assertEquals(found.map(({ id }) => id), [OBSERVATIONS[1].id]);
  assert(temp.notices.some((notice) => notice.includes("no GPU")), temp.notices.join());
});

Deno.test("similarity() of two vectors is their cosine", () => {
  const near = similarity(vectorOf([1, 2, 3]), vectorOf([2, 4, 6.1]));
  assert(Math.abs(near - 1) < 0.02, String(near));
  assertEquals(similarity(vectorOf([1, 0]), vectorOf([0, 1])), 0);
  assertEquals(similarity(vectorOf([0, 0]), vectorOf([0, 1])), 0);
  assertEquals(similarity(vectorOf([1]), vectorOf([0, 1])), 0);
});
