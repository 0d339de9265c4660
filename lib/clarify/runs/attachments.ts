// Answers that are too long for a thread, each in a file of its own beside the ledgers.

import { hasCode } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import type { ClarificationRecord } from "../schema.ts";

/** Owner of the files under `.agentx/state/attachments/`. */
export class Attachments {
  readonly #folder: string;

  /** Names the folder, which need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Keeps a text without secrets; its file is named like `CLR-42-001-r1-1.txt`, the first of round
   * 1. Throws `IO_ERROR`.
   */
  add({ id, round }: ClarificationRecord, text: string): string {
    const modes = privateModes();
    sys.makeDir(this.#folder, modes.folder);
    for (let count = 1;; count++) {
      const name = `${id}-r${round}-${count}.txt`;
      try {
        sys.writeNewFile(`${this.#folder}/${name}`, text, { fsync: true, mode: modes.file });
        return name;
      } catch (error) {
        if (!hasCode(error, "IO_ERROR") || error.details.errno !== "EEXIST") throw error;
      }
    }
  }
}
