/**
 * A process that makes the index of a folder, for tests that kill it.
 *
 * @module
 */

import { FileLockManager } from "../../../lib/lock/mod.ts";
import { JsonObservationStore } from "../../../lib/memory/store/store.ts";

const [root] = Deno.args;
const recallsPath = `${root}/state/memory-recalls.json`;
await new JsonObservationStore(`${root}/memory`, new FileLockManager(), { recallsPath }).rebuild();
