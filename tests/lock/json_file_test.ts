import { assert, assertEquals } from "@std/assert";
import { AgentxError } from "../../lib/base/errors.ts";
import { FileLockManager, JsonFile } from "../../lib/lock/mod.ts";
import { lockPathOf, temporaryPath } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { fault, replace, replaceFiles } from "./faults.ts";
import { lockText, plantLock } from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";

interface Counter {
  count: number;
  [key: string]: unknown;
}

const raise = (now: Counter | undefined): Counter => ({ ...now, count: (now?.count ?? 0) + 1 });

function counter(path: string, options: { maxWaitMs?: number } = {}): JsonFile<Counter> {
  return new JsonFile<Counter>(path, new FileLockManager(options), { fsync: false });
}

async function thrownBy(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
}

/** Counts the files that are written until the end of the block. */
function writes(): Disposable & { count: number } {
  const written = {
    count: 0,
    ...replace("writeNewFile", (real) => (...args) => {
      written.count++;
      real(...args);
    }),
  };
  return written;
}

/** Locks the file; the result ends the lock. */
async function lockAway(path: string): Promise<() => Promise<void>> {
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const { promise: held, resolve: tell } = Promise.withResolvers<void>();
  const holding = new FileLockManager().withSafeLock(path, "holder", () => {
    tell();
    return freed;
  });
  await held;
  return async () => {
    free();
    await holding;
  };
}

Deno.test("JsonFile.read() gives undefined where there is no file", () => {
  using folder = new TempFolder();
  assertEquals(counter(folder.file("a.json")).read(), undefined);
});

Deno.test("JsonFile.read() takes no lock", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  Deno.writeTextFileSync(path, '{"count":7}');
  const free = await lockAway(path);
  assertEquals(counter(path).read(), { count: 7 });
  await free();
});

Deno.test("JsonFile.update() creates the file and its folder", async () => {
  using folder = new TempFolder();
  const path = folder.file("state/deep/a.json");
  assertEquals(await counter(path).update("a", raise), { count: 1 });
  assertEquals(Deno.readTextFileSync(path), '{\n  "count": 1\n}\n');
});

Deno.test("JsonFile.update() creates a folder again that was removed meanwhile", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("state/a.json"));
  await file.update("a", raise);
  Deno.removeSync(folder.file("state"), { recursive: true });
  await refusal("IO_ERROR", () => file.update("a", raise));
  assertEquals(await file.update("a", raise), { count: 1 });
});

Deno.test("JsonFile.update() makes no folder of a bare file name", async () => {
  const made: string[] = [];
  using _folders = replace("makeDir", () => (path) => void made.push(path));
  using _files = replace("createFile", () => () => {
    throw fault("EACCES");
  });
  await refusal("IO_ERROR", () => counter("counter.json").update("a", raise));
  await refusal("IO_ERROR", () => counter("/counter.json").update("a", raise));
  assertEquals(made, []);
});

Deno.test("JsonFile.update() reads the file again under the lock", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  for (const count of [1, 41]) {
    Deno.writeTextFileSync(path, JSON.stringify({ count }));
    assertEquals(await file.update("a", raise), { count: count + 1 });
  }
});

Deno.test("JsonFile.update() loses none of many changes in one process", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const files = [counter(path), counter(path), counter(path)];
  await Promise.all(Array.from({ length: 90 }, (_, i) => files[i % 3].update("a", raise)));
  assertEquals(files[0].read(), { count: 90 });
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("JsonFile.updateReturning() gives what each change found out", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  const raiseOnce = () =>
    file.updateReturning("a", (now) => ({ value: raise(now), result: now?.count ?? null }));
  assertEquals(await Promise.all([raiseOnce(), raiseOnce(), raiseOnce()]), [null, 1, 2]);
  assertEquals(file.read(), { count: 3 });
});

Deno.test("JsonFile.update() keeps keys that it does not know", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  Deno.writeTextFileSync(path, '{"count":1,"x-tool":{"deep":[1,null,"\\u00e9"]}}');
  await counter(path).update("a", (now) => {
    assert(now);
    now.count++;
    return now;
  });
  assertEquals(JSON.parse(Deno.readTextFileSync(path)), {
    count: 2,
    "x-tool": { deep: [1, null, "\u00e9"] },
  });
});

