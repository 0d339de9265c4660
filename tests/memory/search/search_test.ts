import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import lunr from "lunr";
import type { Observation } from "../../../lib/memory/schema.ts";
import { termsOf } from "../../../lib/memory/index/tokens.ts";
import { growth } from "../../count_steps.ts";
import { refusal } from "../../refusal.ts";
import { sample, SAMPLE_TIME_MS, samples, TempStore } from "../temp_store.ts";

const contents = async (temp: TempStore, query: string) => {
  const found = await temp.another().search(query);
  return await Promise.all(found.map(async ({ id }) => (await temp.store.getById(id))?.content));
};

Deno.test("T3: JsonObservationStore.search() ranks what fits best first, and keeps to the limit", async () => {
  using temp = new TempStore();
  await temp.store.store([
    sample("The parser skips comments", { sessionId: "parser" }),
    sample("Retries of the queue double their delay, and the queue forgets after five"),
    sample("A retry of a request to the queue waits"),
    ...Array.from(
      { length: 20 },
      (_, index) =>
        sample(`Filler number ${index} about buttons`, { sessionId: `filler-${index}` }),
    ),
  ]);
  const found = await contents(temp, "queue retries double");
  assertEquals(found.length, 2);
  assert(found[0]?.startsWith("Retries of the queue"));
  assertEquals((await temp.store.search("buttons", 7)).length, 7);
  const scores = (await temp.store.search("queue retries delay")).map(({ score }) => score);
  assertEquals(scores, scores.toSorted((a, b) => b - a));
});

Deno.test("T7: JsonObservationStore.search() of an empty store finds nothing and writes nothing", async () => {
  using temp = new TempStore();
  assertEquals(await temp.store.search("anything"), []);
  assertEquals(await temp.store.searchByFilters({ agent: "engineer" }), []);
  assertEquals(temp.snapshot(), { "": "/" });
});

Deno.test("JsonObservationStore.search() finds other words of the same stem, and any alphabet", async () => {
  using temp = new TempStore();
  await temp.store.store([
    sample("We decided on caching decisions"),
    sample("\u6570\u636e\u5e93\u4f7f\u7528\u9501\u6587\u4ef6"),
    sample(
      "\u0411\u043b\u043e\u043a\u0438\u0440\u043e\u0432\u043a\u0430 \u0444\u0430\u0439\u043b\u0430",
    ),
    sample("Le cach\u00e9 est d\u00e9sactiv\u00e9"),
  ]);
  for (const folded of [false, true]) {
    if (folded) await temp.store.close();
    assertEquals((await contents(temp, "deciding")).length, 1);
    assertEquals((await contents(temp, "\u6570\u636e\u5e93")).length, 1);
    assertEquals((await contents(temp, "\u0444\u0430\u0439\u043b\u0430")).length, 1);
    assertEquals((await contents(temp, "desactive")).length, 1);
  }
});

Deno.test("JsonObservationStore.search() marks what is noise as weak, and finds nothing for no words", async () => {
  using temp = new TempStore();
  await temp.store.store(
    Array.from(
      { length: 30 },
      (_, index) =>
        sample(`The build number ${index} of the service went through without a warning`),
    ),
  );
  await temp.store.store([sample("The kettle is kept in the kitchen", { sessionId: "kettle" })]);
  const hits = await temp.store.search(
    "which colour does the wall of the kitchen in our new house by the lake have",
  );
  assert(hits.length > 0 && hits.every(({ isWeak }) => isWeak === true));
  const meant = await temp.store.search("kettle in the kitchen");
  assertEquals([meant.length, meant[0].isWeak], [1, undefined]);
  assertEquals(await temp.store.search("the of and"), []);
  assertEquals(await temp.store.search(""), []);
});

