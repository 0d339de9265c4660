import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { lockPathOf } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "./temp_folder.ts";

/** Gives up soon, so that a refusal is quick. */
const BRIEF = { maxWaitMs: 60 };

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs `fn` while `path` is locked, and ends the lock afterwards. */
async function whileLocked(path: string, fn: () => Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding = new FileLockManager().withSafeLock(path, "holder", () => promise);
  await later(5);
  try {
    await fn();
  } finally {
    resolve();
    await holding;
  }
}

// It must be the first test of the file: what it looks for happens at the first use of a process.
Deno.test("FileLockManager.withSafeLock() refuses a nested lock among the first uses of a process", async () => {
  using folder = new TempFolder();
  const locks = new FileLockManager(BRIEF);
  const nest = (name: string) => {
    const path = folder.file(name);
    return refusal(
      "LOCK_REENTRANT",
      () => locks.withSafeLock(path, "outer", () => locks.withSafeLock(path, "inner", () => {})),
    );
  };
  const errors = await Promise.all([nest("a.json"), nest("b.json")]);
  assertEquals(errors.map(({ details }) => details.path), [
    folder.file("a.json"),
    folder.file("b.json"),
  ]);
});

Deno.test("FileLockManager.withSafeLock() lets the tasks of a process in one at a time", async () => {
  using folder = new TempFolder();
  const locks = new FileLockManager();
  let inside = 0;
  const seen = await Promise.all(
    Array.from({ length: 20 }, () =>
      locks.withSafeLock(folder.file("a.json"), "a", async () => {
        const count = ++inside;
        await later(Math.random());
        inside--;
        return count;
      })),
  );
  assertEquals(new Set(seen), new Set([1]));
  assertEquals(folder.names(), []);
});

Deno.test("FileLockManager.withSafeLock() excludes another manager of the same process", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await whileLocked(path, async () => {
    const { details } = await refusal(
      "LOCK_TIMEOUT",
      () => new FileLockManager(BRIEF).withSafeLock(path, "b", () => {}),
    );
    assertEquals(details.holder?.agent, "holder");
  });
});

Deno.test("FileLockManager.withSafeLock() counts the wait inside the process as well", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager({ maxWaitMs: 300 });
  await whileLocked(path, async () => {
    // The second waits for the first in the process, and for the file after it.
    const waits = await Promise.all([1, 2].map(async () => {
      const { details } = await refusal(
        "LOCK_TIMEOUT",
        () => locks.withSafeLock(path, "b", () => {}),
      );
      return details.waitedMs;
    }));
    assert(Math.max(...waits) < 550, String(waits));
  });
});

Deno.test("FileLockManager.withSafeLock() names the holder to who waits behind its own process", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager(BRIEF);
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding = locks.withSafeLock(path, "first", () => promise);
  await later(5);
  const { details } = await refusal("LOCK_TIMEOUT", () => locks.withSafeLock(path, "b", () => {}));
  assertEquals(details.holder?.agent, "first");
  resolve();
  await holding;
});

Deno.test("FileLockManager.withSafeLock() refuses a nested lock of another manager", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await refusal(
    "LOCK_REENTRANT",
    () =>
      new FileLockManager().withSafeLock(
        path,
        "outer",
        () => new FileLockManager().withSafeLock(path, "inner", () => {}),
      ),
  );
  assertEquals(folder.names(), []);
});

Deno.test("FileLockManager.withSafeLock() refuses a nested lock behind awaits and other locks", async () => {
  using folder = new TempFolder();
  const locks = new FileLockManager();
  const [a, b] = [folder.file("a.json"), folder.file("b.json")];
  await refusal(
    "LOCK_REENTRANT",
    () =>
      locks.withSafeLock(a, "1", () =>
        locks.withSafeLock(b, "2", async () => {
          await later(1);
          await locks.withSafeLock(a, "3", () => {});
        })),
  );
});

Deno.test("FileLockManager.withSafeLock() allows another file inside", async () => {
  using folder = new TempFolder();
  const locks = new FileLockManager();
  const [a, b] = [folder.file("a.json"), folder.file("b.json")];
  const result = await locks.withSafeLock(a, "1", () => locks.withSafeLock(b, "2", () => "in"));
  assertEquals(result, "in");
});

Deno.test("FileLockManager.withSafeLock() lets another task wait instead of refusing it", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager();
  const order: string[] = [];
  const first = locks.withSafeLock(path, "1", async () => {
    await later(20);
    order.push("first");
  });
  await locks.withSafeLock(path, "2", () => order.push("second"));
  await first;
  assertEquals(order, ["first", "second"]);
});

Deno.test("FileLockManager.withSafeLock() allows the lock again to a task that outlives it", async () => {
  using folder = new TempFolder();
  const locks = new FileLockManager();
  const [a, b] = [folder.file("a.json"), folder.file("b.json")];
  let outliving = Promise.resolve("not started");
  await locks.withSafeLock(a, "1", () => {
    outliving = locks.withSafeLock(b, "2", async () => {
      await later(20);
      return await locks.withSafeLock(a, "3", () => "again");
    });
  });
  assertEquals(await outliving, "again");
});

Deno.test("FileLockManager.withSafeLock() allows the lock again after a failure", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const locks = new FileLockManager();
  await locks.withSafeLock(path, "1", () => Promise.reject(new Error("inside"))).catch(() => {});
  assertEquals(await locks.withSafeLock(path, "2", () => "in"), "in");
});

Deno.test("FileLockManager.withSafeLock() gives what proves the ownership", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const [token, written] = await new FileLockManager().withSafeLock(path, "a", (lock) => {
    lock.verify();
    return [lock.token, JSON.parse(Deno.readTextFileSync(lockPathOf(path))).token];
  });
  assertEquals(token, written);
});

Deno.test("FileLockManager.withSafeLock() locks as withSafeLock() does", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  await whileLocked(path, async () => {
    await refusal(
      "LOCK_TIMEOUT",
      () => new FileLockManager(BRIEF).withSafeLock(path, "b", () => {}),
    );
  });
  assertEquals(await new FileLockManager().withSafeLock(path, "b", () => "in"), "in");
});
