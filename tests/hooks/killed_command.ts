/**
 * A command line that is killed on its way: `killed_command.ts WHEN WHAT NUMBER WORDS`, where WHEN is `before` or
 * `after`, and WHAT is `stdout` or the end of the path of a file, at whose change of that number it happens.
 *
 * @module
 */

import { main } from "../../cli.ts";
import { realIo } from "../../lib/cli/io.ts";
import { sys } from "../../lib/sys/mod.ts";

const [when, what, number, ...words] = Deno.args;
let left = Number(number);

function perhapsKilled<T>(action: () => T): T {
  const isNow = --left === 0;
  if (isNow && when === "before") Deno.kill(Deno.pid, "SIGKILL");
  const value = action();
  if (isNow) Deno.kill(Deno.pid, "SIGKILL");
  return value;
}

const { rename } = sys;
sys.rename = (from, to) =>
  to.endsWith(what) ? perhapsKilled(() => rename(from, to)) : rename(from, to);

const io = realIo();
await main(words, {
  ...io,
  isTerminal: io.isTerminal,
  columns: 80,
  stdout: (text) => what === "stdout" ? perhapsKilled(() => io.stdout(text)) : io.stdout(text),
});