Deno.test("JsonFile.update() writes nothing when nothing changes", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  await file.update("a", raise);
  using written = writes();
  assertEquals(await file.update("a", (now) => now ?? { count: 0 }), { count: 1 });
  assertEquals(written.count, 0);
});

Deno.test("JsonFile.update() puts changes that queue up into one write", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  const free = await lockAway(path);
  using written = writes();
  const changes = Array.from({ length: 10 }, () => file.update("a", raise));
  await free();
  await Promise.all(changes);
  assertEquals([file.read()?.count, written.count], [10, 1]);
});

Deno.test("JsonFile.update() rolls a failing change back alone", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  await file.update("a", raise);
  const free = await lockAway(path);
  const failure = new Error("change");
  const outcomes = Promise.allSettled([
    file.update("a", raise),
    file.update("b", (now) => {
      if (now) now.count = 1_000; // half of a change
      throw failure;
    }),
    file.update("c", raise),
  ]);
  await free();
  assertEquals(await outcomes, [
    { status: "fulfilled", value: { count: 2 } },
    { status: "rejected", reason: failure },
    { status: "fulfilled", value: { count: 3 } },
  ]);
  assertEquals(file.read(), { count: 3 });
});

Deno.test("JsonFile.update() keeps the others' changes from one that JSON cannot hold", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  Deno.writeTextFileSync(path, '{"count":1,"kept":true}');
  const free = await lockAway(path);
  const bad = [undefined, () => {}, { count: 1n }, Promise.resolve({ count: 9 })];
  const outcomes = Promise.allSettled([
    file.update("a", raise),
    ...bad.map((value) => file.update("b", () => value as unknown as Counter)),
    file.update("c", raise),
  ]);
  await free();
  const statuses = (await outcomes).map(({ status }) => status);
  assertEquals(statuses, ["fulfilled", ...bad.map(() => "rejected"), "fulfilled"]);
  assertEquals(file.read(), { count: 3, kept: true });
});

Deno.test("JsonFile.update() gives each caller the value of its own change", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  await file.update("a", raise);
  const free = await lockAway(path);
  const change = (now: Counter | undefined) => {
    assert(now);
    now.count++;
    return now;
  };
  const values = Promise.all([1, 2, 3].map(() => file.update("a", change)));
  await free();
  assertEquals((await values).map(({ count }) => count), [2, 3, 4]);
});

Deno.test("JsonFile.update() writes nothing where every change fails", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  const failure = new Error("change");
  const fail = () => {
    throw failure;
  };
  assertEquals(await thrownBy(() => file.update("a", fail)), failure);
  assertEquals(folder.names(), []);
});

Deno.test("JsonFile.update() refuses a value that is not the file's, and writes nothing", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const problemWith = (value: unknown) =>
    typeof (value as Counter).count === "number" ? undefined : "count is no number";
  const file = new JsonFile<Counter>(path, new FileLockManager(), { problemWith });
  const error = await thrownBy(() => file.update("a", () => ({}) as Counter));
  assert(error instanceof TypeError && error.message.includes("count is no number"));
  assertEquals(folder.names(), []);
});

Deno.test("JsonFile.update() refuses what JSON cannot hold, and writes nothing", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  const circular: Counter = { count: 1 };
  circular.self = circular;
  const values = [undefined, 1n, circular, () => {}, Promise.resolve({ count: 1 })];
  for (const value of values) {
    const error = await thrownBy(() => file.update("a", () => value as unknown as Counter));
    assert(error instanceof TypeError, String(error));
  }
  assertEquals(folder.names(), []);
});

for (
  const [what, text, line] of [
    ["is cut off", '{\n  "count": 1,\n  "x', null],
    ["is empty", "", null],
    ["holds two values", '{"count":1}\n{"count":2}', 2],
    ["does not fit", '{"count":"many"}', null],
  ] as const
) {
  Deno.test(`JsonFile refuses a file that ${what}, and keeps it byte for byte`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    Deno.writeTextFileSync(path, text);
    const problemWith = (value: unknown) =>
      typeof (value as Counter).count === "number" ? undefined : "count is no number";
    const file = new JsonFile<Counter>(path, new FileLockManager(), { problemWith });
    const error = await refusal("CORRUPT_STATE", () => file.update("a", raise));
    assertEquals(error.details.path, path);
    if (line !== null) assertEquals(error.details.line, line);
    assertEquals((await refusal("CORRUPT_STATE", () => file.read())).details.path, path);
    assertEquals(Deno.readTextFileSync(path), text);
    assertEquals(folder.names(), ["a.json"]);
  });
}

