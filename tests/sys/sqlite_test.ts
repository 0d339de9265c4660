import { assert, assertEquals, assertThrows } from "@std/assert";
import { isSqliteFailure, loadSqlite } from "../../lib/sys/sqlite.ts";

Deno.test("loadSqlite() opens databases with full-text search", async () => {
  const open = await loadSqlite();
  assert(open !== undefined);
  const database = open(":memory:", { waitMs: 0 });
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text)");
  database.prepare("INSERT INTO texts VALUES (?)").run("one word more");
  const found = database.prepare("SELECT text FROM texts WHERE texts MATCH 'word'").all();
  assertEquals(found.map(({ text }) => text), ["one word more"]);
  database.close();
});

Deno.test("isSqliteFailure() recognises what is no database", async () => {
  const open = await loadSqlite();
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, "no database ".repeat(100));
  const error = assertThrows(() => {
    const database = open!(path, { waitMs: 0 });
    try {
      database.exec("SELECT * FROM sqlite_master");
    } finally {
      database.close();
    }
  }, Error);
  assert(isSqliteFailure(error));
  assertEquals(isSqliteFailure(new Error("another")), false);
  Deno.removeSync(path);
});
