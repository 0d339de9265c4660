// The peer: full-text search of SQLite (FTS5, porter stemming, bm25), the words of the query joined
// by OR. Run by itself it prints its figures on both halves.

import { DatabaseSync } from "node:sqlite";
import { renderScores, scoreSearch, type Search } from "./score.ts";
import { type Half, readSet, type RetrievalSet } from "./set.ts";

/** The search, and `close` to let go of the database. */
export function openFts5(
  observations: RetrievalSet["observations"],
): { search: Search; close: () => void } {
  const database = new DatabaseSync(":memory:");
  database.exec(
    `CREATE VIRTUAL TABLE memory USING fts5(id UNINDEXED, content, tokenize = "porter unicode61")`,
  );
  const insert = database.prepare("INSERT INTO memory (id, content) VALUES (?, ?)");
  for (const { id, content } of observations) insert.run(id, content);
  const select = database.prepare(
    "SELECT id FROM memory WHERE memory MATCH ? ORDER BY bm25(memory), rowid LIMIT ?",
  );
  const search: Search = (query, limit) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return Promise.resolve([]);
    const rows = select.all(words.map((word) => `"${word}"`).join(" OR "), limit);
    return Promise.resolve(rows.map(({ id }) => String(id)));
  };
  return { search, close: () => database.close() };
}

if (import.meta.main) {
  for (const half of ["dev", "held_out"] satisfies Half[]) {
    const set = readSet(half);
    const { search, close } = openFts5(set.observations);
    console.log(`${half}: ${set.observations.length} observations`);
    console.log(renderScores(await scoreSearch(set, search)));
    close();
  }
}