Deno.test("JsonFile.update() refuses to nest in a lock of the same task", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager();
  const file = new JsonFile<Counter>(path, locks);
  const error = await refusal(
    "LOCK_REENTRANT",
    () => locks.withSafeLock(path, "outer", () => file.update("inner", raise)),
  );
  assertEquals(error.details, { path });
});

Deno.test("JsonFile.update() commits nothing when the lock was lost before the write", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  Deno.writeTextFileSync(path, '{"count":1}');
  const lose = (now: Counter | undefined) => {
    Deno.removeSync(lockPathOf(path));
    return raise(now);
  };
  await refusal("LOCK_LOST", () => counter(path).update("a", lose));
  assertEquals(Deno.readTextFileSync(path), '{"count":1}');
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("JsonFile.update() does not acknowledge when the lock was lost after the write", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  using _ = replace("rename", (real) => (from, to) => {
    real(from, to);
    Deno.removeSync(lockPathOf(path));
  });
  const error = await refusal("LOCK_LOST", () => counter(path).update("a", raise));
  assert(!error.message.includes("Nothing was written"));
});

Deno.test("JsonFile.update() refuses all that queued up for a write that fails", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  const free = await lockAway(path);
  const outcomes = Promise.allSettled([1, 2, 3].map(() => file.update("a", raise)));
  {
    using _ = replace("rename", () => () => {
      throw fault("EIO");
    });
    await free();
    const reasons = (await outcomes).map((outcome) =>
      outcome.status === "rejected" && outcome.reason instanceof AgentxError && outcome.reason.code
    );
    assertEquals(reasons, ["IO_ERROR", "IO_ERROR", "IO_ERROR"]);
  }
  assertEquals(folder.names(), []);
  assertEquals(await file.update("a", raise), { count: 1 });
});

Deno.test("JsonFile.update() lets each caller wait as long as it says, and no longer", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path, { maxWaitMs: 400 });
  const free = await lockAway(path);
  const waits = await Promise.all([0, 80, 240].map(async (delayMs) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const startMs = performance.now();
    await refusal("LOCK_TIMEOUT", () => file.update("a", raise));
    return performance.now() - startMs;
  }));
  await free();
  assert(waits.every((waitMs) => waitMs >= 395 && waitMs < 620), String(waits));
});

Deno.test("JsonFile.update() names in the lock whose change it is", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  const agents: string[] = [];
  using _ = replaceFiles(/\.lock$/, (lockFile) => ({
    fill: (text) => (agents.push(JSON.parse(text).agent), lockFile.fill(text)),
  }));
  await Promise.all([file.update("first", raise), file.update("second", raise)]);
  await file.update("third", raise);
  assertEquals([agents[0], agents.at(-1)], ["first", "third"]);
});

Deno.test("JsonFile.update() waits for the disk unless told otherwise", async () => {
  using folder = new TempFolder();
  const seen: boolean[] = [];
  using _ = replace("writeNewFile", (real) => (path, text, options) => {
    seen.push(options.fsync);
    real(path, text, options);
  });
  const locks = new FileLockManager();
  await new JsonFile<Counter>(folder.file("a.json"), locks).update("a", raise);
  await new JsonFile<Counter>(folder.file("b.json"), locks, { fsync: false }).update("a", raise);
  assertEquals(seen, [true, false]);
});

Deno.test("JsonFile.read() sees the old or the new text while it is written", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const file = counter(path);
  await file.update("a", raise);
  const seen: unknown[] = [];
  using _ = replace("rename", (real) => (from, to) => {
    seen.push(file.read());
    real(from, to);
    seen.push(file.read());
  });
  await file.update("a", raise);
  assertEquals(seen, [{ count: 1 }, { count: 2 }]);
});

Deno.test("JsonFile.update() has its turn before a lock that is asked for later", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager();
  await locks.withSafeLock(path, "warm-up", () => {});
  const order: string[] = [];
  const update = new JsonFile<number>(path, locks).update("a", () => order.push("update"));
  const lock = locks.withSafeLock(path, "b", () => order.push("lock"));
  await Promise.all([update, lock]);
  assertEquals(order, ["update", "lock"]);
});

