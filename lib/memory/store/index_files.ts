// Chooses the index: the database that `index.current` names, brought up to date; a new database if none can be used;
// or the index in memory if SQLite cannot be used at all.

import { AgentxError, hasCode, orElse } from "../../base/errors.ts";
import { dayOf } from "../../base/time.ts";
import type { FileLockManager, LockHandle } from "../../lock/mod.ts";
import { randomId } from "../../lines/line.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { replaceFile } from "../../sys/replace_file.ts";
import { isSqliteFailure, loadSqlite, type OpenSqlite } from "../../sys/sqlite.ts";
import { commitFile } from "../../lock/commit.ts";
import type { MemoryIndex } from "../index/memory_index.ts";
import { MOST_RANKED, PlainIndex } from "./plain_index.ts";
import type { Sources } from "./sources.ts";
import { SqliteIndex, StaleIndex } from "./sqlite_index.ts";

/** Maximum time that a reader waits for a writer. */
const WAIT_MS = 200;

/** Version of the tables: a database of another version is rebuilt. */
const FORM = 3;

const CURRENT = new RegExp(`^(index-${FORM}-[0-9a-v]+\\.db) ([0-9]+)\n$`);
const DATABASE = /^index-(?:[0-9]+-)?[0-9a-v]+\.db(?:-journal)?$/;

/** Matches an index that is being built, and its journal. */
const DRAFT = /^index\.(?:current|draft)\.new(?:-journal)?$/;

const AGENT = "memory";

const NO_SQLITE = "this runtime has no SQLite with FTS5; Node 22.16, Deno and Bun have it";

/** The indexes in a folder; one of them is current. */
export class IndexFiles {
  /** The path of `index.current`. Its lock protects all writes to memory. */
  readonly path: string;
  readonly #folder: string;
  readonly #sources: Sources;
  readonly #locks: FileLockManager;
  readonly #tell: (message: string) => void;
  #open: { current: string; index: SqliteIndex } | undefined;
  #plain: { version: string; index: PlainIndex } | undefined;

  /** `folder` is `.agentx/state`. `tell` is called if something could not be read, or if the index is not used. */
  constructor(folder: string, sources: Sources, { locks, tell }: {
    locks: FileLockManager;
    tell: (message: string) => void;
  }) {
    this.#folder = folder;
    this.path = `${folder}/index.current`;
    this.#sources = sources;
    this.#locks = locks;
    this.#tell = tell;
  }

