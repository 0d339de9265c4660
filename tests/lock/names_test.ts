/**
 * One file has one lock, whatever it is called.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { FileLockManager, JsonFileLock } from "../../lib/lock/mod.ts";
import { lockedFile } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "./temp_folder.ts";

const BRIEF = { maxWaitMs: 60 };

/** Changes the current folder until the end of the block. */
function inFolder(path: string): Disposable {
  const before = Deno.cwd();
  Deno.chdir(path);
  return { [Symbol.dispose]: () => Deno.chdir(before) };
}

/** A folder with a file, and other names for that file. */
function withNames(): { folder: TempFolder; path: string; others: string[] } {
  const folder = new TempFolder();
  const path = folder.file("real/a.json");
  Deno.mkdirSync(folder.file("real"));
  Deno.symlinkSync(folder.file("real"), folder.file("linked"));
  Deno.symlinkSync("real/a.json", folder.file("linked.json"));
  Deno.symlinkSync("linked.json", folder.file("twice.json"));
  const others = [
    "real/./a.json",
    "real//a.json",
    "real/../real/a.json",
    "linked/a.json",
    "linked.json",
    "twice.json",
  ];
  return { folder, path, others: others.map((name) => folder.file(name)) };
}

for (const exists of [true, false]) {
  Deno.test(`lockedFile() finds the one name of a file that ${exists ? "exists" : "is missing"}`, () => {
    const { folder, path, others } = withNames();
    using _ = folder;
    if (exists) Deno.writeTextFileSync(path, "{}");
    assertEquals(others.map((name) => lockedFile(name).path), others.map(() => path));
    using _cwd = inFolder(folder.path);
    assertEquals(lockedFile("./linked/a.json"), { name: "./linked/a.json", path });
    assertEquals(lockedFile("/a.json").path, "/a.json");
  });
}

Deno.test("lockedFile() does not go round in a circle of links", () => {
  using folder = new TempFolder();
  Deno.symlinkSync("b", folder.file("a"));
  Deno.symlinkSync("a", folder.file("b"));
  assertEquals(
    [folder.file("a"), folder.file("b")].includes(lockedFile(folder.file("a")).path),
    true,
  );
});

Deno.test("JsonFileLock.acquire() excludes under every name of a file", async () => {
  const { folder, path, others } = withNames();
  using _ = folder;
  const holder = new JsonFileLock();
  await holder.acquire(path, "holder");
  for (const name of others) {
    const error = await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(name, "b"));
    assertEquals([error.details.path, error.details.holder?.agent], [name, "holder"]);
  }
  await holder.release(others[0]);
});

Deno.test("FileLockManager.withSafeLock() refuses a nested lock under another name", async () => {
  const { folder, path, others } = withNames();
  using _ = folder;
  const locks = new FileLockManager();
  for (const name of others) {
    await refusal(
      "LOCK_REENTRANT",
      () => locks.withSafeLock(path, "outer", () => locks.withSafeLock(name, "inner", () => {})),
    );
  }
});

Deno.test("JsonFileLock.release() frees what it acquired, not what has that name elsewhere", async () => {
  using folder = new TempFolder();
  Deno.mkdirSync(folder.file("here"));
  Deno.mkdirSync(folder.file("there"));
  const [lock, stranger] = [new JsonFileLock(), new JsonFileLock()];
  await stranger.acquire(folder.file("there/a.json"), "stranger");
  const names = () => Array.from(Deno.readDirSync(folder.file("here")), ({ name }) => name);
  {
    using _cwd = inFolder(folder.file("here"));
    await lock.acquire("a.json", "a");
    Deno.chdir(folder.file("there"));
    await lock.release("a.json");
    assertEquals(names(), []);
    await refusal("LOCK_LOST", () => lock.release("a.json"));
  }
  await stranger.release(folder.file("there/a.json"));
});
