import { assert, assertEquals, assertThrows } from "@std/assert";
import { openFts5 } from "../../../bench/retrieval/fts5.ts";
import { renderScores, scoreSearch } from "../../../bench/retrieval/score.ts";
import { readSet, type RetrievalSet } from "../../../bench/retrieval/set.ts";
import { MAX_PER_CAPTURE, parseObservationId } from "../../../lib/memory/schema.ts";

const FOLDER = new URL("../../../bench/retrieval/", import.meta.url);

function observation(number: number, content: string): RetrievalSet["observations"][number] {
  return {
    id: `obs-engineer-1-${number}-aaaaaa`,
    agent: "engineer",
    issueNumber: 1,
    category: "key-fact",
    content,
    summary: content,
    tokens: 400,
    timestamp: "2025-01-01T00:00:00.000Z",
    sessionId: "session-1",
  };
}

const SMALL: RetrievalSet = {
  observations: ["a red cat", "a red dog", "a red cow", "a blue cow"].map((text, index) =>
    observation(index + 1, text)
  ),
  queries: [
    { query: "cow", kind: "question", evidence: ["obs-engineer-1-3-aaaaaa"] },
    {
      query: "red",
      kind: "heading",
      evidence: ["obs-engineer-1-1-aaaaaa", "obs-engineer-1-2-aaaaaa", "obs-engineer-1-3-aaaaaa"],
    },
    { query: "green", kind: "unrelated", evidence: [] },
    { query: "blue", kind: "unrelated", evidence: [] },
  ],
};

for (const half of ["dev", "held_out"] as const) {
  Deno.test(`readSet() gives ${half} with valid ids, evidence that exists, and captures in bounds`, () => {
    const { observations, queries } = readSet(half);
    const ids = new Set(observations.map(({ id }) => id));
    assertEquals(ids.size, observations.length);
    for (const id of ids) parseObservationId(id);
    const perSession = Map.groupBy(observations, ({ sessionId }) => sessionId);
    assert([...perSession.values()].every(({ length }) => length <= MAX_PER_CAPTURE));
    for (const { query, kind, evidence } of queries) {
      assert(query.trim() !== "" && evidence.every((id) => ids.has(id)));
      assertEquals([kind === "unrelated", evidence.length <= 3], [evidence.length === 0, true]);
    }
  });

  Deno.test(`${half} has enough of each kind`, () => {
    const { observations, queries } = readSet(half);
    const count = (kind: string) => queries.filter((query) => query.kind === kind).length;
    assert(observations.length >= 1_500);
    assert(count("heading") + count("subject") >= 200);
    assert(count("question") >= 60 && count("unrelated") >= 40);
  });
}

Deno.test("the halves of the retrieval set share no text, are ASCII and small", () => {
  const [dev, heldOut] = [readSet("dev"), readSet("held_out")];
  const seen = new Set(dev.observations.map(({ content }) => content));
  assertEquals(heldOut.observations.filter(({ content }) => seen.has(content)), []);
  const asked = new Set(dev.queries.map(({ query, kind }) => `${kind} ${query}`));
  const twice = heldOut.queries.filter(({ query, kind }) =>
    (kind === "question" || kind === "unrelated") && asked.has(`${kind} ${query}`)
  );
  assertEquals(twice, []);
  const files = Array.from(Deno.readDirSync(FOLDER), ({ name }) => name)
    .filter((name) => name.endsWith(".jsonl"));
  const texts = files.map((name) => Deno.readTextFileSync(new URL(name, FOLDER)));
  // deno-lint-ignore no-control-regex -- that is what ASCII is
  assertEquals(texts.filter((text) => /[^\x00-\x7f]/.test(text)), []);
  assert(texts.join("").length < 1_200_000);
});

Deno.test("scoreSearch() counts evidence among the first ten and within 1,000 tokens", async () => {
  const ids = SMALL.observations.map(({ id }) => id);
  const scores = await scoreSearch(
    SMALL,
    (query) => Promise.resolve(query === "green" ? [] : query === "cow" ? ids.toReversed() : ids),
  );
  const { recallAt10, within1000Tokens } = scores.get("question")!;
  assertEquals([recallAt10, within1000Tokens], [1, 1]);
  assertEquals(scores.get("heading")!.recallAt10, 1);
  assertEquals(scores.get("heading")!.within1000Tokens, 2 / 3);
  assertEquals(scores.get("unrelated")!.noise, 0.5);
  const all = scores.get("all")!;
  assertEquals([all.queries, all.unrelated, all.noise], [2, 2, 0.5]);
});

Deno.test("scoreSearch() gives nothing to a search that finds nothing, or only what is wrong", async () => {
  for (const found of [[], ["obs-engineer-1-4-aaaaaa"]]) {
    const scores = await scoreSearch(SMALL, () => Promise.resolve(found));
    assertEquals([scores.get("all")!.recallAt10, scores.get("all")!.within1000Tokens], [0, 0]);
    assertEquals(scores.get("all")!.noise, found.length);
  }
});

Deno.test("scoreSearch() refuses an id that was never stored", async () => {
  const failure = await scoreSearch(SMALL, () => Promise.resolve(["obs-x-1-1-zzzzzz"]))
    .then(() => undefined, (error) => error);
  assertThrows(() => {
    throw failure;
  }, RangeError);
});

Deno.test("renderScores() has a line for each kind, with a dash where nothing was measured", async () => {
  const table = renderScores(await scoreSearch(SMALL, () => Promise.resolve([])));
  assertEquals(table.split("\n").slice(1).map((line) => line.trim().split(/ +/)), [
    ["question", "1", "0.000", "0.000", "-"],
    ["heading", "1", "0.000", "0.000", "-"],
    ["unrelated", "2", "-", "-", "0.000"],
    ["all", "4", "0.000", "0.000", "0.000"],
  ]);
});

Deno.test("openFts5() joins the words by OR, stems them, and takes no operator from the query", async () => {
  const { search, close } = openFts5(SMALL.observations);
  try {
    assertEquals((await search("cows OR", 10)).toSorted(), [
      "obs-engineer-1-3-aaaaaa",
      "obs-engineer-1-4-aaaaaa",
    ]);
    assertEquals(await search("blue cow", 1), ["obs-engineer-1-4-aaaaaa"]);
    assertEquals(await search('red" NOT (', 10).then((ids) => ids.length), 3);
    assertEquals(await search("?!", 10), []);
  } finally {
    close();
  }
});
