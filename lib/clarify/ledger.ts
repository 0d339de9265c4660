/**
 * The clarification ledgers: one file per issue, one write per change (SPEC-1 section 4.2, ADR-1
 * decision 3). It knows the file, not the protocol: who may change what is the router's.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import {
  checkIssueNumber,
  type ClarificationRecord,
  formatClarificationId,
  type LedgerFile,
  ledgerProblem,
  MAX_SEQUENCE,
  parseClarificationId,
} from "./schema.ts";

/** All ledgers that can be read, and why the others cannot. */
export interface LedgerScan {
  /** Those that can be read, by issue number. */
  ledgers: LedgerFile[];
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

const FILE_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;

/** States in which a clarification still waits for somebody. */
const ACTIVE: readonly string[] = ["pending", "answered", "stale", "escalated"];

/** @returns whether the clarification still waits for somebody */
export function isActive(record: ClarificationRecord): boolean {
  return ACTIVE.includes(record.status);
}

/** Owner of the files under `.agentx/state/clarifications/`. */
export class ClarificationLedger {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #files = new Map<number, JsonFile<LedgerFile>>();

  /**
   * Opens the folder, which need not exist.
   *
   * @param folder `.agentx/state/clarifications`
   * @param locks the locks of this process
   */
  constructor(folder: string, locks: FileLockManager) {
    this.#folder = folder;
    this.#locks = locks;
  }

  /**
   * Reads one ledger.
   *
   * @param issueNumber from 1
   * @returns the clarifications of an issue, oldest first; none for an issue without a ledger
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  getByIssue(issueNumber: number): ClarificationRecord[] {
    return this.#file(checkIssueNumber(issueNumber)).read()?.clarifications ?? [];
  }

  /**
   * Reads one clarification.
   *
   * @param id such as `CLR-42-001`
   * @returns the clarification as it is now
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`
   */
  getById(id: string): ClarificationRecord {
    const { issueNumber } = parseClarificationId(id);
    return find(this.getByIssue(issueNumber), id);
  }

  /**
   * Reads every ledger; one that cannot be read does not hide the others.
   *
   * @returns the ledgers by issue number, and the problems
   */
  scan(): LedgerScan {
    const scan: LedgerScan = { ledgers: [], problems: [] };
    const issues = sys.readDir(this.#folder).map((name) => Number(FILE_NAME.exec(name)?.[1]));
    for (const issue of issues.filter((number) => number >= 1).sort((a, b) => a - b)) {
      try {
        const ledger = this.#file(issue).read();
        if (ledger !== undefined) scan.ledgers.push(ledger);
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        scan.problems.push(error);
      }
    }
    return scan;
  }

  /**
   * Adds a clarification under the next id: one more than the highest sequence in the ledger.
   *
   * @param issueNumber from 1
   * @param record all but the id
   * @returns the clarification as it was written
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async add(
    issueNumber: number,
    record: Omit<ClarificationRecord, "id">,
  ): Promise<ClarificationRecord> {
    const file = this.#file(checkIssueNumber(issueNumber));
    let id = "";
    await file.update(record.from, (ledger = { issueNumber, clarifications: [] }) => {
      const sequences = ledger.clarifications.map(({ id }) => parseClarificationId(id).sequence);
      const sequence = Math.max(0, ...sequences) + 1;
      if (sequence > MAX_SEQUENCE) throw usedUp(file.path, issueNumber);
      id = formatClarificationId(issueNumber, sequence);
      ledger.clarifications.push({ id, ...record });
      return ledger;
    });
    return { id, ...record };
  }

  /**
   * Changes one clarification under the lock, on fresh data.
   *
   * @param id such as `CLR-42-001`
   * @param agent who changes it, for those who wait
   * @param change alters the record; if it throws, nothing is written
   * @returns the clarification as it was written
   * @throws {AgentxError} `NOT_FOUND`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever
   *   `change` throws
   */
  async change(
    id: string,
    agent: string,
    change: (record: ClarificationRecord) => void,
  ): Promise<ClarificationRecord> {
    const { issueNumber } = parseClarificationId(id);
    let changed: ClarificationRecord | undefined;
    await this.#file(issueNumber).update(agent, (ledger) => {
      const record = find(ledger?.clarifications ?? [], id);
      change(record);
      changed = structuredClone(record);
      return ledger as LedgerFile;
    });
    return changed as ClarificationRecord;
  }

  #file(issueNumber: number): JsonFile<LedgerFile> {
    let file = this.#files.get(issueNumber);
    if (file === undefined) {
      const path = `${this.#folder}/issue-${issueNumber}.json`;
      const problemWith = (value: unknown) =>
        ledgerProblem(value) ??
          ((value as LedgerFile).issueNumber === issueNumber
            ? undefined
            : `issueNumber must be ${issueNumber}, as in the file's name`);
      file = new JsonFile(path, this.#locks, { problemWith });
      this.#files.set(issueNumber, file);
    }
    return file;
  }
}

function find(records: ClarificationRecord[], id: string): ClarificationRecord {
  const record = records.find((record) => record.id === id);
  if (record !== undefined) return record;
  throw new AgentxError("NOT_FOUND", `Cannot find "${id}": no such clarification`, {
    details: { kind: "clarification", id },
    next: `See what there is with: agentx clarify --issue ${parseClarificationId(id).issueNumber}`,
  });
}

/** No router gets that far: somebody wrote such an id by hand. */
function usedUp(path: string, issueNumber: number): AgentxError<"CORRUPT_STATE"> {
  return new AgentxError(
    "CORRUPT_STATE",
    `Cannot add to "${path}": it has ${formatClarificationId(issueNumber, MAX_SEQUENCE)} already`,
    { details: { path, line: null }, next: "Give that clarification the id that is next in line" },
  );
}