Deno.test("JsonFile.update() waits until the new name is on the disk too, unless told otherwise", async () => {
  using folder = new TempFolder();
  const steps: string[] = [];
  using _rename = replace("rename", (real) => (from, to) => (steps.push("rename"), real(from, to)));
  using _sync = replace("syncFolder", (real) => (path) => (steps.push(path), real(path)));
  const locks = new FileLockManager();
  await new JsonFile<Counter>(folder.file("a.json"), locks).update("a", raise);
  await new JsonFile<Counter>(folder.file("b.json"), locks, { fsync: false }).update("a", raise);
  assertEquals(steps, ["rename", folder.path, "rename"]);
});

Deno.test("JsonFile.update() survives a change that waits and fails, also by a promise of its own kind", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  const failing = [
    () => Promise.reject(new Error("later")),
    () => ({ then: (_: unknown, reject: (reason: Error) => void) => reject(new Error("later")) }),
  ];
  for (const change of failing) {
    const error = await thrownBy(() => file.update("a", change as unknown as () => Counter));
    assert(error instanceof TypeError && error.message.includes("wait"), String(error));
  }
  assertEquals(folder.names(), []);
});

Deno.test("JsonFile.update() frees the lock between slow changes that queue up", async () => {
  using folder = new TempFolder();
  const file = counter(folder.file("a.json"));
  let nowMs = 0;
  const { now } = performance;
  performance.now = () => nowMs;
  try {
    using written = writes();
    const slow = (current: Counter | undefined) => (nowMs += 60, raise(current));
    const free = await lockAway(file.path);
    const changes = Promise.all(Array.from({ length: 6 }, () => file.update("a", slow)));
    await free();
    assertEquals((await changes).map(({ count }) => count), [1, 2, 3, 4, 5, 6]);
    assertEquals(written.count, 3);
  } finally {
    performance.now = now;
  }
});

Deno.test("JsonFile.update() says LOCK_LOST where a new owner has removed its temporary file", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  using _ = replace("rename", (real) => (from, to) => {
    Deno.removeSync(from);
    Deno.removeSync(lockPathOf(path));
    real(from, to);
  });
  await refusal("LOCK_LOST", () => counter(path).update("a", raise));
  assertEquals(folder.names(), []);
});

Deno.test("JsonFile.update() says LOCK_LOST where its folder was removed", async () => {
  using folder = new TempFolder();
  const path = folder.file("state/a.json");
  const remove = (now: Counter | undefined) => {
    Deno.removeSync(folder.file("state"), { recursive: true });
    return raise(now);
  };
  await refusal("LOCK_LOST", () => counter(path).update("a", remove));
});

Deno.test("JsonFile stays where it was made when the current folder changes", async () => {
  using folder = new TempFolder();
  Deno.mkdirSync(folder.file("elsewhere"));
  const before = Deno.cwd();
  try {
    Deno.chdir(folder.path);
    const file = counter("a.json");
    Deno.chdir(folder.file("elsewhere"));
    await file.update("a", raise);
    assertEquals(file.read(), { count: 1 });
  } finally {
    Deno.chdir(before);
  }
  assertEquals(folder.names(), ["a.json", "elsewhere"]);
});

Deno.test("JsonFile.update() takes names that are as long as a file system takes them", async () => {
  using folder = new TempFolder();
  for (const name of ["a".repeat(250), "\u00e9".repeat(125)]) {
    const path = folder.file(name);
    const token = crypto.randomUUID();
    plantLock(path, lockText({ token }));
    Deno.writeTextFileSync(temporaryPath(path, token), "half");
    assertEquals(await counter(path).update("a", raise), { count: 1 });
    Deno.removeSync(path);
  }
  assertEquals(folder.names(), []);
});

Deno.test("JsonFile reads and writes the form of text that it was given", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.txt");
  Deno.writeTextFileSync(path, "count=3");
  const format = {
    parse: (text: string) => ({ count: Number(/^count=(\d+)$/.exec(text)?.[1]) }),
    encode: (value: unknown) => `count=${(value as Counter).count}`,
  };
  const file = new JsonFile<Counter>(path, new FileLockManager(), { format });
  assertEquals(file.read(), { count: 3 });
  const fail = () => {
    throw new Error("not this one");
  };
  const failed = file.update("engineer", fail).catch(() => "failed");
  const raised = [file.update("engineer", raise), file.update("reviewer", raise)];
  assertEquals([await failed, ...await Promise.all(raised)], ["failed", { count: 4 }, {
    count: 5,
  }]);
  assertEquals(Deno.readTextFileSync(path), "count=5");
});
