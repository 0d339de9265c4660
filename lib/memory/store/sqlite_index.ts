// The index in SQLite: the place of each observation, and its words in FTS5. It is derived from the files and can be
// rebuilt at any time. Texts are read from the files, so the index keeps no copy of them.
//
// `index.current` names the database and the number in its first page. A wrong number shows that SQLite silently
// applied the journal of another database.

import type { Sqlite } from "../../sys/sqlite.ts";
import { identityOf, isNote } from "../identity.ts";
import { hash53 } from "../../base/hash.ts";
import { isObservation, type Observation } from "../schema.ts";
import { boundsOf, type SearchFilters } from "../index/filters.ts";
import { termsOf } from "../index/tokens.ts";
import { folded, isTakenBack, type Said } from "./fold.ts";
import type { Counted, Facets, Indexed, MemoryIndex } from "../index/memory_index.ts";
import { type ChangeLine, isChangeLine } from "../memory_line.ts";
import { type Placed, readAt, type SourceFile, type Sources } from "./sources.ts";
import { Tombstones } from "./tombstones.ts";

/** The states of a document: only its place is kept, found, archived, retracted, or both archived and retracted. */
const [PLACE, FOUND, ARCHIVED, RETRACTED, BOTH] = [0, 1, 2, 3, 4];

const SCHEMA = `
CREATE TABLE source (id INTEGER PRIMARY KEY, path TEXT UNIQUE, version TEXT, size INTEGER, sum INTEGER);
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT UNIQUE);
CREATE TABLE doc (id INTEGER PRIMARY KEY, uid TEXT, source INTEGER, at INTEGER, bytes INTEGER,
  own TEXT, now TEXT, state INTEGER, issue INTEGER, agent INTEGER, category INTEGER, session INTEGER,
  time INTEGER, length INTEGER, identity INTEGER, supersedes TEXT);
CREATE INDEX doc_uid ON doc (uid);
CREATE INDEX doc_issue ON doc (issue, time);
CREATE INDEX doc_session ON doc (session, time);
CREATE INDEX doc_identity ON doc (identity);
CREATE INDEX doc_source ON doc (source);
CREATE INDEX doc_archived ON doc (id) WHERE state = ${ARCHIVED};
CREATE INDEX doc_supersedes ON doc (supersedes) WHERE supersedes IS NOT NULL;
CREATE TABLE failure (source INTEGER, why TEXT);
CREATE TABLE change (uid TEXT, source INTEGER, line TEXT);
CREATE INDEX change_uid ON change (uid);
CREATE VIRTUAL TABLE words USING fts5(text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'");
CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row');
`;

const STANDING = `state IN (${FOUND}, ${ARCHIVED})`;

const VISIBLE = `doc.state IN (${FOUND}, ${ARCHIVED}) AND NOT EXISTS (SELECT 1 FROM doc AS later
  WHERE later.supersedes = doc.uid AND later.state IN (${FOUND}, ${ARCHIVED}))`;

/** Approximate rows of one transaction: a process that waits for a writer waits no longer than that. */
const BATCH = 2_000;

/** Approximate rows of one transaction of a draft, which no reader waits for. A kill loses at most this work. */
const DRAFT_BATCH = 10_000;

interface Row {
  id: number;
  uid: string;
  path: string;
  at: number;
  bytes: number;
  own: string | null;
  now: string | null;
  state: number;
  session: number;
}

const ROW = "SELECT doc.id, uid, path, at, bytes, own, now, state, session FROM doc " +
  "JOIN source ON source.id = doc.source";

/** For more observations than this, whole files are read. */
const MANY = 200;

/** Thrown if the files no longer match the index. */
export class StaleIndex extends Error {}

/** An open index. */
export class SqliteIndex implements MemoryIndex {
  readonly #db: Sqlite;
  readonly #statements = new Map<string, ReturnType<Sqlite["prepare"]>>();
  readonly #names = new Map<string, number>();

  constructor(db: Sqlite) {
    this.#db = db;
  }

