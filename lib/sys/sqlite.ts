// SQLite with its full-text search, where the runtime has both: Deno, Bun, and Node from 22.16 on.
// Versions are not trusted: some have the one without the other.

import type { DatabaseSync } from "node:sqlite";

export type Sqlite = DatabaseSync;

/** Opens or creates a database. `waitMs` is how long it waits for others. */
export type OpenSqlite = (path: string, options: { waitMs: number }) => Sqlite;

/** The part of the global `process` that is used. */
interface NodeProcess {
  getBuiltinModule?: (name: string) => Module | undefined;
  emitWarning: (...details: unknown[]) => void;
}

type Module = typeof import("node:sqlite");

let opened: Promise<OpenSqlite | undefined> | undefined;

/** Loads the function that opens a database; undefined without a SQLite that has full-text search. */
export function loadSqlite(): Promise<OpenSqlite | undefined> {
  return opened ??= load();
}

/** Whether SQLite failed: a damaged, locked, read-only or missing database. */
export function isSqliteFailure(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === "ERR_SQLITE_ERROR";
}

async function load(): Promise<OpenSqlite | undefined> {
  const module = "Deno" in globalThis ? await import("node:sqlite") : builtinModule();
  if (module === undefined) return undefined;
  const open: OpenSqlite = (path, { waitMs }) => {
    const database = new module.DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return database;
  };
  const probe = open(":memory:", { waitMs: 0 });
  const search = probe.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get();
  probe.close();
  return search === undefined ? undefined : open;
}

/** Node 22 warns of its own module: nobody who reads our output can do anything about it. */
function builtinModule(): Module | undefined {
  const { process } = globalThis as unknown as { process: NodeProcess };
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.("node:sqlite");
  } finally {
    process.emitWarning = warn;
  }
}
