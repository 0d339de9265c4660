/**
 * Whom the changes of a workspace are told, and when.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Changes } from "../../lib/board/changes.ts";
import { BoardKeys } from "../../lib/board/keys.ts";
import { boardServer } from "../../lib/board/server.ts";
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

/** Changes whose summaries are as given, looked at often; each call changes the files. */
function changing(folder: string, summary: () => Promise<string>): Changes {
  let stamp = 0;
  return new Changes({ folder, stamp: () => `${++stamp}`, summary });
}

Deno.test("Changes: whoever could not be told at first is not told again", async () => {
  const folder = Deno.makeTempDirSync();
  const { wait } = sys;
  sys.wait = (ms, signal) => wait(Math.min(ms, 5), signal);
  try {
    let hasFailed = false;
    const changes = changing(folder, () => {
      if (hasFailed) return Promise.resolve("1");
      hasFailed = true;
      return Promise.reject(new Error("It is held"));
    });
    const told: string[] = [];
    const refused = await changes.listen((summary) => told.push(summary)).catch(() => undefined);
    assertEquals(refused, undefined);
    const stop = await changes.listen(() => {});
    await wait(50);
    assertEquals(told, []);
    stop();
    await wait(50);
  } finally {
    Object.assign(sys, { wait });
    Deno.removeSync(folder);
  }
});

Deno.test("boardServer() forgets a page that leaves while its first summary is read", async () => {
  const folder = Deno.makeTempDirSync();
  const { wait } = sys;
  sys.wait = (ms, signal) => wait(Math.min(ms, 5), signal);
  try {
    const first = Promise.withResolvers<string>();
    let asked = 0;
    const changes = changing(folder, () => ++asked === 1 ? first.promise : Promise.resolve("2"));
    const keys = new BoardKeys(() => {});
    const answer = boardServer({
      keys,
      readOnly: undefined,
      host: () => "127.0.0.1:1",
      view: () => Promise.resolve(undefined),
      act: () => Promise.reject(new TypeError("nothing is done here")),
      listen: (listener) => changes.listen(listener),
    });
    const { body } = await answer(
      new Request("http://127.0.0.1:1/changes", {
        headers: { host: "127.0.0.1:1", authorization: `Bearer ${keys.keyFor(keys.newCode())}` },
      }),
    );
    await body!.cancel();
    first.resolve("1");
    await wait(50);
    assertEquals(asked, 1);
  } finally {
    Object.assign(sys, { wait });
    Deno.removeSync(folder);
  }
});
