import { assertEquals } from "@std/assert";
import { ContextIo } from "../../lib/cli/context_io.ts";
import { FakeIo } from "./fake_io.ts";

Deno.test("ContextIo reads nothing for a command that was stopped before", async () => {
  const reason = new Error("stopped by SIGHUP");
  const io = new ContextIo(new FakeIo({ stdin: "" }), AbortSignal.abort(reason));
  for (const read of [io.readLine(), io.readStdin()]) {
    assertEquals(await read.catch((error) => error), reason);
  }
});

Deno.test("ContextIo waits no longer for input once the command is stopped", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped by SIGINT");
  const silent = Object.assign(new FakeIo(), { readLine: () => new Promise<string>(() => {}) });
  const line = new ContextIo(silent, stop.signal).readLine();
  stop.abort(reason);
  assertEquals(await line.catch((error) => error), reason);
});
