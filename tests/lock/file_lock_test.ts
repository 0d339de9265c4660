import { assert, assertEquals, assertThrows } from "@std/assert";
import { JsonFileLock, type LockEvent } from "../../lib/lock/mod.ts";
import { lockPathOf, temporaryPath } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { TempUser } from "../temp_user.ts";
import { fault, replace, replaceFiles, withoutKernelLock } from "./faults.ts";
import {
  ABANDONED,
  DEAD_PID,
  elsewhere,
  HERE,
  lockText,
  olderLockText,
  originalLockText,
  plantLock,
} from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";

/** Gives up soon, so that a refusal is quick. */
const BRIEF = { maxWaitMs: 60 };

async function thrownBy(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("JsonFileLock.acquire() writes who holds the lock, and release() removes it", async () => {
  using folder = new TempFolder();
  const path = folder.file("issue-42.json");
  const lock = new JsonFileLock();
  assertEquals(await lock.acquire(path, "engineer"), true);
  const { pid, timestamp, agent, host } = JSON.parse(Deno.readTextFileSync(`${path}.lock`));
  assertEquals([pid, agent, host], [Deno.pid, "engineer", Deno.hostname()]);
  assert(Math.abs(Date.now() - Date.parse(timestamp)) < 5_000);
  await lock.release(path);
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.acquire() names the holder when it gives up", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "architect");
  const { details } = await refusal(
    "LOCK_TIMEOUT",
    () => new JsonFileLock(BRIEF).acquire(path, "b"),
  );
  assertEquals([details.path, details.holder?.agent, details.holder?.pid, details.holder?.host], [
    path,
    "architect",
    Deno.pid,
    Deno.hostname(),
  ]);
  assert(details.waitedMs >= 60 && details.waitedMs < 4_000, String(details.waitedMs));
  await holder.release(path);
});

Deno.test("JsonFileLock.acquire() gives up at once where it may not wait", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  const impatient = new JsonFileLock({ maxWaitMs: 0 });
  const { details } = await refusal("LOCK_TIMEOUT", () => impatient.acquire(path, "b"));
  assert(details.waitedMs < 1_000);
  await holder.release(path);
});

Deno.test("JsonFileLock.acquire() makes maxRetries attempts of the documents' schedule", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  let attempts = 0;
  {
    using _ = replaceFiles(/\.lock$/, (file) => ({ tryLock: () => (attempts++, file.tryLock()) }));
    const lock = new JsonFileLock({ maxRetries: 3, baseDelayMs: 2 });
    await refusal("LOCK_TIMEOUT", () => lock.acquire(path, "b"));
  }
  assertEquals(attempts, 3);
  await holder.release(path);
});

Deno.test("JsonFileLock.acquire() keeps the documents' schedule inside maxWaitMs", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  const lock = new JsonFileLock({ maxRetries: 50, baseDelayMs: 30_000, ...BRIEF });
  const { details } = await refusal("LOCK_TIMEOUT", () => lock.acquire(path, "b"));
  assert(details.waitedMs < 10_000);
  await holder.release(path);
});

Deno.test("JsonFileLock.acquire() gets a lock that is released while it waits", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const [first, second] = [new JsonFileLock(), new JsonFileLock()];
  await first.acquire(path, "a");
  const waiting = second.acquire(path, "b");
  await later(20);
  await first.release(path);
  assertEquals(await waiting, true);
  await second.release(path);
  assertEquals(folder.names(), []);
});

