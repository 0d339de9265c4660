/**
 * Which index is used: the database that `index.current` names, brought up to date; a new one where
 * there is none that can be used; or, where SQLite cannot be used at all, the one in memory.
 *
 * @module
 */

import { AgentxError, hasCode } from "../../base/errors.ts";
import type { FileLockManager, LockHandle } from "../../lock/mod.ts";
import { randomId } from "../../lines/line.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { isSqliteFailure, loadSqlite, type OpenSqlite } from "../../sys/sqlite.ts";
import { commitFile } from "../../lock/commit.ts";
import type { MemoryIndex } from "./memory_index.ts";
import { MOST_RANKED, PlainIndex } from "./plain_index.ts";
import type { Sources } from "./sources.ts";
import { SqliteIndex, StaleIndex } from "./sqlite_index.ts";

/** Readers wait no longer for who writes. */
const WAIT_MS = 200;

const CURRENT = /^(index-[0-9a-v]+\.db) ([0-9]+)\n$/;
const DATABASE = /^index-[0-9a-v]+\.db(?:-journal)?$/;
const DRAFT = /^index-[0-9a-v]+\.draft$/;

/** A draft that is not written for so long was left by a process that died. */
const ABANDONED_MS = 60 * 60_000;

const AGENT = "memory";

/** An index that nobody else knows yet. */
interface Draft {
  name: string;
  number: number;
  index: SqliteIndex;
}

/** The indexes in a folder, of which one is current. */
export class IndexFiles {
  /** `index.current`: its lock is that of all that is written of memory. */
  readonly path: string;
  readonly #folder: string;
  readonly #sources: Sources;
  readonly #locks: FileLockManager;
  readonly #tell: (message: string) => void;
  #open: { current: string; index: SqliteIndex } | undefined;
  #plain: { version: string; index: PlainIndex } | undefined;

  /** `folder` is `.agentx/state`; `tell` is told what could not be read, and where the index is not used. */
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

