// Reads ledgers for hooks. A hook runs at every turn of a session, so this module loads as little code as possible.
// `ledger.ts` owns the files, and reports the problem of an unreadable one.

import { parseJson } from "../../base/checks.ts";
import { AgentxError, orElse } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { replaceFile } from "../../sys/replace_file.ts";
import { ledgerProblem } from "./ledger_problem.ts";
import { type ClarificationRecord, issueOfLedger, type LedgerFile } from "../schema.ts";

/**
 * Minimum age of a folder's modification time before the index is written: within this time, the folder may change
 * again and keep the same modification time.
 */
const SETTLED_MS = 2_000;

/**
 * Returns the wanted clarifications of all readable ledgers. While the folder stays unchanged, only the ledgers that
 * had a wanted clarification are read again; an index file beside the folder lists their names. So the result of
 * `isWanted` must not turn to true without a change of the ledger.
 */
export function readWanted(
  folder: string,
  isWanted: (record: ClarificationRecord) => boolean,
): ClarificationRecord[] {
  const info = sys.lstat(folder);
  if (info === undefined) return [];
  const index = `${folder}.wanted`;
  const version = `${info.id} ${info.modifiedMs}`;
  const [known, ...kept] = orElse(undefined, () => sys.readTextFile(index))?.split("\n") ?? [];
  const names = known === version ? kept : sys.readDir(folder).filter(issueOfLedger);
  const read = names.map((name) => ({ name, records: recordsIn(folder, name) }));
  const wanted = read.map(({ name, records }) => ({ name, records: records?.filter(isWanted) }));
  const isWhole = read.every(({ records }) => records !== undefined);
  if (known !== version && isWhole && sys.now() - info.modifiedMs > SETTLED_MS) {
    const lines = wanted.filter(({ records }) => records?.length).map(({ name }) => name);
    keep(index, [version, ...lines].join("\n"));
  }
  return wanted.flatMap(({ records = [] }) => records);
}

function recordsIn(folder: string, name: string): ClarificationRecord[] | undefined {
  const ledger = read(`${folder}/${name}`);
  if (ledger === undefined || ledger.issueNumber !== issueOfLedger(name)) return undefined;
  for (const record of ledger.clarifications) delete record.foreign; // the file has no say in this
  return ledger.clarifications;
}

/** Writes the index. If that fails, the next hook reads all ledgers again. */
function keep(index: string, text: string): void {
  const temporary = `${index}.${sys.pid}`;
  orElse(
    undefined,
    () => replaceFile(index, text, { temporary, fsync: false, mode: privateModes().file }),
  );
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
