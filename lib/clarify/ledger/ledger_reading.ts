// Reading all ledgers, and nothing else: what runs at every turn of a session loads no more than this.
// `ledger.ts` owns the files, and says what is wrong with one that cannot be read.

import { parseJson } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { ledgerProblem } from "./ledger_problem.ts";
import { type ClarificationRecord, issueOfLedger, type LedgerFile } from "../schema.ts";

/** The clarifications of the ledgers that can be read. */
export function readLedgers(folder: string): ClarificationRecord[] {
  return sys.readDir(folder).flatMap((name) => {
    const issue = issueOfLedger(name);
    const ledger = issue === undefined ? undefined : read(`${folder}/${name}`);
    if (ledger === undefined || ledger.issueNumber !== issue) return [];
    for (const record of ledger.clarifications) delete record.foreign; // it cannot say so itself
    return ledger.clarifications;
  });
}

function read(path: string): LedgerFile | undefined {
  try {
    const value: unknown = parseJson(sys.readTextFile(path) ?? "null");
    return ledgerProblem(value) === undefined ? value as LedgerFile : undefined;
  } catch (error) {
    if (error instanceof AgentxError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
