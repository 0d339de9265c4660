/**
 * The lock where process ids lie: in containers, under other host names, and after a process has died
 * whose id is still there. It takes a Linux that lets this user make namespaces.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { lockPathOf } from "../../lib/lock/paths.ts";
import { refusal } from "../refusal.ts";
import { type Contender, Crew, DENO, hold, PROGRAM, startProcess } from "./contenders.ts";
import { TempFolder } from "./temp_folder.ts";
import { IS_FULL } from "../often.ts";

/** A death that is known is seen at once; the alternative would be 30 s. */
const SOON_MS = 3_000;

/** Where the first process is number 1, and none outside can be seen. */
const CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

const OTHER_HOST = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere; exec "$@"', "sh"];

/** Its parent never asks how it ended. */
const NEGLECTED = ["sh", "-c", 'exec 3<&0; "$@" <&3 & exec sleep 60', "sh"];

const NODE = ["node", PROGRAM];

async function run(...command: string[]): Promise<boolean> {
  const [program, ...args] = command;
  try {
    return (await new Deno.Command(program, { args, stderr: "null" }).output()).success;
  } catch {
    return false;
  }
}

const ignore = !await run(...CONTAINER, ...OTHER_HOST, "node", "--version");
if (ignore) console.warn("no namespaces or no node: the lock was not tried across containers");

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** In two containers that share a host name, outside of them, and under another host name. */
function everywhere(): Contender[] {
  return [
    startProcess(),
    startProcess(NODE),
    startProcess([...CONTAINER, ...DENO]),
    startProcess([...CONTAINER, ...NODE]),
    startProcess([...OTHER_HOST, ...NODE]),
    startProcess([...CONTAINER, ...OTHER_HOST, ...DENO]),
  ];
}

Deno.test({
  name: "JsonFile.update() loses no update of Deno and Node in and out of containers",
  ignore,
  async fn() {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using crew = new Crew(...everywhere());
    const times = IS_FULL ? 100 : 15;
    const options = { maxWaitMs: 60_000 };
    const report = await crew.run({ kind: "count", path, times, holdMs: 2, options });
    assertEquals(report.kind === "done" && report.turns, times * crew.members.length);
    assertEquals(JSON.parse(Deno.readTextFileSync(path)).count, times * crew.members.length);
  },
});

Deno.test({
  name:
    "FileLockManager.withSafeLock() lets one of Deno and Node in and out of containers in at a time",
  ignore,
  async fn() {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using crew = new Crew(...everywhere());
    const times = IS_FULL ? 100 : 15;
    const options = { maxWaitMs: 60_000 };
    const report = await crew.run({ kind: "enter", path, times, holdMs: 2, options });
    const outcome = report.kind === "done" && [report.turns, report.overlaps];
    assertEquals(outcome, [times * crew.members.length, 0]);
  },
});

for (const [what, command] of Object.entries({ Deno: DENO, Node: NODE })) {
  Deno.test({
    name: `FileLockManager.withSafeLock() does not rob ${what} in a container`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      const path = folder.file("a.json");
      await using holder = startProcess([...CONTAINER, ...command]);
      await using other = startProcess(NODE);
      await hold(holder, { kind: "keep", path, keepMs: 60_000 });
      const options = { maxWaitMs: 300 };
      const report = await other.run({ kind: "enter", path, times: 1, holdMs: 0, options });
      assertEquals(report.kind === "failed" && report.code, "LOCK_TIMEOUT");
      const locks = new FileLockManager(options);
      await refusal("LOCK_TIMEOUT", () => locks.withSafeLock(path, "b", () => {}));
    },
  });

  Deno.test({
    name: `FileLockManager.withSafeLock() takes over at once from a zombie of ${what}`,
    ignore,
    async fn() {
      using folder = new TempFolder();
      for (const next of [DENO, NODE]) {
        const path = folder.file("a.json");
        await using holder = startProcess([...NEGLECTED, ...command]);
        await using other = startProcess(next);
        await hold(holder, { kind: "keep", path, keepMs: 60_000 });
        const { pid } = JSON.parse(Deno.readTextFileSync(lockPathOf(path)));
        Deno.kill(pid, "SIGKILL");
        await later(50);
        const report = await other.run({ kind: "enter", path, times: 1, holdMs: 0 });
        assert(report.kind === "done" && report.longestWaitMs < SOON_MS, JSON.stringify(report));
      }
    },
  });
}

Deno.test({
  name:
    "FileLockManager.withSafeLock() takes over at once from Deno that was killed in a container",
  ignore,
  async fn() {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using holder = startProcess([...CONTAINER, ...OTHER_HOST, ...DENO]);
    await hold(holder, { kind: "keep", path, keepMs: 60_000 });
    const waiting = new FileLockManager().withSafeLock(path, "next", () => performance.now());
    const killedMs = performance.now();
    await holder.kill();
    const waitedMs = await waiting - killedMs;
    console.log(`next one in after ${waitedMs.toFixed(1)} ms`);
    assert(waitedMs < SOON_MS, String(waitedMs));
  },
});

Deno.test({
  name:
    "FileLockManager.withSafeLock() takes over within the threshold from Node that was killed in a container",
  ignore,
  async fn() {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    await using holder = startProcess([...CONTAINER, ...NODE]);
    await hold(holder, { kind: "keep", path, keepMs: 60_000 });
    await holder.kill();
    const locks = new FileLockManager({ staleThresholdMs: 1_500 });
    const waiting = locks.withSafeLock(path, "next", () => "in");
    assertEquals(await waiting, "in");
  },
});
