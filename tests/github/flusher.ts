/**
 * `agentx` as a process of its own that does not wait between its tries, for tests that kill it.
 *
 * @module
 */

import { main } from "../../cli.ts";
import { realIo } from "../../lib/cli/io.ts";
import { fastClock } from "./fast_clock.ts";

fastClock();
Deno.exit(await main(Deno.args, realIo()));
