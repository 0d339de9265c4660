import { assertEquals } from "@std/assert";
import { commitFile } from "../../lib/lock/commit.ts";
import { FileLockManager, JsonFile } from "../../lib/lock/mod.ts";
import { refusal } from "../refusal.ts";
import { TempFolder } from "./temp_folder.ts";

function modeOf(path: string): number {
  return Deno.statSync(path).mode! & 0o777;
}

async function commit(path: string, mode?: number): Promise<void> {
  const locks = new FileLockManager();
  await locks.withSafeLock(path, "engineer", (lock) => {
    commitFile(lock, path, "new", { fsync: false, mode });
  });
}

for (const mode of [0o600, 0o640, 0o644, 0o666, 0o755]) {
  Deno.test(`commitFile() keeps mode ${mode.toString(8)} of the file that it replaces`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a");
    Deno.writeTextFileSync(path, "old");
    Deno.chmodSync(path, mode);
    await commit(path);
    assertEquals([Deno.readTextFileSync(path), modeOf(path)], ["new", mode]);
  });
}

Deno.test("commitFile() gives the mode that it is told, whatever it was", async () => {
  using folder = new TempFolder();
  const path = folder.file("a");
  for (const mode of [undefined, 0o644, 0o400]) {
    if (mode !== undefined) Deno.chmodSync(path, mode);
    await commit(path, 0o600);
    assertEquals(modeOf(path), 0o600);
  }
});

Deno.test("commitFile() replaces nothing but a regular file, and leaves nothing beside it", async () => {
  using folder = new TempFolder();
  const outside = folder.file("outside");
  Deno.writeTextFileSync(outside, "theirs");
  const path = folder.file("a");
  Deno.symlinkSync(outside, path);
  const { details } = await refusal("IO_ERROR", () => commit(path));
  assertEquals([details.path, details.errno], [path, "ELOOP"]);
  assertEquals([Deno.readLinkSync(path), Deno.readTextFileSync(outside)], [outside, "theirs"]);
  assertEquals(folder.names(), ["a", "outside"]);
});

Deno.test("JsonFile.update() leaves a linked file of its caller a link, and replaces its target", async () => {
  using folder = new TempFolder();
  using elsewhere = new TempFolder();
  const target = elsewhere.file("target.json");
  Deno.writeTextFileSync(target, '{"count":1}');
  Deno.chmodSync(target, 0o640);
  Deno.symlinkSync(target, folder.file("a.json"));
  const file = new JsonFile<{ count: number }>(folder.file("a.json"), new FileLockManager());
  assertEquals(file.read(), { count: 1 });
  await file.update("engineer", (now) => ({ count: now!.count + 1 }));
  assertEquals(Deno.readLinkSync(folder.file("a.json")), target);
  assertEquals(JSON.parse(Deno.readTextFileSync(target)), { count: 2 });
  assertEquals([modeOf(target), elsewhere.names(), folder.names()], [
    0o640,
    ["target.json"],
    ["a.json"],
  ]);
});

for (const kind of ["state", "versioned"] as const) {
  Deno.test(`JsonFile of kind ${kind} is reached through no link`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    Deno.writeTextFileSync(folder.file("outside.json"), '{"count":1}');
    Deno.symlinkSync("outside.json", path);
    const file = new JsonFile<{ count: number }>(path, new FileLockManager(), { kind });
    await refusal("IO_ERROR", () => file.read());
    await refusal("IO_ERROR", () => file.update("engineer", () => ({ count: 2 })));
    assertEquals(Deno.readTextFileSync(folder.file("outside.json")), '{"count":1}');
  });
}

Deno.test("JsonFile in a workspace is reached through no link, whoever made it", async () => {
  using folder = new TempFolder();
  Deno.mkdirSync(folder.file(".agentx"));
  Deno.writeTextFileSync(folder.file("outside.json"), '{"count":1}');
  Deno.symlinkSync("../outside.json", folder.file(".agentx/a.json"));
  const file = new JsonFile(folder.file(".agentx/a.json"), new FileLockManager());
  await refusal("IO_ERROR", () => file.read());
  await refusal("IO_ERROR", () => file.update("engineer", () => ({ count: 2 })));
  assertEquals(Deno.readTextFileSync(folder.file("outside.json")), '{"count":1}');
});
