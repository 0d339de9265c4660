import { assertEquals } from "@std/assert";
import { AsyncMutex } from "../../lib/lock/mod.ts";

async function thrownBy(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
}

Deno.test("AsyncMutex.acquire() serves those who wait in the order they came", async () => {
  const mutex = new AsyncMutex();
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4].map((name) =>
    mutex.withLock("key", async () => {
      await Promise.resolve();
      order.push(name);
    })
  ));
  assertEquals(order, [1, 2, 3, 4]);
});

Deno.test("AsyncMutex.acquire() lets one in at a time", async () => {
  const mutex = new AsyncMutex();
  let inside = 0;
  const seen = await Promise.all(
    Array.from({ length: 50 }, () =>
      mutex.withLock("key", async () => {
        const count = ++inside;
        await new Promise((resolve) => setTimeout(resolve, Math.random()));
        inside--;
        return count;
      })),
  );
  assertEquals(new Set(seen), new Set([1]));
});

Deno.test("AsyncMutex.acquire() does not let one key wait for another", async () => {
  const mutex = new AsyncMutex();
  const release = await mutex.acquire("a");
  assertEquals(await mutex.withLock("b", () => "in"), "in");
  release();
});

Deno.test("AsyncMutex.acquire() gives up when the wait is over", async () => {
  const mutex = new AsyncMutex();
  const release = await mutex.acquire("key");
  assertEquals(await mutex.acquire("key", { maxWaitMs: 5 }), undefined);
  release();
});

Deno.test("AsyncMutex.acquire() does not serve who has given up", async () => {
  const mutex = new AsyncMutex();
  const release = await mutex.acquire("key");
  const impatient = mutex.acquire("key", { maxWaitMs: 5 });
  const patient = mutex.acquire("key", { maxWaitMs: 5_000 });
  await impatient;
  release();
  const releasePatient = await patient;
  assertEquals(typeof releasePatient, "function");
  releasePatient?.();
});

Deno.test("AsyncMutex.acquire() waits longer than a timer can", async () => {
  const mutex = new AsyncMutex();
  const release = await mutex.acquire("key");
  const patient = mutex.acquire("key", { maxWaitMs: Number.MAX_SAFE_INTEGER });
  await new Promise((resolve) => setTimeout(resolve, 20));
  release();
  const releasePatient = await patient;
  assertEquals(typeof releasePatient, "function");
  releasePatient?.();
});

Deno.test("AsyncMutex.acquire() refuses a wait that is not a number of milliseconds", async () => {
  const mutex = new AsyncMutex();
  for (const maxWaitMs of [NaN, -1]) {
    const error = await thrownBy(() => mutex.acquire("key", { maxWaitMs }));
    assertEquals(error instanceof RangeError && error.message.includes(`"${maxWaitMs}"`), true);
  }
});

Deno.test("AsyncMutex release does nothing the second time", async () => {
  const mutex = new AsyncMutex();
  const first = await mutex.acquire("key");
  first();
  const second = await mutex.acquire("key");
  first();
  assertEquals(await mutex.acquire("key", { maxWaitMs: 5 }), undefined);
  second();
});

Deno.test("AsyncMutex.withLock() releases when its function fails", async () => {
  const mutex = new AsyncMutex();
  const failure = new Error("inside");
  assertEquals(await thrownBy(() => mutex.withLock("key", () => Promise.reject(failure))), failure);
  assertEquals(await mutex.withLock("key", () => "in"), "in");
});
