import { assertEquals } from "@std/assert";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { ended, TempWorkspace } from "../../temp_workspace.ts";

/** Less than the wait would be. */
const ENOUGH_MS = 2_500;

function later(ms: number, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()));
  });
}

Deno.test("A command that waits for a lock ends on Ctrl-C, and does nothing when it is free later", async () => {
  using temp = new TempWorkspace();
  const path = `${temp.root}/.agentx/state/agent-status.json`;
  await temp.run(["state", "engineer", "--set", "idle"]);
  const before = Deno.readTextFileSync(path);
  const { running } = await new FileLockManager().withSafeLock(path, "holder", async () => {
    const { size } = Deno.statSync(`${path}.lock`);
    const child = temp.spawn(["state", "engineer", "--set", "working", "--json"]);
    const running = ended(child);
    while (Deno.statSync(`${path}.lock`).size === size) await later(10); // until it waits
    child.kill("SIGINT");
    const end = new AbortController();
    void running.then(() => end.abort());
    await later(ENOUGH_MS, end);
    return { running };
  });
  const run = await running;
  assertEquals([run.code, JSON.parse(run.err).error.code], [130, "INTERRUPTED"]);
  assertEquals(Deno.readTextFileSync(path), before);
});
