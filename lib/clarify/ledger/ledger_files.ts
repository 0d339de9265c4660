// Lists and reads the files under `.agentx/state/clarifications/`, and finds their issues.

import type { Origin } from "../../base/origin.ts";
import { AgentxError } from "../../base/errors.ts";
import { JsonFile } from "../../lock/json_file.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { ledgerProblem } from "./ledger_problem.ts";
import { planMoves, withMoved, withoutMoved } from "./renumber.ts";
import {
  type ClarificationRecord,
  isActive,
  issueOfLedger,
  type LedgerFile,
  type LedgerMove,
  type NumbersByUid,
} from "../schema.ts";

/** All readable ledgers, and the problems of the unreadable ones. */
export interface LedgerScan {
  /** The readable ledgers, by issue number. */
  ledgers: LedgerFile[];
  /** The clarifications of these ledgers, by issue number, then the oldest first. */
  clarifications: ClarificationRecord[];
  /** One `CORRUPT_STATE` or `IO_ERROR` for each unreadable file. */
  problems: AgentxError[];
}

/** Returns the issue numbers of all ledgers in a folder. */
export function ledgerNumbers(folder: string): Set<number> {
  return new Set(sys.readDir(folder).flatMap((name) => issueOfLedger(name) ?? []));
}

/** Returns the clarifications that still wait for an agent or a human, the oldest first. */
export function activeByAge(scan: LedgerScan): ClarificationRecord[] {
  return scan.clarifications
    .filter(isActive)
    .sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
}

/**
 * Time for which a scan is reused while the folder's modification time stays the same. Each write of agentx renames a
 * file in the folder, which changes that time.
 */
const SCAN_MS = 1_000;

/**
 * Minimum age of a folder's modification time before a scan is reused: within this time, the folder may change again
 * and keep the same modification time.
 */
const SETTLED_MS = 100;

/** Reads, lists and moves the files `issue-{n}.json` of a folder. */
export class LedgerFiles {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #origin: Origin;
  readonly #files = new Map<number, JsonFile<LedgerFile>>();
  #last: { scan: LedgerScan; folder: string; endedMs: number } | undefined;

  constructor(folder: string, locks: FileLockManager, origin: Origin) {
    this.#folder = folder;
    this.#locks = locks;
    this.#origin = origin;
  }

  file(issueNumber: number): JsonFile<LedgerFile> {
    let file = this.#files.get(issueNumber);
    if (file === undefined) {
      const path = `${this.#folder}/issue-${issueNumber}.json`;
      const problemWith = (value: unknown) =>
        ledgerProblem(value) ??
          ((value as LedgerFile).issueNumber === issueNumber
            ? undefined
            : `issueNumber must be ${issueNumber}, as in the file's name`);
      file = new JsonFile(path, this.#locks, { problemWith, kind: "state", keepsCopy: true });
      this.#files.set(issueNumber, file);
    }
    return file;
  }

  /** Returns the same clarifications, and marks each one that came from elsewhere. */
  marked(issueNumber: number, records: ClarificationRecord[]): ClarificationRecord[] {
    if (records.length === 0) return records;
    const isForeign = this.#origin.now();
    const { path } = this.file(issueNumber);
    return records.map((record) => marked(record, isForeign(path, record)));
  }

  /** Reads every ledger; an unreadable one does not hide the others. */
  scan(): LedgerScan {
    const info = sys.lstat(this.#folder);
    const folder = `${info?.id} ${info?.modifiedMs}`;
    const { scan: known, endedMs = 0 } = this.#last?.folder === folder ? this.#last : {};
    if (known !== undefined && sys.now() - endedMs < SCAN_MS) return copyOf(known);
    const isSettled = info !== undefined && sys.now() - info.modifiedMs > SETTLED_MS;
    const scan = this.#read();
    this.#last = isSettled ? { scan, folder, endedMs: sys.now() } : undefined;
    return copyOf(scan);
  }

  /** Makes the next scan read all ledgers: an editor may have written a ledger in place. */
  forgetScan(): void {
    this.#last = undefined;
  }

  #read(): LedgerScan {
    const scan: LedgerScan = { ledgers: [], clarifications: [], problems: [] };
    const issues = [...ledgerNumbers(this.#folder)];
    if (issues.length === 0) return scan;
    const isForeign = this.#origin.now();
    for (const issue of issues.sort((a, b) => a - b)) {
      try {
        const file = this.file(issue);
        const ledger = file.read();
        if (ledger === undefined) continue;
        ledger.clarifications = ledger.clarifications
          .map((record) => marked(record, isForeign(file.path, record)));
        scan.ledgers.push(ledger);
        scan.clarifications.push(...ledger.clarifications);
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        scan.problems.push(error);
      }
    }
    return scan;
  }

  /**
   * Moves ledgers that are not foreign. Each ledger is written to its new place before it is removed from the old one.
   */
  async renumber(numbers: NumbersByUid, agent: string): Promise<LedgerMove[]> {
    const isForeign = this.#origin.now();
    const ledgers = this.scan().ledgers.flatMap(({ issueNumber }) => {
      const file = this.file(issueNumber);
      return isForeign(file.path) ? [] : file.read() ?? [];
    });
    const moves = planMoves(ledgers, numbers);
    for (const { from, to } of moves) while (!await this.#move({ from, to }, agent));
    return moves;
  }

  /** Moves one ledger. Returns false if the ledger changed after it was copied; it then stays at its old place too. */
  async #move({ from, to }: LedgerMove, agent: string): Promise<boolean> {
    const source = this.file(from).read() as LedgerFile;
    await this.file(to).update(agent, (ledger) => withMoved(ledger, source, to));
    const left = await this.file(from).update(agent, (ledger) => {
      const isCopied = JSON.stringify(ledger) === JSON.stringify(source);
      return isCopied ? withoutMoved(source) : ledger as LedgerFile;
    });
    return left.clarifications.length === 0;
  }
}

/** Returns a copy of a scan, so that the caller may sort its lists. */
function copyOf({ ledgers, clarifications, problems }: LedgerScan): LedgerScan {
  return {
    ledgers: [...ledgers],
    clarifications: [...clarifications],
    problems: [...problems],
  };
}

/** Sets or removes the `foreign` mark of a record, and ignores the mark in the file. */
function marked(record: ClarificationRecord, isForeign: boolean): ClarificationRecord {
  if (isForeign) return { ...record, foreign: true };
  if (record.foreign !== undefined) delete record.foreign;
  return record;
}