Deno.test("JsonObservationStore.search() prefers the newest among equals, and whom it names", async () => {
  using temp = new TempStore();
  const day = (day: number) => ({ timestamp: `2026-02-0${day}T10:00:00.000Z` });
  const text = "The queue is kept in memory";
  await temp.store.store([
    sample(text, { ...day(2), sessionId: "b" }),
    sample(text, { ...day(3), sessionId: "c" }),
    sample(text, { ...day(1), sessionId: "a", agent: "reviewer" }),
  ]);
  const days = async (query: string) =>
    (await temp.another().search(query)).map(({ timestamp }) => Number(timestamp.slice(8, 10)));
  assertEquals(await days("queue memory"), [3, 2, 1]);
  assertEquals((await days("what did the reviewer say about queue memory"))[0], 1);
});

Deno.test("JsonObservationStore.search() counts what the neighbours in a session say", async () => {
  using temp = new TempStore();
  const filler = Array.from(
    { length: 40 },
    (_, index) => sample(`Filler ${index} on nothing`, { sessionId: `filler-${index}` }),
  );
  const alone = sample("The timeout is thirty seconds", { sessionId: "alone" });
  const beside = sample("The timeout is forty seconds", { sessionId: "s" });
  await temp.store.store([
    ...filler,
    alone,
    sample("Now about the websocket reconnect", { sessionId: "s" }),
    beside,
  ]);
  const found = await temp.store.search("websocket timeout seconds");
  const place = (wanted: Observation) => found.findIndex(({ id }) => id === wanted.id);
  assert(place(beside) < place(alone), `${place(beside)}, ${place(alone)}`);
});

const WORDS = ("cache lock queue retry parser token index merge worker session branch deploy " +
  "engineer architect migration error issue 7 12 rollback").split(" ");

const observationOf = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
  agent: fc.constantFrom("engineer", "architect", "data-scientist"),
  issueNumber: fc.constantFrom(7, 12),
  session: fc.constantFrom("a", "b", "c"),
  second: fc.integer({ min: 0, max: 5 }),
  category: fc.constantFrom("decision", "code-change", "error"),
}).map(({ words, agent, issueNumber, session, second, category }) => (suffix: string) =>
  sample(`${words.join(" ")} ${suffix}`, {
    agent,
    issueNumber,
    category: category as Observation["category"],
    sessionId: session,
    timestamp: new Date(SAMPLE_TIME_MS + second * 1_000).toISOString(),
  })
);

const corpusOf = fc.array(observationOf, { minLength: 5, maxLength: 60 })
  .map((makers) => makers.map((make, index) => make(`u${index}`)));

/** What a search of some observations finds. */
async function searchIn(all: readonly Observation[], query: string, limit: number) {
  using temp = new TempStore();
  for (const issueNumber of new Set(all.map((each) => each.issueNumber))) {
    const observations = all.filter((each) => each.issueNumber === issueNumber);
    temp.write(`issue-${issueNumber}.json`, { version: 1, issueNumber, observations });
  }
  const hits = await temp.store.search(query, limit);
  await temp.store.close();
  return hits;
}

const plainQuery = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(" "));

Deno.test("JsonObservationStore.search() ranks the same whatever the batches, the folds and the files", async () => {
  const property = fc.asyncProperty(
    corpusOf,
    fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }),
    fc.array(plainQuery, { minLength: 1, maxLength: 4 }),
    fc.nat({ max: 10 }),
    async (observations, sizes, queries, gone) => {
      using temp = new TempStore();
      let rest = observations;
      for (let turn = 0; rest.length > 0; turn++) {
        const size = sizes[turn % sizes.length];
        await temp.store.store(rest.slice(0, size));
        if (size % 3 !== 0) await temp.another().close();
        rest = rest.slice(size);
      }
      const removed = observations.slice(0, gone % observations.length);
      for (const { id } of removed.slice(0, 2)) await temp.store.remove(id);
      for (const { id } of removed.slice(2)) await temp.store.retract(id, "wrong");
      const answers = () => Promise.all(queries.map((query) => temp.another().search(query, 100)));
      const before = await answers();
      await temp.another().rebuild();
      assertEquals(await answers(), before);
      Deno.removeSync(`${temp.root}/state/index.current`);
      assertEquals(await answers(), before);
    },
  );
  await fc.assert(property, { numRuns: 30 });
});

