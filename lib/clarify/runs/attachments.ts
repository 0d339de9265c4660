// Answers that are too long for a thread, each in a file of its own beside the ledgers.

import { hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import type { ClarificationRecord } from "../schema.ts";

/**
 * Keeps a text without secrets in a folder; its file is named like `CLR-42-001-r1-1.txt`, the first of round
 * 1. Throws `IO_ERROR`.
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