  /** Turns an empty database into an index. */
  create(number: number): void {
    this.#db.exec(
      `PRAGMA secure_delete = ON; BEGIN; ${SCHEMA}; PRAGMA user_version = ${number}; COMMIT`,
    );
  }

  /** Returns the number in the first page; 0 while the database is empty. */
  get number(): number {
    return Number(this.#get("PRAGMA user_version")?.user_version);
  }

  close(): void {
    this.#db.close();
  }

  /** Whether all files are as they were when they were read. */
  isCurrent(sources: readonly SourceFile[]): boolean {
    const known = this.#sources();
    return known.size === sources.length &&
      sources.every(({ path, version }) => known.get(path)?.version === version);
  }

  /**
   * Reads the changes of the files, and commits them part by part: after a kill, the next process resumes. The caller
   * holds the lock of the index or of the draft.
   *
   * @param isDraft true if nobody reads the index before it is complete
   * @throws {StaleIndex} if the index has to be rebuilt
   */
  update(sources: Sources, list: readonly SourceFile[], { isDraft = false } = {}): void {
    const known = this.#sources();
    const there = new Set(list.map(({ path }) => path));
    const work = new Update(this, { isDraft });
    this.#db.exec(`PRAGMA secure_delete = ON; BEGIN IMMEDIATE`);
    try {
      for (const [path, source] of known) if (!there.has(path)) work.drop(source.id, true);
      for (const source of list) {
        const before = known.get(source.path);
        if (before?.version === source.version) continue;
        let isFirst = true;
        for (const part of sources.read(source, before)) {
          if (isFirst && before !== undefined && !part.isGrown) work.drop(before.id, false);
          isFirst = false;
          const version = part.isLast ? source.version : "";
          const id = this.#noteSource({ ...source, version }, part);
          for (const { oneLine } of part.failures) {
            this.run("INSERT INTO failure VALUES (?, ?)", id, oneLine);
          }
          work.add(id, part.entries);
          if (work.rows < (isDraft ? DRAFT_BATCH : BATCH) || work.isHeld) continue;
          work.settle({ isLast: !isDraft });
          this.#db.exec("COMMIT; BEGIN IMMEDIATE");
        }
      }
      work.settle();
      this.#db.exec("COMMIT");
      if (work.hasForgotten) this.#db.exec("INSERT INTO words (words) VALUES ('optimize')");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      this.#names.clear();
      throw error;
    }
  }

  /** The failures of reading. */
  failures(): string[] {
    return this.#all("SELECT why FROM failure").map(({ why }) => String(why));
  }

  totals(): { count: number; averageLength: number } {
    const sums = `SELECT count(*) AS count, avg(length) AS length FROM doc WHERE ${STANDING}`;
    const { count, length } = this.#get(sums) as Record<string, number>;
    return { count, averageLength: length ?? 0 };
  }

  agents(): string[] {
    const ids = `SELECT DISTINCT agent FROM doc WHERE ${STANDING}`;
    return this.#all(`SELECT text FROM name WHERE id IN (${ids})`).map(({ text }) => String(text));
  }

  frequencyOf(term: string): number {
    return Number(this.#get("SELECT doc FROM terms WHERE term = ?", term)?.doc ?? 0);
  }

  containing(term: string): number[] {
    return this.#all("SELECT rowid AS id FROM words WHERE words MATCH ?", quoted([term])).map(idOf);
  }

  vocabulary(): string[] {
    return this.#all("SELECT term FROM terms").map(({ term }) => String(term));
  }

  facets(): Facets[] {
    return this.#all(
      `SELECT doc.id, issue, agent.text AS agent, category.text AS category, time FROM doc
        JOIN name AS agent ON agent.id = doc.agent JOIN name AS category ON category.id = doc.category
        WHERE ${VISIBLE}`,
    ).map(({ id, issue, agent, category, time }) => ({
      number: Number(id),
      issueNumber: Number(issue),
      agent: String(agent),
      category: String(category),
      timeMs: Number(time),
    }));
  }

  best(terms: readonly string[], limit: number, filters?: SearchFilters): number[] {
    if (terms.length === 0) return [];
    const { where, values } = this.#where(filters);
    const hasArchive =
      this.#get(`SELECT 1 FROM doc WHERE state = ${ARCHIVED} LIMIT 1`) !== undefined;
    if (where === "" && !hasArchive) {
      return this.#all(
        "SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?",
        quoted(terms),
        limit,
      ).map(idOf);
    }
    return this.#all(
      `SELECT words.rowid AS id FROM words JOIN doc ON doc.id = words.rowid
        WHERE words MATCH ? ${where} ORDER BY doc.state, words.rank LIMIT ?`,
      quoted(terms),
      ...values,
      limit,
    ).map(idOf);
  }

  counted(numbers: readonly number[], terms: readonly string[]): Counted[] {
    const documents = new Map(
      this.#all(
        `SELECT doc.id, session, issue, time, state, length, agent.text AS agent, name.text AS sessionId
          FROM doc JOIN name AS agent ON agent.id = doc.agent JOIN name ON name.id = session
          WHERE doc.id IN (${numbers.map(Number).join()}) AND ${VISIBLE} ORDER BY doc.id`,
      ).map((row): [number, Counted] => {
        const agent = String(row.agent);
        const sessionId = String(row.sessionId);
        return [idOf(row), {
          number: idOf(row),
          session: Number(row.session),
          agent,
          isNote: isNote({ agent, issueNumber: Number(row.issue), sessionId }),
          timeMs: Number(row.time),
          isArchived: row.state === ARCHIVED,
          length: Number(row.length),
          hits: new Map(),
        }];
      }),
    );
    this.#db.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.spot USING fts5vocab(main, words, instance)",
    );
    const list = JSON.stringify([...documents.keys()]);
    for (const term of terms) {
      const found = this.#all(
        `SELECT doc AS id, count(*) AS hits FROM temp.spot
          WHERE term = ? AND doc IN (SELECT value FROM json_each(?)) GROUP BY doc`,
        term,
        list,
      );
      for (const row of found) documents.get(idOf(row))?.hits.set(term, Number(row.hits));
    }
    return [...documents.values()];
  }

  read(numbers: readonly number[]): Indexed[] {
    return this.#rows(`WHERE doc.id IN (${numbers.map(Number).join()}) AND ${VISIBLE}`);
  }

  session(session: number): number[] {
    return this.#all(
      `SELECT doc.id FROM doc JOIN source ON source.id = doc.source
        WHERE session = ? AND ${VISIBLE} ORDER BY time, path, at`,
      session,
    ).map(idOf);
  }

  list(filters: SearchFilters, limit: number): Observation[] {
    const { where, values } = this.#where(filters);
    return this.#rows(
      `WHERE ${VISIBLE} ${where} ORDER BY time DESC, path DESC, at DESC LIMIT ?`,
      ...values,
      limit,
    )
      .map(({ observation }) => observation);
  }

  inPlace(issueNumber?: number): Observation[] {
    const where = issueNumber === undefined ? "" : `AND issue = ${Number(issueNumber)}`;
    return this.#rows(`WHERE state IN (${FOUND}, ${RETRACTED}) ${where} ORDER BY issue, path, at`)
      .map(({ observation }) => observation);
  }

  newest(issueNumber: number, limit: number): Observation[] {
    return this.#rows(
      `WHERE issue = ? AND ${VISIBLE} AND state = ${FOUND} ORDER BY time DESC, path DESC, at DESC LIMIT ?`,
      issueNumber,
      limit,
    ).map(({ observation }) => observation).reverse();
  }

  archived(issueNumber: number): Observation[] {
    return this.#rows(
      `WHERE issue = ? AND state IN (${ARCHIVED}, ${BOTH}) ORDER BY path, at`,
      issueNumber,
    )
      .map(({ observation }) => observation);
  }

  get(id: string): Observation | undefined {
    return this.#rows(`WHERE uid = ? AND state <> ${PLACE}`, id).at(0)?.observation;
  }

  ids(text: string): string[] {
    return this.#all(
      `SELECT DISTINCT uid FROM doc WHERE state <> ${PLACE} AND (substr(uid, 1, ?) = ? OR uid LIKE ?)`,
      text.length,
      text,
      `%-${text}`,
    ).map(({ uid }) => String(uid));
  }

  isKnown(id: string, identity: number): boolean {
    const places = this.rows("WHERE uid = ?", id);
    const isThere = places.some(({ state }) => state !== PLACE) ||
      places.length > 0 &&
        !isTakenBack(places.map((row) => saidBy(row)), this.changes("uid = ?", id));
    return isThere || this.#get("SELECT 1 FROM doc WHERE identity = ?", identity) !== undefined;
  }

  forgotten(): ChangeLine[] {
    return this.changes("1").filter(({ op }) => op === "forget");
  }

  issues(): number[] {
    return this.#all(`SELECT DISTINCT issue FROM doc WHERE state <> ${PLACE} ORDER BY issue`)
      .map(({ issue }) => Number(issue));
  }

  /** Runs a statement, for {@linkcode Update}. */
  run(sql: string, ...values: (string | number | null)[]): void {
    this.#statement(sql).run(...values);
  }

  /** Inserts a row and returns its id, for {@linkcode Update}. */
  insert(sql: string, ...values: (string | number | null)[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  /** Returns the id of a name, and adds the name if it is new, for {@linkcode Update}. */
  nameOf(text: string): number {
    let id = this.#names.get(text);
    if (id === undefined) {
      id = Number(this.#get("SELECT id FROM name WHERE text = ?", text)?.id ?? 0) ||
        this.insert("INSERT INTO name (text) VALUES (?)", text);
      this.#names.set(text, id);
    }
    return id;
  }

  /** Returns the rows of a query, for {@linkcode Update}. */
  rows(sql: string, ...values: (string | number)[]): Row[] {
    return this.#all(`${ROW} ${sql}`, ...values) as unknown as Row[];
  }

  /** Returns the lines of changes that match a condition, for {@linkcode Update}. */
  changes(where: string, ...values: string[]): ChangeLine[] {
    return this.#all(`SELECT line FROM change WHERE ${where}`, ...values).flatMap(({ line }) => {
      const value: unknown = JSON.parse(String(line));
      return isChangeLine(value) ? [value] : [];
    });
  }

  #rows(sql: string, ...values: (string | number)[]): Indexed[] {
    const rows = this.rows(sql, ...values);
    const files = rows.length > MANY ? new Map<string, Uint8Array>() : undefined;
    return rows.map((row) => ({
      number: row.id,
      observation: row.now === null ? saidBy(row, files).observation : JSON.parse(row.now),
      session: row.session,
      isArchived: row.state === ARCHIVED || row.state === BOTH,
    }));
  }

  #where(filters: SearchFilters = {}): { where: string; values: (string | number)[] } {
    const { agent, issueNumber, category } = filters;
    const { fromMs, toMs } = boundsOf(filters);
    const parts: string[] = [];
    const values: (string | number)[] = [];
    if (issueNumber !== undefined) {
      parts.push("doc.issue = ?");
      values.push(issueNumber);
    }
    if (category !== undefined) {
      parts.push("doc.category = (SELECT id FROM name WHERE text = ?)");
      values.push(category);
    }
    if (agent !== undefined) {
      parts.push("doc.agent IN (SELECT id FROM name WHERE text = ? OR substr(text, 1, ?) = ?)");
      values.push(agent, agent.length + 1, `${agent}@`);
    }
    if (Number.isFinite(fromMs)) {
      parts.push("(doc.time = 0 OR doc.time >= ?)");
      values.push(fromMs);
    }
    if (Number.isFinite(toMs)) {
      parts.push("(doc.time = 0 OR doc.time <= ?)");
      values.push(toMs);
    }
    return { where: parts.map((part) => `AND ${part}`).join(" "), values };
  }

  #sources(): Map<string, { id: number; version: string; size: number; sum: number }> {
    const rows = this.#all("SELECT * FROM source") as unknown as {
      id: number;
      path: string;
      version: string;
      size: number;
      sum: number;
    }[];
    return new Map(rows.map((row) => [row.path, row]));
  }

  #noteSource({ path, version }: SourceFile, { size, sum }: { size: number; sum: number }): number {
    this.run(
      `INSERT INTO source (path, version, size, sum) VALUES (?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET version = excluded.version, size = excluded.size, sum = excluded.sum`,
      path,
      version,
      size,
      sum,
    );
    return Number(this.#get("SELECT id FROM source WHERE path = ?", path)?.id);
  }

  #statement(sql: string): ReturnType<Sqlite["prepare"]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      if (this.#statements.size < 100) this.#statements.set(sql, statement);
    }
    return statement;
  }

  #get(sql: string, ...values: (string | number)[]): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #all(sql: string, ...values: (string | number)[]): Record<string, unknown>[] {
    return this.#statement(sql).all(...values);
  }
}