for (const [what, plant] of Object.entries(ABANDONED)) {
  Deno.test(`JsonFileLock.acquire() takes over from ${what}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    plant(path);
    const lock = new JsonFileLock();
    await lock.acquire(path, "next");
    assertEquals(JSON.parse(Deno.readTextFileSync(lockPathOf(path))).agent, "next");
    await lock.release(path);
    assertEquals(folder.names(), []);
  });

  Deno.test(`JsonFileLock.acquire() takes over without a kernel lock from ${what}`, async () => {
    using folder = new TempFolder();
    using _ = withoutKernelLock();
    const path = folder.file("a.json");
    plant(path);
    const lock = new JsonFileLock();
    await lock.acquire(path, "next");
    assertEquals(JSON.parse(Deno.readTextFileSync(lockPathOf(path))).witness, "heartbeat");
    await lock.release(path);
    assertEquals(folder.names(), []);
  });
}

const OWNED: Record<string, string> = {
  "a living process with a heartbeat": lockText({
    pid: Deno.pid,
    witness: "heartbeat",
    timestamp: HERE ? new Date(0).toISOString() : new Date().toISOString(),
    process: HERE,
  }),
  "a process of another pid namespace": lockText({
    pid: DEAD_PID,
    witness: "heartbeat",
    process: elsewhere({ pidNamespace: "1" }),
  }),
  "a process of another boot": lockText({ process: elsewhere({ boot: "other" }) }),
  "a process of an older version whose id is not here": olderLockText({ witness: "heartbeat" }),
  "the original format, 20 s old": originalLockText(20_000),
  "another host with a fresh heartbeat": lockText({ host: "elsewhere", process: null }),
  "a file in the making": "",
};

for (const [what, text] of Object.entries(OWNED)) {
  Deno.test(`JsonFileLock.acquire() does not rob ${what}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    plantLock(path, text);
    await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "next"));
    // Who waits may have added newlines.
    assertEquals(Deno.readTextFileSync(lockPathOf(path)).trimEnd(), text);
    assertEquals(folder.names(), ["a.json.lock"]);
  });
}

Deno.test("JsonFileLock.acquire() does not rob a slow creator that fills its file just now", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const text = lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE });
  plantLock(path, text, 3_000);
  let isFilled = false;
  using _ = replaceFiles(/a\.json\.lock$/, (file) => ({
    read(maxBytes) {
      const found = isFilled ? file.read(maxBytes) : "";
      isFilled = true; // between the first look and the next
      return found;
    },
  }));
  await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "next"));
  assertEquals(Deno.readTextFileSync(lockPathOf(path)).trimEnd(), text);
  assertEquals(folder.names(), ["a.json.lock"]);
});

Deno.test("JsonFileLock.acquire() does not rob a kernel lock, however old its timestamp", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  {
    using _ = replace("now", () => () => 0);
    await holder.acquire(path, "slow");
  }
  const lock = new JsonFileLock({ staleThresholdMs: 0, ...BRIEF });
  await refusal("LOCK_TIMEOUT", () => lock.acquire(path, "next"));
  await holder.release(path);
});

Deno.test("JsonFileLock.acquire() gives an owner up after staleThresholdMs", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(
    path,
    lockText({ host: "elsewhere", process: null, timestamp: "2026-03-01T10:00:00.000Z" }),
  );
  let time = "2026-03-01T10:00:00.900Z";
  using _ = replace("now", () => () => Date.parse(time));
  const lock = new JsonFileLock({ staleThresholdMs: 1_000, ...BRIEF });
  await refusal("LOCK_TIMEOUT", () => lock.acquire(path, "early"));
  time = "2026-03-01T10:00:01.100Z";
  await lock.acquire(path, "next");
  const { timestamp } = JSON.parse(Deno.readTextFileSync(lockPathOf(path)));
  assertEquals(timestamp, "2026-03-01T10:00:01.100Z");
  await lock.release(path);
});

Deno.test("JsonFileLock.acquire() removes the temporary file of the dead owner, and no other", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, lockText({ token: "dead-0" }));
  Deno.writeTextFileSync(temporaryPath(path, "dead-0"), "half");
  Deno.writeTextFileSync(temporaryPath(path, "other-0"), "whole");
  await new JsonFileLock().withLock(path, "next", () => {});
  assertEquals(folder.names(), ["a.json.other-0.tmp"]);
});

Deno.test("JsonFileLock.acquire() takes over although the dead owner's temporary file stays", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, lockText({ token: "dead-0" }));
  Deno.mkdirSync(temporaryPath(path, "dead-0"));
  assertEquals(await new JsonFileLock().withLock(path, "next", () => "in"), "in");
});

Deno.test("JsonFileLock.acquire() yields to who took over from it while it filled its file", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  let isPaused = true;
  using _ = replaceFiles(/a\.json\.lock$/, (file) => ({
    fill(text) {
      if (!isPaused) return file.fill(text);
      isPaused = false;
      // As if it had been stopped for three seconds, and somebody without a kernel lock came.
      const takeover = folder.file("takeover");
      Deno.writeTextFileSync(
        takeover,
        lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE }),
      );
      Deno.renameSync(takeover, lockPathOf(path));
      clock.add(3_000);
      return file.fill(text);
    },
  }));
  using clock = new FakeClock();
  await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "slow"));
  assertEquals(folder.names(), ["a.json.lock"]);
});

