import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { planCompaction } from "../../lib/memory/compaction_plan.ts";
import {
  estimateTokens,
  MAX_CONTENT,
  type Observation,
  parseObservationId,
  summaryOf,
} from "../../lib/memory/schema.ts";
import { sample } from "./temp_store.ts";

const NOW_MS = Date.parse("2026-06-30T00:00:00.000Z");
const DAY_MS = 86_400_000;

function aged(days: number, content: string, changes: Partial<Observation> = {}): Observation {
  return sample(content, {
    timestamp: new Date(NOW_MS - days * DAY_MS).toISOString(),
    ...changes,
  });
}

/** So many old observations of about so many words, which have few words in common. */
function old(count: number, words = 60): Observation[] {
  return Array.from({ length: count }, (_, index) => {
    const sentence = (at: number) => `Topic${index} says word${index * 97 + at} here.`;
    const content = Array.from({ length: words / 4 }, (_, at) => sentence(at)).join(" ");
    const category = (["decision", "code-change", "error", "key-fact"] as const)[index % 4];
    return aged(100 + index, content, { category });
  });
}

/** So many words that nothing else has. */
function text(words: number, seed: number): string {
  return Array.from({ length: words }, (_, at) => `w${seed}x${at}`).join(" ");
}

const plan = (list: readonly Observation[]) => planCompaction(list, NOW_MS);

for (const [count, words] of [[2, 60], [3, 60], [7, 260], [25, 60], [60, 20], [200, 60]]) {
  Deno.test(`T11: planCompaction() halves ${count} old observations of ${words} words`, () => {
    const list = old(count, words);
    const { remove, add } = plan(list);
    assertEquals(remove, list.map(({ id }) => id).sort());
    assert(add.length >= 1 && add.length <= count / 2, String(add.length));
  });
}

Deno.test("T11: planCompaction() makes summaries that can be stored and name what they replace", () => {
  const list = old(40);
  const { remove, add } = plan(list);
  assertEquals(add.flatMap(({ replaces = [] }) => replaces).sort(), remove);
  for (const { id, agent, content, summary, tokens, category, timestamp } of add) {
    assertEquals(category, "compaction-summary");
    assert(content.length <= MAX_CONTENT && content.isWellFormed());
    assertEquals([summary, tokens], [summaryOf(content), estimateTokens(content)]);
    const parsed = parseObservationId(id);
    assertEquals(parsed, { agent, issueNumber: 29, timestampMs: Date.parse(timestamp) });
  }
});

Deno.test("T11: planCompaction() keeps every piece word for word, whole where there is room", () => {
  const list = old(30);
  const texts = plan(list).add.map(({ content }) => content).join("\n");
  for (const { content, agent, category, timestamp } of list) {
    assert(texts.includes(`${category} (${agent}, ${timestamp.slice(0, 10)}): ${content}`));
  }
});

Deno.test("T11: planCompaction() keeps whole sentences of what is too long for a summary of two", () => {
  const list = old(2, 300);
  const [{ content }] = plan(list).add;
  assert(content.length > 1_600, String(content.length));
  for (const line of content.split("\n")) {
    const text = line.replace(/^[^:]+: /, "");
    assert(text.endsWith("here.") && list.some((one) => one.content.startsWith(text)), text);
  }
});

Deno.test("T11: planCompaction() leaves what is younger than 90 days, and summaries, alone", () => {
  const young = [aged(1, "Chose a"), aged(89, "Chose b")];
  const { add } = plan(old(10));
  assertEquals(plan([...young, ...add]), { remove: [], add: [] });
  const list = [...old(6), ...young];
  const kept = list.filter(({ id }) => !plan(list).remove.includes(id));
  assertEquals(kept, young);
});

Deno.test("T11: planCompaction() keeps the newest words of those that say the same", () => {
  const [first, second, other] = [
    aged(200, "The timeout of the lock is thirty seconds by default"),
    aged(100, "the timeout of the lock is thirty seconds, by default"),
    aged(150, "The agent reads its prompt from standard input"),
  ];
  const [{ content, replaces }] = plan([first, second, other]).add;
  assert(content.includes(second.content) && !content.includes(first.content));
  assertEquals(replaces?.toSorted(), [first.id, second.id, other.id].sort());
});