/** Applies the changes of the files to the index. */
class Update {
  /** Number of entries added since the last {@linkcode Update.settle}. */
  rows = 0;
  /** Whether something was forgotten: its words must not stay in the database. */
  hasForgotten = false;
  /** Whether a file was dropped; its lines may be in a file that is not read yet. */
  isHeld = false;
  readonly #index: SqliteIndex;
  readonly #tombstones = new Tombstones();
  readonly #touched = new Set<string>();
  readonly #changed: Set<string>;
  readonly #fresh = new Map<number, Said>();
  /** Ids of dropped lines that forgot something, until a file that has them is read. */
  readonly #lost = new Set<string>();
  readonly #files = new Map<string, Uint8Array>();
  #isForgetting = false;

  constructor(index: SqliteIndex, { isDraft }: { isDraft: boolean }) {
    this.#index = index;
    const changes = index.changes("1");
    this.#changed = new Set(changes.map(({ uid }) => uid));
    for (const change of changes) if (change.op === "forget") this.#tombstones.add(change);
    // A killed process may not have applied the tombstones to all observations.
    this.#isForgetting = isDraft && !this.#tombstones.isEmpty;
  }

  /** Removes all entries of a file. */
  drop(source: number, isGone: boolean): void {
    const index = this.#index;
    for (const row of index.rows("WHERE source = ?", source)) this.#unfind(row);
    for (const { id, uid, op } of index.changes(`source = ${source}`)) {
      this.#touched.add(uid);
      if (op === "forget") this.#lost.add(id);
    }
    index.run("DELETE FROM failure WHERE source = ?", source);
    index.run("DELETE FROM doc WHERE source = ?", source);
    index.run("DELETE FROM change WHERE source = ?", source);
    if (isGone) index.run("DELETE FROM source WHERE id = ?", source);
    this.isHeld = true;
  }

