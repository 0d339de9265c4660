// The stores that the benches of memory ask: ours, SQLite FTS5 and npm minisearch, with the
// same observations.
//
// A store of 50,000 is made from its files of lines, as after a clone; its last 1,000 observations come
// through `store()`, so that it has a copy.

import MiniSearch from "minisearch";
import { DatabaseSync } from "node:sqlite";
import { FileLockManager } from "../lib/lock/mod.ts";
import type { Observation } from "../lib/memory/schema.ts";
import { encodeLine } from "../lib/lines/line.ts";
import { lineOf } from "../lib/memory/memory_line.ts";
import { JsonObservationStore } from "../lib/memory/store/store.ts";
import { corpus, queries } from "./memory_corpus.ts";
import { freshFolder } from "./target.ts";

/** Observations of one append. */
export const BATCH = 10;
/** Most hits of a query. */
export const LIMIT = 20;
const STORED_AT_LAST = 1_000;
const PER_FILE = 1_500;

/** Observations in our store, in FTS5 and in minisearch. */
export interface Fixture {
  /** How many. */
  size: number;
  /** A folder with `.agentx/memory`. */
  folder: string;
  /** What is asked. */
  questions: string[];
  /** Opens our store. */
  open(): JsonObservationStore;
  /** Opens the database of FTS5. */
  openFts5(): DatabaseSync;
}

const fixtures = new Map<number, Promise<Fixture>>();

/** The fixture of that size; it is made once. */
export function fixtureOf(size: number): Promise<Fixture> {
  let fixture = fixtures.get(size);
  if (fixture === undefined) fixtures.set(size, fixture = makeFixture(size));
  return fixture;
}

async function makeFixture(size: number): Promise<Fixture> {
  const folder = freshFolder("disk");
  const observations = corpus(size);
  const open = () =>
    new JsonObservationStore(`${folder}/.agentx/memory`, new FileLockManager(), {
      recallsPath: `${folder}/.agentx/state/memory-recalls.json`,
    });
  const atOnce = Math.max(0, size - STORED_AT_LAST);
  writeLines(`${folder}/.agentx/memory`, observations.slice(0, atOnce));
  const store = open();
  if (atOnce > 0) await store.rebuild();
  for (let start = atOnce; start < size; start += BATCH) {
    await store.store(observations.slice(start, start + BATCH));
  }
  const openFts5 = () => {
    const database = new DatabaseSync(`${folder}/fts5.db`);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    return database;
  };
  const database = openFts5();
  database.exec(
    `CREATE VIRTUAL TABLE memory USING fts5(content, entry UNINDEXED, tokenize = "porter unicode61")`,
  );
  insertFts5(database, observations);
  database.close();
  const search = new MiniSearch({ fields: ["content"], idField: "id" });
  search.addAll(observations);
  Deno.writeTextFileSync(`${folder}/minisearch.json`, JSON.stringify(search));
  const questions = queries(200, size);
  return { size, folder, questions, open, openFts5 };
}

/** The files of lines that a clone has, of a megabyte each. */
function writeLines(folder: string, observations: readonly Observation[]): void {
  Deno.mkdirSync(`${folder}/2026-01`, { recursive: true });
  for (let start = 0; start < observations.length; start += PER_FILE) {
    const lines = observations.slice(start, start + PER_FILE).map((each) =>
      encodeLine(lineOf(each))
    );
    const name = `f${String(start).padStart(11, "0")}`;
    Deno.writeTextFileSync(`${folder}/2026-01/${name}.jsonl`, lines.join(""));
  }
}

/** Adds observations in one transaction. */
export function insertFts5(database: DatabaseSync, observations: readonly Observation[]): void {
  database.exec("BEGIN IMMEDIATE");
  const insert = database.prepare("INSERT INTO memory (content, entry) VALUES (?, ?)");
  for (const each of observations) insert.run(each.content, JSON.stringify(each));
  database.exec("COMMIT");
}

/** The best hits of any of the words. */
export function searchFts5(database: DatabaseSync, question: string): unknown[] {
  const words = question.match(/\w+/g) ?? [];
  return database
    .prepare("SELECT entry FROM memory WHERE memory MATCH ? ORDER BY bm25(memory) LIMIT ?")
    .all(words.map((word) => `"${word}"`).join(" OR "), LIMIT);
}