/** Adds to `Date.now()`. */
class FakeClock implements Disposable {
  readonly #real = Date.now;
  #extraMs = 0;

  constructor() {
    Date.now = () => this.#real() + this.#extraMs;
  }

  add(ms: number): void {
    this.#extraMs += ms;
  }

  [Symbol.dispose](): void {
    Date.now = this.#real;
  }
}

Deno.test("JsonFileLock.acquire() fills its file once nobody looks at it any more", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  let refusals = 3;
  using _ = replaceFiles(/\.lock$/, (file) => ({
    tryLock: () => refusals-- > 0 ? false : file.tryLock(),
  }));
  const lock = new JsonFileLock({ maxRetries: 1, baseDelayMs: 1 });
  assertEquals(await lock.acquire(path, "a"), true);
  await lock.release(path);
});

Deno.test("JsonFileLock.acquire() is not held up by a kernel lock on a file that is gone", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  // A stopped process that looked at the lock file still has it open, and locked.
  const waiting = new JsonFileLock({ maxWaitMs: 4_000 }).withLock(path, "b", () => "in");
  await later(10);
  Deno.removeSync(lockPathOf(path));
  assertEquals(await waiting, "in");
  await refusal("LOCK_LOST", () => holder.release(path));
});

Deno.test("JsonFileLock.release() tells a late holder LOCK_LOST and leaves its successor's lock", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const late = new JsonFileLock();
  await late.acquire(path, "late");
  Deno.removeSync(lockPathOf(path)); // what no taker does, but people do
  const successor = new JsonFileLock();
  await successor.acquire(path, "successor");
  const text = Deno.readTextFileSync(lockPathOf(path));
  const { details } = await refusal("LOCK_LOST", () => late.release(path));
  assertEquals(details, { path });
  assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
  await successor.release(path);
});

Deno.test("JsonFileLock.release() tells a late holder apart from its successor in one object", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const lock = new JsonFileLock();
  await lock.acquire(path, "late");
  Deno.removeSync(lockPathOf(path));
  await lock.acquire(path, "successor");
  await refusal("LOCK_LOST", () => lock.release(path));
  assertEquals(folder.names(), ["a.json.lock"]);
  await lock.release(path);
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.release() refuses what it has not acquired", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const [holder, other] = [new JsonFileLock(), new JsonFileLock()];
  await holder.acquire(path, "a");
  await refusal("LOCK_LOST", () => other.release(path));
  await holder.release(path);
  await refusal("LOCK_LOST", () => holder.release(path));
});

Deno.test("JsonFileLock.release() sees by the token that a file was written over", async () => {
  using folder = new TempFolder();
  using _ = withoutKernelLock();
  const path = folder.file("a.json");
  const late = new JsonFileLock();
  await late.acquire(path, "late");
  const text = lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE });
  plantLock(path, text);
  await refusal("LOCK_LOST", () => late.release(path));
  assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
});

Deno.test("JsonFileLock.withLock() gives what its function returns and frees the lock", async () => {
  using folder = new TempFolder();
  const lock = new JsonFileLock();
  assertEquals(await lock.withLock(folder.file("a.json"), "a", () => 7), 7);
  assertEquals(await lock.withLock(folder.file("a.json"), "a", () => Promise.resolve(8)), 8);
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.withLock() frees the lock when its function fails", async () => {
  using folder = new TempFolder();
  const failure = new Error("inside");
  const lock = new JsonFileLock();
  const fail = () => lock.withLock(folder.file("a.json"), "a", () => Promise.reject(failure));
  assertEquals(await thrownBy(fail), failure);
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.withLock() rejects when the lock was lost meanwhile", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const lose = () => Deno.removeSync(lockPathOf(path));
  await refusal("LOCK_LOST", () => new JsonFileLock().withLock(path, "a", lose));
});

Deno.test("JsonFileLock.withLock() does not hide the function's failure behind a lost lock", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const failure = new Error("inside");
  const fail = () => {
    Deno.removeSync(lockPathOf(path));
    throw failure;
  };
  assertEquals(await thrownBy(() => new JsonFileLock().withLock(path, "a", fail)), failure);
});

