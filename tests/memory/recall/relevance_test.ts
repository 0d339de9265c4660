import { assert, assertEquals } from "@std/assert";
import { scoreObservations } from "../../../lib/memory/recall/recall_rank.ts";
import { sample } from "../temp_store.ts";

const NOW_MS = Date.parse("2026-03-31T00:00:00.000Z");
const DAY_MS = 86_400_000;

function aged(days: number, content = "Chose JSON files") {
  return sample(content, { timestamp: new Date(NOW_MS - days * DAY_MS).toISOString() });
}

function score(days: number, options: { content?: string; keywords?: string[]; recalls?: number }) {
  const { content, keywords = [], recalls = 0 } = options;
  const entry = aged(days, content);
  const recallCounts = new Map([[entry.id, recalls]]);
  return scoreObservations([entry], { keywords, nowMs: NOW_MS, recallCounts })[0].relevanceScore;
}

function close(actual: number, expected: number): void {
  assert(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);
}

Deno.test("T6: scoreObservations() ranks what is recent over what is stale", () => {
  const [old, older, recent] = [aged(60), aged(400), aged(1)];
  const scored = scoreObservations([old, older, recent], { keywords: ["json"], nowMs: NOW_MS });
  assertEquals(scored.map(({ id }) => id), [recent.id, old.id, older.id]);
});

Deno.test("T6: scoreObservations() halves recency every 30 days by its formula", () => {
  close(score(0, {}), 0.4);
  close(score(30, {}), 0.4 / 2);
  close(score(90, {}), 0.4 / 4);
});

Deno.test("T6: scoreObservations() counts recalls, ten and more alike", () => {
  close(score(0, { recalls: 5 }), 0.4 + 0.2 * 0.5);
  close(score(0, { recalls: 10 }), 0.4 + 0.2);
  close(score(0, { recalls: 99 }), 0.4 + 0.2);
});

Deno.test("T6: scoreObservations() counts the share of the keywords in the summary", () => {
  close(score(0, { keywords: ["JSON", "files", "sqlite", "wal"] }), 0.4 + 0.4 * 0.5);
  close(score(0, { keywords: ["json"], content: "JSONL only" }), 0.4);
  close(score(0, { keywords: ["\u65e5\u672c", "x"], content: "\u65e5\u672c" }), 0.4 + 0.4 * 0.5);
});

Deno.test("scoreObservations() takes a time in the future for now, and one that is none for long ago", () => {
  close(score(-5, {}), 0.4);
  const entry = { ...aged(0), timestamp: "yesterday" };
  const [scored] = scoreObservations([entry], { keywords: [], nowMs: NOW_MS });
  close(scored.relevanceScore, 0);
});

Deno.test("scoreObservations() leaves its input alone, and equals in their order", () => {
  const entries = [aged(1), aged(1), aged(1)];
  const before = structuredClone(entries);
  const scored = scoreObservations(entries, { keywords: [], nowMs: NOW_MS });
  assertEquals(scored.map(({ id }) => id), entries.map(({ id }) => id));
  assertEquals(entries, before);
});