  /** Adds the entries of a file. */
  add(source: number, entries: readonly Placed[]): void {
    const index = this.#index;
    for (const entry of entries) {
      this.rows++;
      if ("change" in entry) {
        const { change } = entry;
        index.run(
          "INSERT INTO change VALUES (?, ?, ?)",
          change.uid,
          source,
          JSON.stringify(change),
        );
        this.#changed.add(change.uid);
        this.#touched.add(change.uid);
        if (this.#lost.delete(change.id)) continue;
        if (change.op !== "forget") continue;
        this.#tombstones.add(change);
        this.#isForgetting = true;
        continue;
      }
      const { at, bytes, isLine, ...said } = entry;
      const { id: uid } = said.observation;
      const own = isLine ? null : JSON.stringify(said);
      const id = index.insert(
        "INSERT INTO doc (uid, source, at, bytes, own, state) VALUES (?, ?, ?, ?, ?, ?)",
        uid,
        source,
        at,
        bytes,
        own,
        PLACE,
      );
      this.#fresh.set(id, said);
      this.#touched.add(uid);
    }
  }

  /** Recomputes the state of each changed observation. */
  settle({ isLast = true }: { isLast?: boolean } = {}): void {
    const index = this.#index;
    for (const { id } of index.forgotten()) this.#lost.delete(id);
    if (this.#lost.size > 0) {
      throw new StaleIndex("what was forgotten may be known again");
    }
    if (this.#isForgetting && isLast) {
      for (const { uid } of index.rows("")) this.#touched.add(uid);
      this.#isForgetting = false;
      this.hasForgotten = true;
    }
    for (const uid of this.#touched) this.#settle(uid);
    this.#touched.clear();
    this.#fresh.clear();
    this.#files.clear();
    this.rows = 0;
  }

  #settle(uid: string): void {
    const index = this.#index;
    const rows = index.rows("WHERE uid = ?", uid);
    for (const change of this.#changed.has(uid) ? index.changes("uid = ?", uid) : []) {
      if (change.op === "moved" && change.to !== uid) this.#settle(change.to);
    }
    if (rows.length === 0) return;
    const said = rows.map((row) => this.#fresh.get(row.id) ?? saidBy(row, this.#files));
    const from = said.find((each) => each.from !== undefined)?.from;
    const changes = [uid, from].flatMap((id) =>
      id !== undefined && this.#changed.has(id) ? index.changes("uid = ?", id) : []
    );
    const result = folded(said, changes, this.#tombstones);
    const known = rows.find(({ state }) => state !== PLACE);
    if (result === undefined) {
      if (known !== undefined) this.#unfind(known);
      if (isTakenBack(said, changes)) {
        index.run("UPDATE doc SET identity = NULL WHERE uid = ?", uid); // the same words may be stored again
      }
      return;
    }
    const row = rows.reduce((a, b) => isBefore(b, a) ? b : a);
    const { observation, isArchived } = result;
    const now = JSON.stringify(observation);
    const original = said[rows.indexOf(row)].observation;
    const isAsSaid = now === JSON.stringify(original);
    const isRetracted = observation.retracted !== undefined;
    const state = isArchived ? isRetracted ? BOTH : ARCHIVED : isRetracted ? RETRACTED : FOUND;
    const isKnown = known === row && known.state === state;
    if (isKnown && known.now === (isAsSaid ? null : now)) return;
    if (known !== undefined) this.#unfind(known);
    const terms = isRetracted ? [] : termsOf(observation.content);
    index.run(
      `UPDATE doc SET now = ?, state = ?, issue = ?, agent = ?, category = ?, session = ?, time = ?,
        length = ?, identity = ?, supersedes = ? WHERE id = ?`,
      isAsSaid ? null : now,
      state,
      observation.issueNumber,
      index.nameOf(observation.agent),
      index.nameOf(observation.category),
      index.nameOf(observation.sessionId),
      Date.parse(observation.timestamp) || 0,
      terms.length,
      hash53(identityOf(original)),
      observation.supersedes ?? null,
      row.id,
    );
    if (isRetracted) return;
    index.run("INSERT INTO words (rowid, text) VALUES (?, ?)", row.id, terms.join(" "));
  }

  /** Hides a document from searches. */
  #unfind({ id, uid, state }: Row): void {
    const index = this.#index;
    this.#touched.add(uid);
    if (state === FOUND || state === ARCHIVED) index.run("DELETE FROM words WHERE rowid = ?", id);
    index.run("UPDATE doc SET state = 0, now = NULL, supersedes = NULL WHERE id = ?", id);
  }
}

/** Reads the observation at a place: from the copy in the row, or from the file. */
function saidBy({ uid, path, at, bytes, own }: Row, files?: Map<string, Uint8Array>): Said {
  const entry: unknown = own === null ? readAt(path, at, bytes, files) : JSON.parse(own);
  const said = entry as Said | undefined;
  if (isObservation(said?.observation) && said.observation.id === uid) return said;
  throw new StaleIndex(`"${path}" is not as it was`);
}

/** Whether place `a` of an observation comes before `b`: the first one must not depend on the order of reading. */
function isBefore(a: Row, b: Row): boolean {
  return a.path === b.path ? a.at < b.at : a.path < b.path;
}

function quoted(terms: readonly string[]): string {
  return terms.map((term) => `"${term}"`).join(" OR ");
}

function idOf({ id }: Record<string, unknown>): number {
  return Number(id);
}
