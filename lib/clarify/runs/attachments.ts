// Keeps answers that are too long for a thread, each in its own file beside the ledgers.

import { hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import type { ClarificationRecord } from "../schema.ts";

/**
 * Writes a text, from which secrets were already cut, into a folder. Returns the name of its file, such as
 * `CLR-42-001-r1-1.txt` for the first one of round 1. Throws `IO_ERROR`.
 */
export function addAttachment(
  folder: string,
  { id, round }: ClarificationRecord,
  text: string,
): string {
  const modes = privateModes();
  sys.makeDir(folder, modes.folder);
  for (let count = 1;; count++) {
    const name = `${id}-r${round}-${count}.txt`;
    try {
      sys.writeNewFile(`${folder}/${name}`, text, { fsync: true, mode: modes.file });
      return name;
    } catch (error) {
      if (!hasCode(error, "IO_ERROR") || error.details.errno !== "EEXIST") throw error;
    }
  }
}