  /** Calls `ask` with an index that is up to date with the files. */
  async look<T>(ask: (index: MemoryIndex) => T | Promise<T>): Promise<T> {
    if (this.#sources.list().length === 0) return await ask(this.plain());
    const open = await loadSqlite();
    if (open === undefined) return await ask(this.#withoutSqlite());
    try {
      return await ask(this.#current(open) ?? await this.#refresh(open));
    } catch (error) {
      if (!(error instanceof StaleIndex)) return await ask(this.plain(whyOf(error)));
    }
    try {
      this.close();
      return await ask(await this.#refresh(open));
    } catch (error) {
      return await ask(this.plain(whyOf(error)));
    }
  }

  /** Returns an index that is up to date, for a caller that holds the lock. */
  async lookLocked(lock: LockHandle): Promise<MemoryIndex> {
    const open = await loadSqlite();
    if (open === undefined) return this.#withoutSqlite();
    try {
      return this.#updated(open) ?? this.#publish(open, this.#draft(open, this.path), lock);
    } catch (error) {
      return this.plain(whyOf(error));
    }
  }

  /** Builds a new index of all files. */
  async rebuild(): Promise<void> {
    const open = await loadSqlite();
    if (open === undefined) return;
    const path = `${this.#folder}/index.draft`;
    sys.makeDir(this.#folder);
    await this.#locks.withSafeLock(path, AGENT, async () => {
      const draft = this.#draft(open, path);
      await this.#locks.withSafeLock(this.path, AGENT, (lock) => this.#publish(open, draft, lock));
    });
  }

  /** Removes drafts that killed processes left behind. */
  removeDrafts(): void {
    for (const name of sys.readDir(this.#folder)) {
      if (DRAFT.test(name)) sys.removeFile(`${this.#folder}/${name}`);
    }
  }

  /** Returns the index in memory. With `why`, it says why SQLite is not used, unless the memory is empty. */
  plain(why?: string): PlainIndex {
    const version = JSON.stringify(this.#sources.list());
    if (this.#plain?.version !== version) {
      this.#plain = { version, index: new PlainIndex(this.#sources) };
    }
    const { index } = this.#plain;
    for (const { oneLine } of index.failures) this.#tell(`Skipped: ${oneLine}`);
    const left = index.unranked === 0 ? "" : `; only the newest ${MOST_RANKED} are searched`;
    if (why !== undefined && index.totals().count > 0) {
      this.#tell(`Memory is searched without its index: ${why}${left}`);
    }
    return index;
  }

  /** Returns the index in memory if the runtime has no SQLite; says so once a day. */
  #withoutSqlite(): PlainIndex {
    const path = `${this.#folder}/index.none`;
    const today = dayOf(sys.now());
    if (sys.readTextFile(path) === today) return this.plain();
    const index = this.plain(NO_SQLITE);
    if (index.totals().count > 0) {
      // If the day cannot be noted, the message is repeated.
      orElse(undefined, () => replaceFile(path, today, { mode: privateModes().file }), "IO_ERROR");
    }
    return index;
  }

  /** Returns the bytes of the databases. */
  bytes(): number {
    return sys.readDir(this.#folder).filter((name) => DATABASE.test(name))
      .reduce((sum, name) => sum + (sys.lstat(`${this.#folder}/${name}`)?.size ?? 0), 0);
  }

  /** Returns the current index if it is up to date. */
  #current(open: OpenSqlite): SqliteIndex | undefined {
    const index = this.#opened(open);
    if (index?.isCurrent(this.#sources.list()) !== true) return undefined;
    for (const why of index.failures()) this.#tell(`Skipped: ${why}`);
    return index;
  }

  /** Opens the database that `index.current` names, if it has the right number. */
  #opened(open: OpenSqlite): SqliteIndex | undefined {
    const current = sys.readTextFile(this.path) ?? "";
    if (this.#open !== undefined && this.#open.current === current) return this.#open.index;
    this.close();
    const [, name, number] = CURRENT.exec(current) ?? [];
    const path = `${this.#folder}/${name}`;
    if (name === undefined || !isOurs(path)) return undefined;
    const index = new SqliteIndex(open(path, { waitMs: WAIT_MS }));
    try {
      if (index.number !== Number(number)) throw new StaleIndex("it is not the one that was made");
    } catch (error) {
      index.close();
      if (error instanceof StaleIndex || isDamaged(error)) return undefined;
      throw error;
    }
    this.#open = { current, index };
    return index;
  }

  async #refresh(open: OpenSqlite): Promise<SqliteIndex> {
    sys.makeDir(this.#folder, privateModes().folder);
    const index = await this.#locks.withSafeLock(this.path, AGENT, () => this.#updated(open));
    if (index !== undefined) return index;
    // The slow part runs without the lock, in one process.
    const path = `${this.#folder}/index.draft`;
    return await this.#locks.withSafeLock(path, AGENT, async () => {
      const index = this.#current(open);
      if (index !== undefined) return index;
      const draft = this.#draft(open, path);
      return await this.#locks.withSafeLock(
        this.path,
        AGENT,
        (lock) => this.#updated(open) ?? this.#publish(open, draft, lock),
      );
    });
  }

  #updated(open: OpenSqlite): SqliteIndex | undefined {
    const index = this.#opened(open);
    if (index === undefined) return undefined;
    try {
      const list = this.#sources.list();
      if (!index.isCurrent(list)) index.update(this.#sources, list);
      for (const why of index.failures()) this.#tell(`Skipped: ${why}`);
      return index;
    } catch (error) {
      if (!(error instanceof StaleIndex) && !isDamaged(error)) throw error;
      this.close();
      return undefined;
    }
  }

  /** Builds an index of all files, or continues the one that a killed process began. */
  #draft(open: OpenSqlite, lockedPath: string): string {
    const path = `${lockedPath}.new`;
    sys.makeDir(this.#folder, privateModes().folder);
    try {
      if (isOurs(path)) return this.#drafted(open, path);
    } catch (error) {
      if (!(error instanceof StaleIndex) && !isSqliteFailure(error)) throw error;
    }
    for (const left of [`${path}-journal`, path]) sys.removeFile(left);
    sys.writeNewFile(path, "", { fsync: false, mode: privateModes().file });
    try {
      return this.#drafted(open, path);
    } catch (error) {
      if (isSqliteFailure(error) && !isOurs(path)) return path; // removed meanwhile; `#publish` builds it again
      throw error;
    }
  }

  #drafted(open: OpenSqlite, path: string): string {
    const index = new SqliteIndex(open(path, { waitMs: WAIT_MS }));
    try {
      if (index.number === 0) index.create(1 + Math.floor(Math.random() * 0x7ffffffe));
      index.update(this.#sources, this.#sources.list(), { isDraft: true });
      return path;
    } finally {
      index.close();
    }
  }

  #publish(open: OpenSqlite, made: string, lock: LockHandle): SqliteIndex {
    // Another process removes the draft when it deletes an observation meanwhile.
    const draft = isOurs(made) ? made : this.#draft(open, this.path);
    this.close();
    const name = `index-${FORM}-${randomId()}.db`;
    const path = `${this.#folder}/${name}`;
    const index = new SqliteIndex(open(draft, { waitMs: WAIT_MS }));
    const { number } = index;
    index.close();
    sys.rename(draft, path);
    const file = sys.openFile(path);
    try {
      file?.sync();
    } finally {
      file?.close();
    }
    commitFile(lock, this.path, `${name} ${number}\n`, { fsync: true, mode: privateModes().file });
    for (const old of sys.readDir(this.#folder)) {
      if (DATABASE.test(old) && !old.startsWith(name)) sys.removeFile(`${this.#folder}/${old}`);
    }
    this.removeDrafts();
    const published = this.#updated(open);
    if (published === undefined) throw new StaleIndex("the index that was made cannot be used");
    return published;
  }

  /** Closes the database; the next read opens it again. */
  close(): void {
    this.#open?.index.close();
    this.#open = undefined;
  }
}

/** Whether a path and its journal, if there is one, are regular files: SQLite would follow links. */
function isOurs(path: string): boolean {
  return sys.lstat(path)?.kind === "file" &&
    ["file", undefined].includes(sys.lstat(`${path}-journal`)?.kind);
}

/** Whether a rebuild fixes the error; a busy or read-only database needs no rebuild. */
function isDamaged(error: unknown): boolean {
  return isSqliteFailure(error) &&
    /malformed|not a database|no such|disk I\/O/i.test(error.message);
}

/** Returns why SQLite is not used; rethrows errors that are neither from SQLite nor from the system. */
function whyOf(error: unknown): string {
  if (error instanceof StaleIndex || isSqliteFailure(error)) return error.message;
  if (
    error instanceof AgentxError && (hasCode(error, "LOCK_TIMEOUT") || hasCode(error, "IO_ERROR"))
  ) {
    return error.oneLine;
  }
  throw error;
}
