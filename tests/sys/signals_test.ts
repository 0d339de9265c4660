import { assertEquals } from "@std/assert";
import { endingListeners } from "../../lib/sys/signals.ts";

/** What is told of when each signal comes, where this is how the kernel's words are read. */
function toldWith(read: () => string | undefined): string[] {
  const told: string[] = [];
  const proc = { pid: 7, read, readLink: () => "7" };
  for (const [, listener] of endingListeners(proc, (signal) => told.push(signal))) listener();
  return told;
}

const ALL = ["SIGINT", "SIGTERM", "SIGHUP"];

for (
  const [what, read, told] of [
    ["it is not ignored", () => "Pid:\t7\nSigIgn:\t0000000001001000\n", ALL],
    ["nohup has it ignored", () => "SigIgn:\t0000000001001001\n", ALL.slice(0, 2)],
    ["nothing is said of it", () => "Pid:\t7\n", ALL],
    ["there is no /proc", () => undefined, ALL],
    ["/proc may not be read", () => {
      throw new Deno.errors.NotCapable("refused");
    }, ALL],
  ] as const
) {
  Deno.test(`endingListeners() tells of ${told.length} signals where ${what}`, () => {
    assertEquals(toldWith(read), [...told]);
  });
}