Deno.test("LockHandle.verify() tells that the lock was lost before anything is committed", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const error = await refusal("LOCK_LOST", () =>
    new JsonFileLock().withLock(path, "a", (lock) => {
      lock.verify();
      Deno.removeSync(lockPathOf(path));
      lock.verify();
    }));
  assert(error.message.includes("Nothing was written"));
});

Deno.test("JsonFileLock shows signs of life while the lock is held", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  let beat = () => {};
  let isStopped = false;
  using _ = replace("every", () => (_ms, action) => {
    beat = action;
    return () => isStopped = true;
  });
  let nowMs = Date.parse("2026-03-01T10:00:00.000Z");
  using _now = replace("now", () => () => nowMs);
  const lock = new JsonFileLock();
  await lock.acquire(path, "a");
  nowMs += 10_000;
  beat();
  const record = JSON.parse(Deno.readTextFileSync(lockPathOf(path)));
  assertEquals(record.timestamp, "2026-03-01T10:00:10.000Z");
  await lock.release(path);
  assertEquals(isStopped, true);
});

Deno.test("JsonFileLock does not beat in a lock file that is somebody else's", async () => {
  using folder = new TempFolder();
  using _ = withoutKernelLock();
  const path = folder.file("a.json");
  let beat = () => {};
  using _every = replace("every", () => (_ms, action) => (beat = action, () => {}));
  const lock = new JsonFileLock();
  await lock.acquire(path, "late");
  const text = lockText({ pid: Deno.pid, witness: "heartbeat", process: HERE });
  plantLock(path, text);
  beat();
  assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
  await refusal("LOCK_LOST", () => lock.release(path));
});

Deno.test("JsonFileLock survives a beat that fails", async () => {
  using folder = new TempFolder();
  let beat = () => {};
  using _every = replace("every", () => (_ms, action) => (beat = action, () => {}));
  using _files = replaceFiles(/\.lock$/, () => ({
    writeAt: () => {
      throw fault("EIO");
    },
  }));
  await new JsonFileLock().withLock(folder.file("a.json"), "a", async () => {
    await Promise.resolve();
    beat();
  });
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.acquire() waits although it cannot announce itself", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  using _ = replaceFiles(/\.lock$/, () => ({
    writeAt: () => {
      throw fault("ENOSPC");
    },
  }));
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  const waiting = new JsonFileLock().withLock(path, "b", () => "in");
  await later(60);
  await holder.release(path);
  assertEquals(await waiting, "in");
});

Deno.test("JsonFileLock tells of long waits, takeovers and failures, and of nothing else", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const events: LockEvent[] = [];
  const heard = () => events.splice(0).map(({ kind, path, agent }) => [kind, path, agent]);
  const lock = new JsonFileLock({ onEvent: (event) => events.push(event) });
  const brief = new JsonFileLock({ ...BRIEF, onEvent: (event) => events.push(event) });

  await lock.withLock(path, "quick", () => {});
  assertEquals(heard(), []);

  plantLock(path, lockText());
  await lock.withLock(path, "heir", () => {});
  assertEquals(heard(), [["took-over", path, "heir"]]);

  const holder = new JsonFileLock();
  await holder.acquire(path, "holder");
  await refusal("LOCK_TIMEOUT", () => brief.acquire(path, "brief"));
  assertEquals(heard(), [["failed", path, "brief"]]);

  const waiting = lock.withLock(path, "patient", () => {});
  await later(130);
  await holder.release(path);
  await waiting;
  assertEquals(heard(), [["waited", path, "patient"]]);
});

Deno.test("JsonFileLock.acquire() does not lose a lock to a listener that throws", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, lockText());
  const lock = new JsonFileLock({
    onEvent: () => {
      throw new Error("listener");
    },
  });
  assertEquals(await lock.withLock(path, "a", () => "in"), "in");
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock refuses options that are no numbers from 0", () => {
  for (const name of ["staleThresholdMs", "maxWaitMs", "maxRetries", "baseDelayMs"]) {
    for (const value of [-1, NaN]) {
      assertThrows(() => new JsonFileLock({ [name]: value }), RangeError, `"${name}"`);
    }
  }
});

