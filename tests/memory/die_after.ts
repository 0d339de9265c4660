/**
 * A process that dies at a write to memory.
 *
 * @module
 */

import type { OpenFile } from "../../lib/sys/mod.ts";
import { Death } from "../lock/dying.ts";
import { replaceFiles } from "../lock/faults.ts";

/** Lets so many writes through; every later one finds the process dead. */
export function dieAfter(writes: number): Death {
  const death = new Death(writes, ["writeNewFile", "rename", "removeFile"]);
  death.use(replaceFiles(/\.jsonl$/, (file): Partial<OpenFile> => ({
    // Half of the text arrives.
    writeAt: (text, offset) => {
      if (death.isNext) file.writeAt(text.slice(0, text.length / 2), offset);
      death.guard(() => file.writeAt(text, offset))();
    },
    truncate: death.guard((size: number) => file.truncate(size)),
    sync: death.guard(() => file.sync()),
  })));
  return death;
}
