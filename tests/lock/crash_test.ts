/**
 * Writers that are killed at random moments. Counts are reduced unless `AGENTX_STRESS=full`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager, JsonFile } from "../../lib/lock/mod.ts";
import { type Contender, startProcess, startWorker } from "./contenders.ts";
import { TempFolder } from "./temp_folder.ts";
import { IS_FULL } from "../often.ts";

const KINDS: Array<[what: string, start: () => Contender, kills: number]> = [
  ["processes", () => startProcess(), IS_FULL ? 200 : 10],
  ["workers", startWorker, IS_FULL ? 200 : 25],
];

interface Counter {
  count: number;
}

/** Counts at `path` until it is killed; tells of each value that was acknowledged. */
class Writer {
  readonly #contender: Contender;
  readonly #end: Promise<unknown>;
  /** Resolves once it has written. */
  readonly started: Promise<void>;

  constructor(start: () => Contender, path: string, hear: (value: number) => void) {
    this.#contender = start();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.started = promise;
    const job = { kind: "count", path, times: 1_000_000, tell: true } as const;
    this.#end = this.#contender.run(job, (report) => {
      if (report.kind !== "acknowledged") return;
      resolve();
      hear(report.value);
    });
  }

  async kill(): Promise<void> {
    await this.#contender.kill();
    await this.#end;
  }
}

for (const [what, start, kills] of KINDS) {
  Deno.test(`JsonFile.update() keeps what it acknowledged when ${what} are killed at random`, async () => {
    using folder = new TempFolder();
    const path = folder.file("a.json");
    const file = new JsonFile<Counter>(path, new FileLockManager());
    const acknowledged: number[] = [];
    const begin = () => new Writer(start, path, (value) => acknowledged.push(value));
    const writers = [begin(), begin(), begin()];
    for (let kill = 0; kill < kills; kill++) {
      const victim = kill % writers.length;
      await writers[victim].started;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      await writers[victim].kill();
      const count = file.read()?.count ?? 0; // it parses
      assert(count >= Math.max(0, ...acknowledged), `${count} < ${Math.max(...acknowledged)}`);
      writers[victim] = begin();
    }
    await Promise.all(writers.map((writer) => writer.kill()));
    const lastCount = file.read()?.count ?? 0;
    assert(lastCount >= Math.max(...acknowledged));
    assertEquals(new Set(acknowledged).size, acknowledged.length, "an update was lost");

    await new Promise((resolve) => setTimeout(resolve, 50)); // a worker ends a little later
    const { count } = await file.update("next", (now) => ({ count: (now?.count ?? 0) + 1 }));
    assert(count > lastCount);
    assertEquals(folder.names(), ["a.json"]);
  });
}
