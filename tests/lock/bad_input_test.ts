/**
 * What the lock and the file under it may meet on a disk: each is refused with a message that says
 * what to do, and leaves nothing half-written, nothing lost and nothing behind.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { AgentxError } from "../../lib/base/errors.ts";
import { FileLockManager, JsonFile } from "../../lib/lock/mod.ts";
import { lockPathOf } from "../../lib/lock/paths.ts";
import type { System } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { SmallDisk } from "../small_disk.ts";
import { startProcess } from "./contenders.ts";
import { fault, replace, replaceFiles } from "./faults.ts";
import { HERE, lockText, plantLock } from "./plant.ts";
import { TempFolder } from "./temp_folder.ts";

interface Counter {
  count: number;
}

const BEFORE = '{\n  "count": 1\n}\n';

const NOBODY = 65_534;

function raise(path: string): Promise<Counter> {
  return new JsonFile<Counter>(path, new FileLockManager({ maxWaitMs: 60 }))
    .update("a", (now) => ({ count: (now?.count ?? 0) + 1 }));
}

/** The message says what failed and where, and what to do next. */
function assertHelps({ message }: AgentxError, path: string): void {
  const [summary, next, ...more] = message.split("\n");
  assert(summary.startsWith("Cannot ") && summary.includes(path), message);
  assert(next !== undefined && next.length > 10 && more.length === 0, message);
}

const IN_THE_WAY: Record<string, (lockPath: string) => void> = {
  "a folder": (path) => Deno.mkdirSync(path),
  "a symlink to a file": (path) => {
    Deno.writeTextFileSync(`${path}.target`, "precious");
    Deno.symlinkSync(`${path}.target`, path);
  },
  "a symlink to nothing": (path) => Deno.symlinkSync(`${path}.target`, path),
  "a named pipe": (path) => {
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
  },
};

for (const [what, put] of Object.entries(IN_THE_WAY)) {
  Deno.test(`JsonFile.update() refuses ${what} in the place of the lock file`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    Deno.writeTextFileSync(path, BEFORE);
    put(lockPathOf(path));
    const names = folder.names();
    const error = await refusal("IO_ERROR", () => raise(path));
    assertHelps(error, lockPathOf(path));
    assertEquals(error.details.path, lockPathOf(path));
    assertEquals(Deno.readTextFileSync(path), BEFORE);
    assertEquals(folder.names(), names);
    if (what === "a symlink to a file") {
      assertEquals(Deno.readTextFileSync(`${lockPathOf(path)}.target`), "precious");
    }
  });
}

const NO_RECORD: Record<string, string> = {
  "garbage": "\u0000\u0001 not a lock",
  "half a record": lockText().slice(0, 40),
  "an empty file": "",
  "a megabyte": "x".repeat(1 << 20),
};

