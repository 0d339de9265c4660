/**
 * Reading all clarifications for a command that shows them: a ledger that cannot be read is named and
 * left out, the rest is done, and the exit code tells of it.
 *
 * @module
 */

import type { LedgerScan } from "../clarify/ledger.ts";
import type { ClarificationRecord } from "../clarify/schema.ts";
import { EXIT_CODES } from "../errors.ts";
import type { Io } from "./io.ts";
import { note } from "./note.ts";

/** What could be read. */
export interface ReadLedgers {
  /** By issue, and within it the oldest first. */
  clarifications: ClarificationRecord[];
  /** 0, or that of `CORRUPT_STATE` where something was left out. */
  exitCode: number;
}

/** @returns the clarifications of all issues */
export function readLedgers({ clarifications, problems }: LedgerScan, io: Io): ReadLedgers {
  for (const { summary } of problems) note(io, summary);
  return {
    clarifications,
    exitCode: problems.length > 0 ? EXIT_CODES.CORRUPT_STATE : 0,
  };
}