Deno.test("JsonObservationStore.search(): an agent of whom nothing is left is a word like any other", async () => {
  using temp = new TempStore();
  const gone = sample("Cache of pages", { agent: "tester" });
  await temp.store.store([
    gone,
    sample("The tester waits for the cache"),
    sample("Cache of tiles"),
  ]);
  await temp.store.remove(gone.id);
  const before = await temp.store.search("tester cache", 10);
  await temp.another().rebuild();
  assertEquals(await temp.another().search("tester cache", 10), before);
});

/** An index of everything, as lunr itself makes it. */
function fullIndex(observations: readonly Observation[]) {
  const builder = new lunr.Builder();
  builder.ref("id");
  for (const field of ["content", "agent", "category", "issue"]) builder.field(field);
  const pipeline = new lunr.Pipeline();
  pipeline.runString = (text: string) => termsOf(text);
  builder.searchPipeline = pipeline;
  for (const { id, content, agent, category, issueNumber } of observations) {
    builder.add({
      id,
      content: termsOf(content),
      agent: termsOf(agent),
      category: termsOf(category),
      issue: [String(issueNumber)],
    });
  }
  return builder.build();
}

const clause = fc.tuple(
  fc.constantFrom("", "+", "-"),
  fc.constantFrom("", "", "content:", "agent:", "category:", "issue:"),
  fc.constantFrom(...WORDS, "decision", "cach*", "*er", "re*y", "workr~1", "locks~2"),
  fc.constantFrom("", "", "^3"),
).map((parts) => parts.join(""))
  .filter((clause) => !/^[+-]\d/.test(clause)); // a number with a sign is a number

const signedQuery = fc.array(clause, { minLength: 1, maxLength: 4 })
  .map((clauses) => clauses.join(" "));

Deno.test("JsonObservationStore.search() finds by lunr's syntax what a lunr index of everything finds", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(corpusOf, signedQuery, async (all, query) => {
      if (!/[*~^:]|(^|\s)[+-]/.test(query)) return;
      const hits = await searchIn(all, query, 1_000);
      const expected: Array<{ ref: string }> = fullIndex(all).search(query);
      assertEquals(hits.map(({ id }) => id).sort(), expected.map(({ ref }) => ref).sort());
      const scores = hits.map(({ score }) => score);
      assertEquals(scores, scores.toSorted((a, b) => b - a));
      count += hits.length;
    }),
    { numRuns: 60 },
  );
  assert(count > 20, `only ${count} hits were compared`);
});

Deno.test("JsonObservationStore.search() ranks words with signs as it ranks plain words", async () => {
  await fc.assert(
    fc.asyncProperty(corpusOf, plainQuery, async (all, query) => {
      const isName = (word: string) => word === "engineer" || word === "architect";
      const words = [...new Set(query.split(" "))].filter((word) => !isName(word));
      const plain = await searchIn(all, words.join(" "), 1_000);
      const signed = await searchIn(
        all,
        words.map((word) => `content:${word}`).join(" "),
        1_000,
      );
      const found = new Set(signed.map(({ id }) => id));
      const both = plain.filter(({ id }) => found.has(id));
      if (both.length > 0) assertEquals(both, signed);
    }),
    { numRuns: 50 },
  );
});

Deno.test("JsonObservationStore.search() counts a word more that is given more weight", async () => {
  const [locks, queues] = [sample("All about the lock"), sample("All about the queue")];
  const all = [locks, queues, ...["a", "b", "c"].map((text) => sample(text))];
  for (const [query, best] of [["lock^3 queue", locks], ["lock queue^3", queues]] as const) {
    const hits = await searchIn(all, query, 10);
    assertEquals(hits.map(({ id }) => id).indexOf(best.id), 0, query);
    assertEquals(hits.length, 2);
  }
});

Deno.test("JsonObservationStore.search() asks nothing of a stop word that must be there", async () => {
  using temp = new TempStore();
  await temp.store.store([sample("The port is 8080"), sample("A queue of messages")]);
  assertEquals(await contents(temp, "+the +port"), ["The port is 8080"]);
});