Deno.test("JsonFileLock.acquire() does not keep a dead lock young by waiting for it", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const timestamp = new Date(Date.now() + 60_000).toISOString(); // the age of the file decides
  plantLock(path, lockText({ host: "elsewhere", process: null, timestamp }));
  const lock = new JsonFileLock({ staleThresholdMs: 150, maxWaitMs: 2_000 });
  assertEquals(await lock.acquire(path, "a"), true);
  await lock.release(path);
});

for (
  const [what, options] of Object.entries({
    "a short wait": { maxWaitMs: 6 },
    "few attempts": { maxRetries: 3, baseDelayMs: 2 },
  })
) {
  Deno.test(`JsonFileLock.withLock() looks at the owner at the last attempt of ${what}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    const owner = new JsonFileLock();
    await owner.acquire(path, "a");
    const text = Deno.readTextFileSync(`${path}.lock`);
    await owner.release(path);
    for (let trial = 0; trial < 5; trial++) {
      const alive = plantOwned(path, text);
      const waiting = new JsonFileLock(options).withLock(path, "b", () => "in");
      alive.close(); // it died right after the first look
      assertEquals(await waiting, "in");
    }
  });
}

/** A lock file with an owner that lives until it is closed. */
function plantOwned(path: string, text: string): Deno.FsFile {
  const file = Deno.openSync(`${path}.lock`, { read: true, write: true, createNew: true });
  file.tryLockSync(true);
  file.writeSync(new TextEncoder().encode(text));
  return file;
}

for (
  const [what, work, beats] of [["at once", () => "done", 0], ["later", doneLater, 1]] as const
) {
  Deno.test(`JsonFileLock.withLock() starts ${beats} heartbeats for what settles ${what}`, async () => {
    using folder = new TempFolder();
    let started = 0;
    using _ = replace("every", (real) => (ms, action) => (started++, real(ms, action)));
    assertEquals(await new JsonFileLock().withLock(folder.file("a.json"), "a", work), "done");
    assertEquals(started, beats);
  });
}

async function doneLater(): Promise<string> {
  await later(1);
  return "done";
}

for (const [where, world] of [["with", () => undefined], ["without", withoutKernelLock]] as const) {
  Deno.test(`JsonFileLock.withLock() does not fail for a lock file that stays, ${where} kernel locks`, async () => {
    using folder = new TempFolder();
    using _ = world();
    const path = folder.file("a.json");
    {
      using _ = replace("removeFile", () => () => {
        throw fault("EIO");
      });
      assertEquals(await new JsonFileLock().withLock(path, "a", () => "done"), "done");
    }
    assertEquals(folder.names(), ["a.json.lock"]);
    assertEquals(await new JsonFileLock().withLock(path, "b", () => "in"), "in");
    assertEquals(folder.names(), []);
  });
}

Deno.test("JsonFileLock does with heartbeats where the file system has no kernel locks", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const { tryLockSync } = Deno.FsFile.prototype;
  try {
    for (const code of ["ENOLCK", "ENOSYS"]) {
      Deno.FsFile.prototype.tryLockSync = () => {
        throw Object.assign(new Error(code), { code });
      };
      const lock = new JsonFileLock();
      await lock.acquire(path, "a");
      assertEquals(JSON.parse(Deno.readTextFileSync(lockPathOf(path))).witness, "heartbeat");
      await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "b"));
      await lock.release(path);
      assertEquals(folder.names(), []);
    }
  } finally {
    Deno.FsFile.prototype.tryLockSync = tryLockSync;
  }
});

Deno.test("JsonFileLock.acquire() says since when the lock is held, not when its owner last showed life", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  let beat = () => {};
  using _ = replace("every", () => (_ms, action) => (beat = action, () => {}));
  let nowMs = Date.now() - 20_000;
  const since = new Date(nowMs).toISOString();
  using _now = replace("now", () => () => nowMs);
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  nowMs += 20_000;
  beat();
  const error = await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "b"));
  assertEquals(error.details.holder?.timestamp, since);
  assert(error.message.includes(since));
  await holder.release(path);
});

Deno.test("JsonFileLock shows life of all its locks by one timer", async () => {
  using folder = new TempFolder();
  const timers: Array<() => void> = [];
  let stopped = 0;
  using _ = replace("every", () => (_ms, action) => (timers.push(action), () => stopped++));
  let nowMs = 0;
  using _now = replace("now", () => () => nowMs);
  const lock = new JsonFileLock();
  const paths = ["a.json", "b.json"].map((name) => folder.file(name));
  for (const path of paths) await lock.acquire(path, "a");
  nowMs = 10_000;
  timers.forEach((beat) => beat());
  const stamps = paths.map((path) => JSON.parse(Deno.readTextFileSync(lockPathOf(path))).timestamp);
  assertEquals([timers.length, ...stamps], [1, ...paths.map(() => "1970-01-01T00:00:10.000Z")]);
  for (const path of paths) await lock.release(path);
  assertEquals(stopped, 1);
});

Deno.test("JsonFileLock.acquire() ends its wait when the signal fires", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const holder = new JsonFileLock();
  await holder.acquire(path, "a");
  const interrupt = new AbortController();
  const lock = new JsonFileLock({ signal: interrupt.signal, maxWaitMs: 60_000 });
  const waiting = thrownBy(() => lock.acquire(path, "b"));
  await later(20);
  const reason = new Error("stopped");
  interrupt.abort(reason);
  assertEquals(await waiting, reason);
  assertEquals(await thrownBy(() => lock.acquire(path, "b")), reason);
  await holder.release(path);
  assertEquals(
    await lock.withLock(path, "b", () => "what is free is still to be had"),
    "what is free is still to be had",
  );
});

Deno.test("JsonFileLock.acquire() makes lock files for the user alone, or for a group that was chosen", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const modeNow = async () => {
    const lock = new JsonFileLock();
    await lock.acquire(path, "a");
    const { mode } = Deno.statSync(lockPathOf(path));
    await lock.release(path);
    return (mode ?? 0) & 0o777;
  };
  assertEquals(await modeNow(), 0o600);
  using user = new TempUser();
  user.configure({ shared: true });
  assertEquals(await modeNow(), 0o660);
});

/** Lock files of another user, which can be read and not be written. */
function readOnly(): Disposable {
  return replace("openFile", (real) => (path, options) => {
    if (options?.isReadOnly !== true) throw fault("EACCES", path);
    return real(path, options);
  });
}

Deno.test("JsonFileLock.acquire() refuses another user's lock at once, by its owner and the way to share", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  plantLock(path, lockText());
  using _ = readOnly();
  const error = await refusal("IO_ERROR", () => new JsonFileLock().acquire(path, "b"));
  assertEquals(error.details.errno, "EACCES");
  assert(error.message.includes(`user ${Deno.uid()}`), error.message);
  assert(error.message.includes('"shared": true'), error.message);
});

Deno.test("JsonFileLock.acquire() takes over another user's lock in a shared folder", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const text = lockText();
  const alive = plantOwned(path, text);
  using user = new TempUser();
  user.configure({ shared: true });
  using _ = readOnly();
  await refusal("LOCK_TIMEOUT", () => new JsonFileLock(BRIEF).acquire(path, "b"));
  const waiting = new JsonFileLock().withLock(path, "b", () => "in");
  await later(20);
  alive.close(); // it died
  assertEquals(await waiting, "in");
  assertEquals(folder.names(), []);
});

Deno.test("JsonFileLock.withLock() locks the file that was named when it was called", async () => {
  using folder = new TempFolder();
  const before = Deno.cwd();
  const [here, there] = ["here", "there"].map((name) => folder.file(name));
  for (const path of [here, there]) Deno.mkdirSync(path);
  try {
    Deno.chdir(here);
    const held = new JsonFileLock().withLock("x.json", "engineer", () => {
      return [here, there].map((path) => Array.from(Deno.readDirSync(path), ({ name }) => name));
    });
    Deno.chdir(there);
    assertEquals(await held, [["x.json.lock"], []]);
  } finally {
    Deno.chdir(before);
  }
});

Deno.test("JsonFileLock keeps the options that it was made with", async () => {
  using folder = new TempFolder();
  const path = folder.file("x.json");
  const options = { maxWaitMs: 60 };
  const lock = new JsonFileLock(options);
  options.maxWaitMs = NaN;
  await new JsonFileLock().withLock(path, "engineer", async () => {
    const { details } = await refusal("LOCK_TIMEOUT", () => lock.acquire(path, "reviewer"));
    assert(details.waitedMs >= 60);
  });
});