Deno.test("T11: planCompaction() lets nothing wrong into a summary", () => {
  const wrong = aged(200, "The timeout is five seconds");
  const right = aged(150, "It is thirty seconds, as measured", { supersedes: wrong.id });
  const retracted = { because: "no", timestamp: right.timestamp };
  const taken = aged(150, "The cache is stale", { retracted });
  const list = [wrong, right, taken, ...old(4)];
  const { remove, add } = plan(list);
  const texts = add.map(({ content }) => content).join("\n");
  assert(texts.includes("thirty") && !texts.includes("five") && !texts.includes("stale"));
  assertEquals([remove.includes(wrong.id), remove.includes(taken.id)], [true, false]);
});

Deno.test("T11: planCompaction() keeps a correction as long as what it corrects stays", () => {
  const young = aged(10, "The timeout is five seconds");
  const right = aged(120, "It is thirty seconds, as measured", { supersedes: young.id });
  assert(!plan([young, right, ...old(4)]).remove.includes(right.id));
});

Deno.test("T11: planCompaction() plans the same whatever the order it is given", () => {
  const list = old(30);
  assertEquals(plan(list.toReversed()), plan(list));
});

Deno.test("T11: planCompaction() keeps apart what different agents said in one session", () => {
  const list = old(20).map((one, at) => ({
    ...one,
    agent: at % 2 === 0 ? "engineer" : "reviewer",
  }));
  const agentOf = new Map(list.map(({ id, agent }) => [id, agent]));
  const { add } = plan(list);
  for (const { agent, replaces = [] } of add) {
    assertEquals([...new Set(replaces.map((id) => agentOf.get(id)))], [agent]);
  }
});

/** An observation that is alone in its session, with so many words that no other one has. */
function alone(days: number, subject: string, words = 60): Observation {
  const content = `The ${subject} ${subject}Cache keeps ${subject}Files. ${text(words, days)}`;
  return aged(days, content, { sessionId: `session-${days}` });
}

const strangers = (count: number) =>
  Array.from({ length: count }, (_, at) => alone(400 + at, `subject${at}`));

const holding = (add: readonly Observation[], { id }: Observation) =>
  add.find(({ replaces }) => replaces?.includes(id));

Deno.test("T11: planCompaction() puts together what is about the same and alone in its session", () => {
  const list = [
    alone(300, "walrus"),
    alone(200, "heron"),
    alone(120, "walrus"),
    alone(95, "heron"),
  ];
  const all = [...strangers(40), ...list];
  const { remove, add } = plan(all);
  assertEquals(remove.length, all.length);
  assertEquals(holding(add, list[0])?.replaces, [list[0].id, list[2].id]);
  assertEquals(holding(add, list[1])?.replaces, [list[1].id, list[3].id]);
});

Deno.test("T11: planCompaction() looks for company that needs nothing to be cut", () => {
  const list = [alone(300, "walrus", 180), alone(200, "walrus", 180), alone(100, "walrus", 20)];
  const { add } = plan([...strangers(40), ...list]);
  assert(list[0].content.length + list[1].content.length > MAX_CONTENT);
  assertEquals(holding(add, list[2])?.replaces, [list[0].id, list[2].id]);
});

Deno.test("T11: planCompaction() cuts nothing of a session that has company elsewhere", () => {
  const long = [alone(300, "heron", 180), alone(200, "otter", 180)]
    .map((one) => ({ ...one, sessionId: "both" }));
  const short = [alone(100, "heron", 20), alone(95, "otter", 20)];
  const { add } = plan([...strangers(40), ...long, ...short]);
  assertEquals(holding(add, long[0])?.replaces, [long[0].id, short[0].id]);
  assertEquals(holding(add, long[1])?.replaces, [long[1].id, short[1].id]);
});

Deno.test("T11: planCompaction() merges no single observation", () => {
  assertEquals(plan(old(1)), { remove: [], add: [] });
  assertEquals(plan([]), { remove: [], add: [] });
});

Deno.test("T11: planCompaction() keeps its promises for any observations", () => {
  const observation = fc.record({
    days: fc.integer({ min: 80, max: 400 }),
    text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 2_000 }),
    repeat: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 30 }), (list) => {
      const all = list.map(({ days, text, repeat }) =>
        aged(days, text.repeat(repeat).slice(0, MAX_CONTENT).toWellFormed())
      );
      const { remove, add } = plan(all);
      assert(add.length * 2 <= remove.length);
      assert(add.every(({ content }) => content.length <= MAX_CONTENT && content.isWellFormed()));
      assertEquals(add.flatMap(({ replaces = [] }) => replaces).sort(), remove);
    }),
    { numRuns: 60 },
  );
});
