/**
 * A hook that is killed while it answers: `killed_hook.ts POINT HOST EVENT`, where POINT is `before` or
 * `after` its answer is written.
 *
 * @module
 */

import { main } from "../../../cli.ts";
import { realIo } from "../../../lib/cli/io.ts";

const [point, ...words] = Deno.args;
const io = realIo();
await main(["hook", "host", ...words], {
  ...io,
  isTerminal: io.isTerminal,
  columns: 80,
  stdout(text) {
    if (point === "after") io.stdout(text);
    Deno.kill(Deno.pid, "SIGKILL");
    return true;
  },
});
