/**
 * The clarification ledgers: one file per issue, one write per change (SPEC-1 section 4.2, ADR-1
 * decision 3). It knows the file, not the protocol: who may change what is the router's.
 *
 * @module
 */

import { isAgentName } from "../agent_names.ts";
import { AgentxError, hasCode } from "../errors.ts";
import { JsonFile } from "../lock/json_file.ts";
import type { FileLockManager } from "../lock/mod.ts";
import { type Cut, cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import {
  lastSequence,
  type LedgerMove,
  noteIssue,
  type NumbersByUid,
  planMoves,
  withMoved,
  withoutMoved,
} from "./renumber.ts";
import {
  checkIssueNumber,
  checkText,
  type ClarificationRecord,
  formatClarificationId,
  isActive,
  type LedgerFile,
  ledgerProblem,
  MAX_BODY,
  MAX_SEQUENCE,
  MAX_TOPIC,
  parseClarificationId,
  type ThreadEntry,
} from "./schema.ts";

/** All ledgers that can be read, and why the others cannot. */
export interface LedgerScan {
  /** Those that can be read, by issue number. */
  ledgers: LedgerFile[];
  /** Theirs: by issue number, and within it the oldest first. */
  clarifications: ClarificationRecord[];
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

const FILE_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;

/** @returns those that still wait for somebody, the oldest first */
export function activeByAge(scan: LedgerScan): ClarificationRecord[] {
  return scan.clarifications
    .filter(isActive)
    .sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
}

/** Gives, each time it is called, a function that tells whether git tracks a path now. */
export type TrackedFiles = () => (path: string) => boolean;

/** Options of {@linkcode ClarificationLedger}. */
export interface ClarificationLedgerOptions {
  /**
   * Tells which ledgers git tracks: their records are read as foreign.
   *
   * @default {none}
   */
  trackedFiles?: TrackedFiles;
  /**
   * Gives the `uid` of an issue, if it is known; the ledger notes it.
   *
   * @default {none}
   */
  uidOf?: (issueNumber: number) => Promise<string | undefined>;
  /**
   * Called with what was cut from a text before it was written: private parts and secrets.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

/**
 * Owner of the files under `.agentx/state/clarifications/`. Private parts and secrets
 * are cut from what is written there.
 */
export class ClarificationLedger {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #trackedFiles: TrackedFiles;
  readonly #uidOf: (issueNumber: number) => Promise<string | undefined>;
  readonly #notify: (message: string) => void;
  readonly #files = new Map<number, JsonFile<LedgerFile>>();

  /**
   * Opens the folder, which need not exist.
   *
   * @param folder `.agentx/state/clarifications`
   * @param locks the locks of this process
   * @param options what git tracks, and who is told what was cut
   */
  constructor(folder: string, locks: FileLockManager, options: ClarificationLedgerOptions = {}) {
    const { trackedFiles = () => () => false, notify = () => {} } = options;
    this.#uidOf = options.uidOf ?? (() => Promise.resolve(undefined));
    this.#folder = folder;
    this.#locks = locks;
    this.#trackedFiles = trackedFiles;
    this.#notify = notify;
  }

  /**
   * Reads one ledger.
   *
   * @param issueNumber from 1
   * @returns the clarifications of an issue, oldest first; none for an issue without a ledger
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  getByIssue(issueNumber: number): ClarificationRecord[] {
    const file = this.#file(checkIssueNumber(issueNumber));
    const records = file.read()?.clarifications ?? [];
    if (records.length === 0) return records;
    const isForeign = this.#trackedFiles()(file.path);
    return records.map((record) => marked(record, isForeign));
  }

  /**
   * Reads one clarification.
   *
   * @param id such as `CLR-42-001`, or a former id, from before its issue was renumbered
   * @returns the clarification as it is now
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`
   */
  getById(id: string): ClarificationRecord {
    const { issueNumber } = parseClarificationId(id);
    const record = this.getByIssue(issueNumber).find((record) => record.id === id) ??
      this.#findMoved(id);
    if (record !== undefined) return record;
    throw notFound(id);
  }

  /**
   * Reads one clarification where that is possible.
   *
   * @param id such as `CLR-42-001`
   * @returns the clarification; undefined where there is none, or where it cannot be read here
   */
  findReadable(id: string): ClarificationRecord | undefined {
    try {
      return this.getById(id);
    } catch (error) {
      if (error instanceof AgentxError) return undefined;
      throw error;
    }
  }

  /** Every ledger is read: it is asked for only where an id leads nowhere. */
  #findMoved(id: string): ClarificationRecord | undefined {
    return this.scan().clarifications.find(({ formerIds }) => formerIds?.includes(id));
  }

  /**
   * Reads one clarification that an agent will be run on, and checks its names: a forged file may
   * hold anything there.
   *
   * @param id such as `CLR-42-001`
   * @returns the clarification as it is now
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`; `CORRUPT_STATE` also if a name in it is not
   *   a valid agent name
   */
  getToRun(id: string): ClarificationRecord {
    const record = this.getById(id);
    const { from, to, thread } = record;
    const bad = [from, to, ...thread.map(({ from }) => from)].find((name): boolean =>
      !isAgentName(name)
    );
    if (bad === undefined) return record;
    const { path } = this.#file(parseClarificationId(id).issueNumber);
    throw new AgentxError(
      "CORRUPT_STATE",
      `Cannot run an agent on ${id}: in "${path}" a name is ${JSON.stringify(bad.slice(0, 60))}`,
      {
        details: { path, line: null },
        next: `A human can still end it with: agentx clarify resolve ${id}`,
      },
    );
  }

  /**
   * Reads the clarifications that are not finished (SPEC-1 section 2.5), from all ledgers that can be
   * read.
   *
   * @returns those that are pending, answered, stale or escalated, by issue
   */
  getActive(): ClarificationRecord[] {
    return this.scan().clarifications.filter(isActive);
  }

  /**
   * Reads every ledger; one that cannot be read does not hide the others.
   *
   * @returns the ledgers by issue number, and the problems
   */
  scan(): LedgerScan {
    const scan: LedgerScan = { ledgers: [], clarifications: [], problems: [] };
    const issues = sys.readDir(this.#folder).map((name) => Number(FILE_NAME.exec(name)?.[1]));
    if (issues.length === 0) return scan;
    const isTracked = this.#trackedFiles();
    for (const issue of issues.filter((number) => number >= 1).sort((a, b) => a - b)) {
      try {
        const file = this.#file(issue);
        const ledger = file.read();
        if (ledger === undefined) continue;
        const isForeign = isTracked(file.path);
        ledger.clarifications = ledger.clarifications.map((record) => marked(record, isForeign));
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
    const written = await cutting((cut) => ({
      ...record,
      topic: cut("topic", record.topic, (left) => checkText("topic", left, MAX_TOPIC)),
      thread: record.thread.map((entry) => cutEntry(cut, entry)),
    }), { what: `the new clarification of #${issueNumber}`, notify: this.#notify });
    let id = "";
    const issueUid = await this.#uidOf(issueNumber);
    await file.update(record.from, (ledger = { issueNumber, clarifications: [] }) => {
      noteIssue(ledger, issueUid, file.path);
      const sequence = lastSequence(ledger) + 1;
      if (sequence > MAX_SEQUENCE) throw usedUp(file.path, issueNumber);
      id = formatClarificationId(issueNumber, sequence);
      ledger.clarifications.push({ id, ...written });
      return ledger;
    });
    return marked({ id, ...written }, this.#trackedFiles()(file.path));
  }

  /**
   * Changes one clarification under the lock, on fresh data.
   *
   * @param id such as `CLR-42-001`
   * @param agent who changes it; shown to those who wait
   * @param edit alters the record; if it throws, nothing is written. It may be called again on fresh
   *   data, and what it adds to the thread is cut
   * @returns the clarification as it was written
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT` (nothing is left of a text once secrets are
   *   cut), `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever `edit` throws
   */
  async change(
    id: string,
    agent: string,
    edit: (record: ClarificationRecord) => void,
  ): Promise<ClarificationRecord> {
    const changed = await this.changeIf(id, agent, (record) => {
      edit(record);
      return true;
    });
    return changed as ClarificationRecord;
  }

  /**
   * Changes one clarification under the lock, on fresh data, if `edit` finds that it should.
   *
   * @param id such as `CLR-42-001`
   * @param agent who changes it; shown to those who wait
   * @param edit alters the record and returns true, or leaves it alone and returns false
   * @returns the clarification as it was written; undefined if it was left alone
   * @throws {AgentxError} as {@linkcode ClarificationLedger.change}
   */
  async changeIf(
    id: string,
    agent: string,
    edit: (record: ClarificationRecord) => boolean,
  ): Promise<ClarificationRecord | undefined> {
    const { issueNumber } = parseClarificationId(id);
    try {
      const changed = await this.#changeIn(
        issueNumber,
        { agent, what: id },
        (records) => [find(records, id)].filter(edit),
      );
      return changed.at(0);
    } catch (error) {
      const moved = hasCode(error, "NOT_FOUND") ? this.#findMoved(id) : undefined;
      if (moved === undefined) throw error;
      return await this.changeIf(moved.id, agent, edit);
    }
  }

  /**
   * Moves the clarifications of issues that were renumbered; their former ids still lead to them.
   * What moves is written at its new place before it leaves the old one.
   *
   * @param numbers the number of each issue, by its `uid`
   * @param agent who does it; shown to those who wait
   * @returns the ledgers that moved
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renumber(numbers: NumbersByUid, agent: string): Promise<LedgerMove[]> {
    const isTracked = this.#trackedFiles();
    const ledgers = this.scan().ledgers.flatMap(({ issueNumber }) => {
      const file = this.#file(issueNumber);
      return isTracked(file.path) ? [] : file.read() ?? [];
    });
    const moves = planMoves(ledgers, numbers);
    for (const { from, to } of moves) while (!await this.#move({ from, to }, agent));
    return moves;
  }

  /** Gives false where somebody changed the ledger after it was copied: it is still there then. */
  async #move({ from, to }: LedgerMove, agent: string): Promise<boolean> {
    const source = this.#file(from).read() as LedgerFile;
    await this.#file(to).update(agent, (ledger) => withMoved(ledger, source, to));
    const left = await this.#file(from).update(agent, (ledger) => {
      const isCopied = JSON.stringify(ledger) === JSON.stringify(source);
      return isCopied ? withoutMoved(source) : ledger as LedgerFile;
    });
    return left.clarifications.length === 0;
  }

  /**
   * Changes clarifications of an issue under the lock, on fresh data, in one write.
   *
   * @param issueNumber from 1
   * @param agent who changes them; shown to those who wait
   * @param edit alters a record and returns true, or leaves it alone and returns false
   * @returns the clarifications that were changed, as they were written
   * @throws {AgentxError} as {@linkcode ClarificationLedger.change}
   */
  async changeAll(
    issueNumber: number,
    agent: string,
    edit: (record: ClarificationRecord) => boolean,
  ): Promise<ClarificationRecord[]> {
    const how = { agent, what: `the clarifications of #${issueNumber}` };
    return await this.#changeIn(issueNumber, how, (records) => {
      if (records.length === 0) throw notFound(formatClarificationId(issueNumber, 1));
      return records.filter(edit);
    });
  }

  /** What the change adds to threads is cut; it may be called again, on fresh data. */
  async #changeIn(
    issueNumber: number,
    { agent, what }: { agent: string; what: string },
    change: (records: ClarificationRecord[]) => ClarificationRecord[],
  ): Promise<ClarificationRecord[]> {
    const file = this.#file(issueNumber);
    const written = await cutting(async (cut) => {
      let changed: ClarificationRecord[] = [];
      await file.update(agent, (ledger) => {
        const records = ledger?.clarifications ?? [];
        const known = new Map(records.map((record) => [record, record.thread.length]));
        const touched = change(records);
        for (const record of touched) {
          const added = record.thread.splice(known.get(record) ?? 0);
          record.thread.push(...added.map((entry) => cutEntry(cut, entry)));
        }
        changed = structuredClone(touched);
        return ledger as LedgerFile;
      });
      return changed;
    }, { what, notify: this.#notify });
    const isForeign = this.#trackedFiles()(file.path);
    return written.map((record) => marked(record, isForeign));
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
      file = new JsonFile(path, this.#locks, { problemWith, kind: "state" });
      this.#files.set(issueNumber, file);
    }
    return file;
  }
}

/** What a file says of itself about this does not count. */
function marked(record: ClarificationRecord, isForeign: boolean): ClarificationRecord {
  if (isForeign) return { ...record, foreign: true };
  if (record.foreign !== undefined) delete record.foreign;
  return record;
}

/** An escalation is composed of texts that fit, and may be longer than each. */
function cutEntry(cut: Cut, entry: ThreadEntry): ThreadEntry {
  const { type, body } = entry;
  const maxCharacters = type === "escalation" ? Infinity : MAX_BODY;
  return { ...entry, body: cut(type, body, (left) => checkText(type, left, maxCharacters)) };
}

function find(records: ClarificationRecord[], id: string): ClarificationRecord {
  const record = records.find((record) => record.id === id);
  if (record !== undefined) return record;
  throw notFound(id);
}

function notFound(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such clarification`, {
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
