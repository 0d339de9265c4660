/**
 * Whom the changes of a workspace are told, and when.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Changes } from "../../lib/board/changes.ts";
import { sys } from "../../lib/sys/mod.ts";

Deno.test("Changes: time alone is told only if it changed what waits", async () => {
  const folder = Deno.makeTempDirSync();
  const { now, wait } = sys;
  let [aheadMs, asked, waiting] = [0, 0, 1];
  sys.now = () => now() + aheadMs;
  sys.wait = (ms, signal) => wait(Math.min(ms, 5), signal);
  try {
    const changes = new Changes({
      folder,
      stamp: () => "the same",
      summary: () => Promise.resolve(`${++asked && waiting}`),
    });
    const told: string[] = [];
    const stop = await changes.listen((summary) => told.push(summary));
    await wait(50);
    assertEquals([told, asked], [["1"], 1]);
    aheadMs += 31_000;
    while (asked === 1) await wait(5);
    await wait(50);
    assertEquals([told, asked], [["1"], 2]);
    [aheadMs, waiting] = [aheadMs + 31_000, 2];
    while (told.length === 1) await wait(5);
    assertEquals(told, ["1", "2"]);
    stop();
    await wait(50);
  } finally {
    Object.assign(sys, { now, wait });
    Deno.removeSync(folder);
  }
});
