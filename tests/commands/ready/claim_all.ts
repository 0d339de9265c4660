/**
 * One of several processes that claim issues until none is left, through the command line. Prints a
 * line of JSON for each.
 *
 * @module
 */

import { main } from "../../../cli.ts";
import { FakeIo } from "../../cli/fake_io.ts";

const NOTHING_READY = 4;
const WAITED_TOO_LONG = 5; // thirty of them on two cores

const [root, agent, startAtMs] = Deno.args;
await new Promise((resolve) => setTimeout(resolve, Math.max(0, Number(startAtMs) - Date.now())));
while (true) {
  const io = new FakeIo();
  const code = await main(["ready", "--claim", agent, "--root", root, "--json"], io);
  if (code === NOTHING_READY) break;
  if (code === WAITED_TOO_LONG) continue;
  if (code !== 0) throw new Error(io.err);
  console.log(JSON.stringify({ number: JSON.parse(io.out).issue.number, agent }));
}
