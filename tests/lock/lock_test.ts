import { assert, assertEquals } from "@std/assert";
import { lock, updateJson } from "../../lib/lock/lock.ts";
import { FileLockManager, JsonFile, JsonFileLock } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "./temp_folder.ts";

Deno.test("lock() holds the file while its function runs, and gives what that returns", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.txt");
  const [name, token] = await lock(path, ({ token, verify }) => {
    verify(); // taken out of its object
    return [JSON.parse(Deno.readTextFileSync(`${path}.lock`)).agent, token];
  });
  assertEquals([name, typeof token], ["agent", "string"]);
  assertEquals(folder.names(), []);
});

Deno.test("lock() gives its place up where the function throws", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.txt");
  const thrown = await lock(path, () => {
    throw new Error("mine");
  }).catch((error) => error.message);
  assertEquals([thrown, await lock(path, () => "next")], ["mine", "next"]);
});

Deno.test("lock() waits no longer than it is told, and names who holds the file", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.txt");
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: begin } = Promise.withResolvers<void>();
  const held = lock(path, () => (begin(), isOver), { agent: "engineer" });
  await isHeld;
  const { details } = await refusal("LOCK_TIMEOUT", () => lock(path, () => {}, { maxWaitMs: 5 }));
  assertEquals(details.holder?.agent, "engineer");
  const signal = AbortSignal.abort(new Error("stop"));
  assertEquals(await lock(path, () => {}, { signal }).catch(({ message }) => message), "stop");
  end();
  await held;
});

for (const path of ["", "/", "folder/"]) {
  Deno.test(`a lock of ${JSON.stringify(path)} is refused, whoever asks`, async () => {
    for (
      const ask of [
        () => lock(path, () => {}),
        () => updateJson(path, () => 1),
        () => new JsonFileLock().withLock(path, "a", () => {}),
        () => new FileLockManager().withSafeLock(path, "a", () => {}),
        () => new JsonFile(path, new FileLockManager()).update("a", () => 1),
      ]
    ) {
      const { details } = await refusal("INVALID_INPUT", ask);
      assertEquals(details.field, "path");
    }
  });
}

Deno.test("a lock for an agent without a name is refused", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  for (
    const ask of [
      () => lock(path, () => {}, { agent: "" }),
      () => updateJson(path, () => 1, { agent: "" }),
      () => new JsonFileLock().acquire(path, ""),
      () => new JsonFileLock().withLock(path, "", () => {}),
      () => new FileLockManager().withSafeLock(path, "", () => {}),
    ]
  ) {
    const { details } = await refusal("INVALID_INPUT", ask);
    assertEquals(details.field, "agent");
  }
  assertEquals(folder.names(), []);
});

Deno.test("updateJson() loses nothing that tasks with different waits write", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const raise = (n: number) =>
    updateJson<number>(path, (now = 0) => now + 1, n % 2 === 0 ? {} : { maxWaitMs: 20_000 });
  const values = await Promise.all(Array.from({ length: 12 }, (_, n) => raise(n)));
  assert(values.includes(12));
  assertEquals(JSON.parse(Deno.readTextFileSync(path)), 12);
});