Deno.test("JsonObservationStore.search() reads signs only where somebody wrote them", async () => {
  using temp = new TempStore();
  await temp.store.store([
    sample("Chose a well-known port: 8080"),
    sample("The engineer wrote it", { agent: "reviewer" }),
    sample("Nothing about ports of call"),
  ]);
  assertEquals((await temp.store.search("port: well-known")).length, 2);
  assertEquals((await temp.store.search("+port -call")).length, 1);
  assertEquals((await temp.store.search("agent:reviewer")).length, 1);
  assertEquals((await temp.store.search("port unknown:field")).length, 2);
  assertEquals((await temp.store.search("porl~1")).length, 2);
});

const COMMANDS = [
  "npm install -g fails",
  "rm -rf build",
  "curl -k https://localhost",
  "tar -xzf archive",
  "find . -name lock",
  "gcc -Wall -O2",
  "docker run --rm -it image",
  "git reset HEAD~1",
  "chmod +x run.sh",
  "date +%s",
  "exit code -1",
  "java -jar app",
];

for (const command of COMMANDS) {
  Deno.test(`JsonObservationStore.search() takes no sign in "${command}" for one of its own`, async () => {
    using temp = new TempStore();
    const note = sample(`It took a day to see why ${command} went wrong`);
    await temp.store.store([note, ...samples(10)]);
    assertEquals((await temp.store.search(command)).at(0)?.id, note.id);
    assertEquals((await temp.store.search(`${command} -category:error`)).at(0)?.id, note.id);
  });
}

Deno.test("JsonObservationStore.search() chooses by filters before it takes the best", async () => {
  using temp = new TempStore();
  const others = Array.from(
    { length: 60 },
    (_, index) => sample(`Add ${index}: add, add`, { issueNumber: 7, sessionId: `s${index}` }),
  );
  await temp.store.store(others.slice(0, 30));
  await temp.store.store(others.slice(30));
  const far = sample("A long text in which somebody may add something, after all", {
    issueNumber: 8,
    category: "error",
    agent: "reviewer",
    timestamp: "2026-01-05T10:00:00.000Z",
  });
  await temp.store.store([far]);
  const wanted = [
    { issueNumber: 8 },
    { category: "error" },
    { agent: "reviewer" },
    { from: "2026-01-05", to: "2026-01-05" },
  ];
  for (const filters of wanted) {
    for (const query of ["add", "content:add"]) {
      const found = await temp.store.search(query, 2, filters);
      assertEquals(found.map(({ id }) => id), [far.id], JSON.stringify(filters));
    }
  }
  assertEquals((await temp.store.search("add", 2, { issueNumber: 9 })).length, 0);
});

Deno.test("JsonObservationStore.search() takes a fuzziness that would never end for words", async () => {
  using temp = new TempStore();
  await temp.store.store([sample("The port is 8080"), sample("A queue of messages")]);
  assertEquals(await contents(temp, "porl~2"), ["The port is 8080"]);
  assertEquals(await contents(temp, "porl~3"), []);
  assertEquals(await contents(temp, "queue~999"), ["A queue of messages"]);
  assertEquals(await contents(temp, `${"port".repeat(40)}~2`), []);
});

Deno.test("JsonObservationStore.search() takes as long for a word with many stars as its terms are long", async () => {
  const search = async (length: number) => {
    const all = [sample("ab".repeat(length)), sample("Another one")];
    assertEquals((await searchIn(all, "*a*b*a*b*", 10)).length, 1);
  };
  assert(await growth(search, 4) < 10);
});

Deno.test("JsonObservationStore.search() refuses a word that stands for over 5,000 others, naming the bound", async () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
  const all = [sample(words(5_000).join(" ")), sample("x5001 Another")];
  assertEquals((await searchIn(all, "w*", 10)).length, 1);
  const { message, details } = await refusal("INVALID_INPUT", () => {
    return searchIn(all, "w* x*", 10);
  });
  assertEquals(details, { field: "query", value: "w* x*" });
  assert(message.includes("5001 words; the limit is 5000"), message);
});
