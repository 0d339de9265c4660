import { FileLockManager } from "../../lib/lock/mod.ts";
import { hold, startWorker } from "./contenders.ts";
import { TempFolder } from "./temp_folder.ts";
const later = (ms: number) => new Promise((r) => setTimeout(r, ms));
Deno.test("zz", async () => {
  using folder = new TempFolder();
  for (let trial = 0; trial < 100; trial++) {
    const path = folder.file(`${trial}.json`);
    const t: number[] = [performance.now()];
    await using holder = startWorker();
    t.push(performance.now());
    await hold(holder, { kind: "keep", path, keepMs: 60_000 });
    t.push(performance.now());
    const locks = new FileLockManager({ maxWaitMs: 20_000 });
    const waiting = locks.withSafeLock(path, "next", () => performance.now());
    await later(15);
    t.push(performance.now());
    const [entered] = await Promise.all([waiting, holder.kill()]);
    t.push(entered, performance.now());
    if (t[5] - t[0] > 1000) {
      console.log(
        trial,
        t.map((x, i) => i ? (x - t[i - 1]) | 0 : 0).join(" "),
      );
    }
  }
});