for (const [what, text] of Object.entries(NO_RECORD)) {
  Deno.test(`JsonFile.update() waits for a fresh lock file with ${what}, and keeps it`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    plantLock(path, text);
    const error = await refusal("LOCK_TIMEOUT", () => raise(path));
    assertHelps(error, path);
    assertEquals(error.details.holder, null);
    assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
    assertEquals(folder.names(), ["a.json.lock"]);
  });

  Deno.test(`JsonFile.update() takes over an old lock file with ${what}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    plantLock(path, text, 3_000);
    assertEquals(await raise(path), { count: 1 });
    assertEquals(folder.names(), ["a.json"]);
  });
}

Deno.test("JsonFile.update() takes over a lock file from the future", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const timestamp = new Date(Date.now() + 3_600_000).toISOString();
  plantLock(path, lockText({ host: "elsewhere", process: null, timestamp }), -3_600_000);
  assertEquals(await raise(path), { count: 1 });
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("JsonFile.update() takes over from what cannot be a process", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  for (const pid of [0, -1, 2 ** 40]) {
    plantLock(path, lockText({ pid, witness: "heartbeat", process: HERE }));
    await raise(path);
  }
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("JsonFile refuses a folder in the place of the file", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  Deno.mkdirSync(path);
  assertHelps(await refusal("IO_ERROR", () => raise(path)), path);
  assertEquals(folder.names(), ["a.json"]);
});

Deno.test("JsonFile.update() refuses a file in the place of its folder", async () => {
  using folder = new TempFolder();
  Deno.writeTextFileSync(folder.file("state"), "");
  assertHelps(await refusal("IO_ERROR", () => raise(folder.file("state/a.json"))), "state");
  assertEquals(folder.names(), ["state"]);
});

/** The steps of an update at which the system can refuse. */
const STEPS: Record<string, (errno: string) => Disposable> = {
  "creating the lock file": (errno) => replace("createFile", () => refuse(errno)),
  "filling the lock file": (errno) => replaceFiles(/\.lock$/, () => ({ fill: refuse(errno) })),
  "reading the file": (errno) => replace("readTextFile", () => refuse(errno)),
  "writing the new text": (errno) => replace("writeNewFile", () => refuse(errno)),
  "half-way through the new text": (errno) =>
    replace("writeNewFile", (real) => (path, text, options) => {
      real(path, text.slice(0, 3), options);
      Deno.removeSync(path); // as `writeNewFile` does
      refuse(errno)();
    }),
  "putting the new text in place": (errno) => replace("rename", () => refuse(errno)),
};

function refuse(errno: string): () => never {
  return () => {
    throw fault(errno);
  };
}

for (const [step, break_] of Object.entries(STEPS)) {
  for (const errno of ["ENOSPC", "EACCES", "EROFS"]) {
    Deno.test(`JsonFile.update() loses nothing to ${errno} when ${step}`, async () => {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      Deno.writeTextFileSync(path, BEFORE);
      {
        using _ = break_(errno);
        const error = await refusal("IO_ERROR", () => raise(path));
        assertHelps(error, "");
        assertEquals(error.details.errno, errno);
      }
      assertEquals(Deno.readTextFileSync(path), BEFORE);
      assertEquals(folder.names(), ["a.json"]);
      assertEquals(await raise(path), { count: 2 });
    });
  }
}

/** The steps of a takeover at which the system can refuse. */
const TAKEOVER_STEPS: Record<string, (errno: string) => Disposable> = {
  "creating the takeover": (errno) => replaceExcept("createFile", /a\.json\.lock$/, errno),
  "filling the takeover": (errno) => replaceFiles(/-\w+\.lock$/, () => ({ fill: refuse(errno) })),
  "replacing the dead owner": (errno) => replace("rename", () => refuse(errno)),
};

function replaceExcept(name: "createFile", allowed: RegExp, errno: string): Disposable {
  return replace(name, (real): System["createFile"] => (path) => {
    return allowed.test(path) ? real(path) : refuse(errno)();
  });
}

for (const [step, break_] of Object.entries(TAKEOVER_STEPS)) {
  Deno.test(`JsonFile.update() leaves a dead lock as it is when refused ${step}`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    Deno.writeTextFileSync(path, BEFORE);
    const text = lockText();
    plantLock(path, text);
    {
      using _ = break_("ENOSPC");
      await refusal("IO_ERROR", () => raise(path));
    }
    assertEquals(Deno.readTextFileSync(lockPathOf(path)), text);
    assertEquals(folder.names(), ["a.json", "a.json.lock"]);
    assertEquals(await raise(path), { count: 2 });
    assertEquals(folder.names(), ["a.json"]);
  });
}

Deno.test("JsonFile.update() succeeds, and frees the lock for others, although its file cannot be removed", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  {
    using _ = replace("removeFile", () => refuse("EACCES"));
    assertEquals(await raise(path), { count: 1 });
  }
  assertEquals(folder.names(), ["a.json", "a.json.lock"]);
  const twoSecondsAgo = Date.now() / 1_000 - 2.1;
  Deno.utimeSync(lockPathOf(path), twoSecondsAgo, twoSecondsAgo);
  assertEquals(await raise(path), { count: 2 });
  assertEquals(folder.names(), ["a.json"]);
});

const LIBRARY = new URL("../../lib/lock/mod.ts", import.meta.url).href;

/** Runs a program of Deno as somebody who may not write everywhere; gives its output if it succeeds. */
async function asNobody(program: string): Promise<string | undefined> {
  if (Deno.uid() !== 0) return undefined;
  const cache = Deno.makeTempDirSync({ prefix: "agentx-nobody-" });
  Deno.chmodSync(cache, 0o777);
  // The Deno that runs this may lie in a home that nobody else may enter.
  const deno = `${cache}/deno`;
  Deno.copyFileSync(Deno.execPath(), deno);
  try {
    const { success, stdout } = await new Deno.Command(deno, {
      args: ["run", "-A", "--quiet", "--no-check", "--no-config", program],
      uid: NOBODY,
      gid: NOBODY,
      env: { DENO_DIR: cache, NO_COLOR: "1" },
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : undefined;
  } finally {
    Deno.removeSync(cache, { recursive: true });
  }
}

Deno.test("JsonFile.update() needs no permission but to read, to write, and for the host's name", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  const program = folder.file("program.ts");
  Deno.writeTextFileSync(
    program,
    `
    import { FileLockManager, JsonFile } from ${JSON.stringify(LIBRARY)};
    const file = new JsonFile(${JSON.stringify(path)}, new FileLockManager({ maxWaitMs: 500 }));
    await file.update("a", (now) => ({ count: (now?.count ?? 0) + 1 }));
  `,
  );
  const permissions = ["--allow-read", "--allow-write", "--allow-sys=hostname"];
  const args = ["run", ...permissions, "--quiet", "--no-check", "--no-config", program];
  for (const plant of [() => {}, () => plantLock(path, lockText())]) {
    plant(); // also a dead owner is recognised
    const { success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    assert(success, new TextDecoder().decode(stderr));
  }
  assertEquals(JSON.parse(Deno.readTextFileSync(path)), { count: 2 });
});

const canBeNobody = await asNobody(LIBRARY) !== undefined;
if (!canBeNobody) console.warn("cannot run as an unprivileged user: skipping the real EACCES");

Deno.test({
  name: "JsonFile.update() says permission denied in a folder that is really read-only",
  ignore: !canBeNobody,
  async fn() {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    Deno.writeTextFileSync(path, BEFORE);
    Deno.chmodSync(folder.path, 0o755);
    const program = folder.file("program.ts");
    Deno.writeTextFileSync(
      program,
      `
      import { FileLockManager, JsonFile } from ${JSON.stringify(LIBRARY)};
      const file = new JsonFile(${JSON.stringify(path)}, new FileLockManager());
      await file.update("a", () => ({ count: 9 })).catch(({ code, details, message }) =>
        console.log(JSON.stringify({ code, details, message })));
    `,
    );
    const error = JSON.parse(await asNobody(program) ?? "null");
    assertEquals([error?.code, error?.details.errno], ["IO_ERROR", "EACCES"]);
    assertHelps(error, path);
    assertEquals(Deno.readTextFileSync(path), BEFORE);
    assertEquals(folder.names(), ["a.json", "program.ts"]);
  },
});

Deno.test("JsonFile.update() loses nothing on a disk that is really full", async () => {
  using disk = SmallDisk.mount(64);
  if (disk === undefined) return;
  const path = `${disk.path}/a.json`;
  const names = () => Array.from(Deno.readDirSync(disk.path), ({ name }) => name).sort();
  await raise(path);
  disk.fill();
  const error = await refusal("IO_ERROR", () => raise(path));
  assertEquals(error.details.errno, "ENOSPC");
  assertHelps(error, path);
  assertEquals([Deno.readTextFileSync(path), names()], [BEFORE, ["a.json", "filler"]]);

  disk.free(4_096 * 2);
  assertEquals(await raise(path), { count: 2 });
  assertEquals(names(), ["a.json", "filler"]);
});

Deno.test("A contender of the stress tests reports what its lock met", async () => {
  using folder = new TempFolder();
  const path = folder.file("a.json");
  Deno.mkdirSync(lockPathOf(path));
  await using contender = startProcess();
  const report = await contender.run({ kind: "count", path, times: 1 });
  assertEquals(report.kind === "failed" && report.code, "IO_ERROR");
});
