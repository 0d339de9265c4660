// SQLite with its full-text search, on runtimes that have both: Deno, Bun, and Node from 22.16. The version is not
// enough to decide, because some runtimes have SQLite without the search.

import type { DatabaseSync } from "node:sqlite";

export type Sqlite = DatabaseSync;

/** Opens or creates a database. `waitMs` is how long a statement waits for other processes. */
export type OpenSqlite = (path: string, options: { waitMs: number }) => Sqlite;

/** The part of the global `process` that this module uses. */
interface NodeProcess {
  getBuiltinModule?: (name: string) => Module | undefined;
  emitWarning: (...details: unknown[]) => void;
}

type Module = typeof import("node:sqlite");

let opened: Promise<OpenSqlite | undefined> | undefined;

/** Loads the function that opens a database; returns undefined if SQLite or its full-text search is missing. */
export function loadSqlite(): Promise<OpenSqlite | undefined> {
  return opened ??= load();
}

/** Whether an error comes from SQLite: the database is damaged, locked, read-only or missing. */
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

/**
 * Returns Node's SQLite module. Node 22 warns about it; the warning is suppressed, because users cannot do anything
 * about it.
 */
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