  /** Answers from an index that knows all that the files say now. */
  async look<T>(ask: (index: MemoryIndex) => T | Promise<T>): Promise<T> {
    if (this.#sources.list().length === 0) return await ask(this.plain("")); // nothing is written
    const open = await loadSqlite();
    if (open === undefined) return await ask(this.plain("this runtime has no SQLite with FTS5"));
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

  /** The same for who holds the lock. */
  async lookLocked(lock: LockHandle): Promise<MemoryIndex> {
    const open = await loadSqlite();
    if (open === undefined) return this.plain("this runtime has no SQLite with FTS5");
    try {
      return this.#updated(open) ?? this.#publish(open, this.#draft(open), lock);
    } catch (error) {
      return this.plain(whyOf(error));
    }
  }

  /** Makes a new index of all files. */
  async rebuild(): Promise<void> {
    const open = await loadSqlite();
    if (open === undefined) return;
    const draft = this.#draft(open);
    await this.#locks.withSafeLock(this.path, AGENT, (lock) => this.#publish(open, draft, lock));
  }

  /** The index in memory; says why. */
  plain(why: string): PlainIndex {
    const version = JSON.stringify(this.#sources.list());
    if (this.#plain?.version !== version) {
      this.#plain = { version, index: new PlainIndex(this.#sources) };
    }
    const { index } = this.#plain;
    for (const { oneLine } of index.failures) this.#tell(`Skipped: ${oneLine}`);
    const left = index.unranked === 0 ? "" : `; only the newest ${MOST_RANKED} are searched`;
    if (index.totals().count > 0) this.#tell(`Memory is searched without its index: ${why}${left}`);
    return index;
  }

  /** Bytes of the databases. */
  bytes(): number {
    return sys.readDir(this.#folder).filter((name) => DATABASE.test(name))
      .reduce((sum, name) => sum + (sys.lstat(`${this.#folder}/${name}`)?.size ?? 0), 0);
  }

  /** The index if it is up to date. */
  #current(open: OpenSqlite): SqliteIndex | undefined {
    const index = this.#opened(open);
    if (index?.isCurrent(this.#sources.list()) !== true) return undefined;
    for (const why of index.failures()) this.#tell(`Skipped: ${why}`);
    return index;
  }

  /** The index that is named, if it is the one that was made. */
  #opened(open: OpenSqlite): SqliteIndex | undefined {
    const current = sys.readTextFile(this.path) ?? "";
    if (this.#open !== undefined && this.#open.current === current) return this.#open.index;
    this.close();
    const [, name, number] = CURRENT.exec(current) ?? [];
    const path = `${this.#folder}/${name}`;
    const isFile = (path: string) => ["file", undefined].includes(sys.lstat(path)?.kind);
    if (name === undefined || sys.lstat(path) === undefined) return undefined;
    if (!isFile(path) || !isFile(`${path}-journal`)) return undefined; // SQLite would follow a link
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
    // What takes long is done without the lock, and by one of many.
    return await this.#locks.withSafeLock(`${this.#folder}/index.draft`, AGENT, async () => {
      const index = this.#current(open);
      if (index !== undefined) return index;
      const draft = this.#draft(open);
      return await this.#locks.withSafeLock(
        this.path,
        AGENT,
        (lock) => this.#publish(open, draft, lock),
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

  #draft(open: OpenSqlite): Draft {
    const name = `index-${randomId()}.db`;
    const number = 1 + Math.floor(Math.random() * 0x7ffffffe);
    sys.makeDir(this.#folder, privateModes().folder);
    const path = `${this.#folder}/${draftOf(name)}`;
    sys.writeNewFile(path, "", { fsync: false, mode: privateModes().file });
    const database = open(path, { waitMs: WAIT_MS });
    try {
      database.exec(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536",
      );
      const index = new SqliteIndex(database);
      index.create(number);
      index.update(this.#sources, this.#sources.list(), { isAlone: true });
      return { name, number, index };
    } catch (error) {
      database.close();
      sys.removeFile(path);
      throw error;
    }
  }

  #publish(
    open: OpenSqlite,
    { name, number, index }: Draft,
    lock: LockHandle,
  ): SqliteIndex {
    index.close();
    this.close();
    const path = `${this.#folder}/${name}`;
    sys.rename(`${this.#folder}/${draftOf(name)}`, path);
    const file = sys.openFile(path);
    try {
      file?.sync();
    } finally {
      file?.close();
    }
    commitFile(lock, this.path, `${name} ${number}\n`, { fsync: true, mode: privateModes().file });
    for (const old of sys.readDir(this.#folder)) {
      const path = `${this.#folder}/${old}`;
      // Another process may be writing a draft.
      const isLeft = DRAFT.test(old) &&
        (sys.lstat(path)?.modifiedMs ?? Infinity) < sys.now() - ABANDONED_MS;
      if (isLeft || DATABASE.test(old) && !old.startsWith(name)) sys.removeFile(path);
    }
    const made = this.#updated(open);
    if (made === undefined) throw new StaleIndex("the index that was made cannot be used");
    return made;
  }

  /** Closes the database; the next look opens it again. */
  close(): void {
    this.#open?.index.close();
    this.#open = undefined;
  }
}

/** How it is called until it is whole. */
function draftOf(name: string): string {
  return name.replace(/db$/, "draft");
}

/** What a new index helps against; not that another one is writing, or that nobody may write. */
function isDamaged(error: unknown): boolean {
  return isSqliteFailure(error) &&
    /malformed|not a database|no such|disk I\/O/i.test(error.message);
}

/** Why SQLite is not used; whatever is not its failure, nor the system's, is thrown. */
function whyOf(error: unknown): string {
  if (error instanceof StaleIndex || isSqliteFailure(error)) return error.message;
  if (
    error instanceof AgentxError && (hasCode(error, "LOCK_TIMEOUT") || hasCode(error, "IO_ERROR"))
  ) {
    return error.oneLine;
  }
  throw error;
}
