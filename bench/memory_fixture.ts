/**
 * The stores that the benches of memory and of hooks ask: ours, SQLite FTS5 and npm minisearch, with the
 * same observations.
 *
 * A store of 50,000 is made from its issue files, as after a clone; its last 1,000 observations come
 * through `store()`, so that it has small segments and a journal.
 *
 * @module
 */

import MiniSearch from "minisearch";
import { DatabaseSync } from "node:sqlite";
import { FileLockManager } from "../lib/lock/mod.ts";
import type { Observation } from "../lib/memory/schema.ts";
import { encodeMemoryFile } from "../lib/memory/store/memory_file.ts";
import { JsonObservationStore } from "../lib/memory/store/store.ts";
import { corpus, queries } from "./memory_corpus.ts";
import { runAgentx } from "./process.ts";
import { freshFolder } from "./target.ts";

/** Asks once and prints what `agentx memory search` prints of a hit. */
const ONE_SHOT = `import { DatabaseSync } from "node:sqlite";
const [path, question] = Deno.args;
const database = new DatabaseSync(path);
const words = (question.match(/\\w+/g) ?? []).map((word) => '"' + word + '"').join(" OR ");
const rows = database
  .prepare("SELECT entry FROM memory WHERE memory MATCH ? ORDER BY bm25(memory) LIMIT 20")
  .all(words);
for (const { entry } of rows) {
  const { id, category, timestamp, tokens, summary } = JSON.parse(entry);
  console.log("  " + [id, category, timestamp.slice(0, 10), tokens + " tokens"].join("  "));
  console.log("    " + summary);
}
if (rows.length === 0) throw new Error("nothing found");
database.close();
`;

/** Observations of one append. */
export const BATCH = 10;
/** Most hits of a query. */
export const LIMIT = 20;
const STORED_AT_LAST = 1_000;

/** Observations in our store, in FTS5 and in minisearch. */
export interface Fixture {
  /** How many. */
  size: number;
  /** A workspace, whose issue 1 has the first question as its title. */
  folder: string;
  /** What is asked. */
  questions: string[];
  /** Opens our store. */
  open(): JsonObservationStore;
  /** Opens the database of FTS5. */
  openFts5(): DatabaseSync;
}

const fixtures = new Map<string, Promise<Fixture>>();

/** @returns the fixture of that size, of which so many are of issue 1; it is made once */
export function fixtureOf(size: number, inOneIssue = 0): Promise<Fixture> {
  const key = `${size} ${inOneIssue}`;
  let fixture = fixtures.get(key);
  if (fixture === undefined) fixtures.set(key, fixture = makeFixture(size, inOneIssue));
  return fixture;
}

async function makeFixture(size: number, inOneIssue: number): Promise<Fixture> {
  const folder = freshFolder("disk");
  const observations = corpus(size).map((each, index) =>
    index < inOneIssue ? ofIssue(1, each) : each
  );
  const open = () =>
    new JsonObservationStore(`${folder}/.agentx/memory`, new FileLockManager(), {
      recallsPath: `${folder}/.agentx/state/memory-recalls.json`,
    });
  const atOnce = Math.max(0, size - STORED_AT_LAST);
  writeIssueFiles(`${folder}/.agentx/memory`, observations.slice(0, atOnce));
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
  Deno.writeTextFileSync(`${folder}/fts5.ts`, ONE_SHOT);
  const questions = queries(200, size);
  await runAgentx(folder, ["issue", "create", "--title", questions[0]]);
  return { size, folder, questions, open, openFts5 };
}

function writeIssueFiles(folder: string, observations: readonly Observation[]): void {
  Deno.mkdirSync(folder, { recursive: true });
  const byIssue = new Map<number, Observation[]>();
  for (const each of observations) {
    byIssue.set(each.issueNumber, [...byIssue.get(each.issueNumber) ?? [], each]);
  }
  for (const [issueNumber, observations] of byIssue) {
    const updatedAt = observations[0].timestamp;
    const file = { version: 1 as const, issueNumber, updatedAt, observations };
    Deno.writeTextFileSync(
      `${folder}/issue-${issueNumber}.json`,
      encodeMemoryFile(file, "observations"),
    );
  }
}

/** Adds observations in one transaction. */
export function insertFts5(database: DatabaseSync, observations: readonly Observation[]): void {
  database.exec("BEGIN IMMEDIATE");
  const insert = database.prepare("INSERT INTO memory (content, entry) VALUES (?, ?)");
  for (const each of observations) insert.run(each.content, JSON.stringify(each));
  database.exec("COMMIT");
}

/** @returns the best hits of any of the words */
export function searchFts5(database: DatabaseSync, question: string): unknown[] {
  const words = question.match(/\w+/g) ?? [];
  return database
    .prepare("SELECT entry FROM memory WHERE memory MATCH ? ORDER BY bm25(memory) LIMIT ?")
    .all(words.map((word) => `"${word}"`).join(" OR "), LIMIT);
}

function ofIssue(issueNumber: number, observation: Observation): Observation {
  const id = observation.id.replace(`-${observation.issueNumber}-`, `-${issueNumber}-`);
  return { ...observation, id, issueNumber };
}

let fresh = 0;

/** Stores one observation more: a writer takes in what was pulled before. */
export async function storeOne({ size, open }: Fixture): Promise<void> {
  const store = open();
  await store.store(corpus(1, size + 100_000 + fresh++));
  await store.close();
}

/** Brings an observation each to five issue files, as a pull does. */
export function pullFiveFiles({ folder, size }: Fixture): void {
  const memory = `${folder}/.agentx/memory`;
  const paths = Array.from(Deno.readDirSync(memory), ({ name }) => `${memory}/${name}`)
    .filter((path) => /issue-\d+\.json$/.test(path)).sort().slice(-5);
  for (const path of paths) {
    const file = JSON.parse(Deno.readTextFileSync(path));
    const [added] = corpus(1, size + 100_000 + fresh++);
    file.observations.push(ofIssue(file.issueNumber, added));
    Deno.writeTextFileSync(path, encodeMemoryFile(file, "observations"));
  }
}

/** Removes what was prepared for sessions, in a workspace. */
export function removeRecalls(folder: string): void {
  Deno.removeSync(`${folder}/.agentx/state/recalls`, { recursive: true });
}
