// The clarification ledgers: one file per issue, one write per change (SPEC-1 section 4.2, ADR-1 decision 3). A ledger
// knows the file, not the protocol: the router decides who may change what.

import { isAgentName } from "../../base/agent_names.ts";
import { AgentxError, hasCode, orElse } from "../../base/errors.ts";
import { checkIssueNumber, checkText } from "../../base/input_checks.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { type Cut, cutting } from "../../redact/border.ts";
import { type Origin, OWN_ORIGIN } from "../../base/origin.ts";
import type { NoteChange } from "../../events/operations.ts";
import { type RecordEffect, takenBack, watching } from "../../events/record_effect.ts";
import { LedgerFiles, type LedgerScan } from "./ledger_files.ts";
import { lastSequence, planMoves } from "./renumber.ts";
import {
  type ClarificationRecord,
  formatClarificationId,
  isActive,
  type LedgerFile,
  type LedgerMove,
  MAX_BODY,
  MAX_SEQUENCE,
  MAX_TOPIC,
  noteIssue,
  type NumbersByUid,
  parseClarificationId,
  type ThreadEntry,
} from "../schema.ts";

export interface ClarificationLedgerOptions {
  /** Tells which records came from elsewhere; the ledger marks these as foreign when it reads them. */
  origin?: Origin;
  /** Returns the `uid` of an issue, if it is known. The ledger notes the `uid`. */
  uidOf?: (issueNumber: number) => Promise<string | undefined>;
  /** Called with each change before the change is written. */
  note?: NoteChange;
  /** Called with one sentence for each private part or secret that was cut from a text. */
  notify?: (message: string) => void;
}

/** Alters a clarification under the lock; `all` has all clarifications of its issue. */
export type LedgerEdit<T> = (
  record: ClarificationRecord,
  all: readonly ClarificationRecord[],
) => T;

/**
 * Owner of the files under `.agentx/state/clarifications/`. It cuts private parts and secrets from texts before it
 * writes them.
 */
export class ClarificationLedger {
  readonly #files: LedgerFiles;
  readonly #origin: Origin;
  readonly #uidOf: (issueNumber: number) => Promise<string | undefined>;
  readonly #note: NoteChange;
  readonly #notify: (message: string) => void;

  /**
   * Opens the folder, which need not exist.
   *
   * @param folder `.agentx/state/clarifications`
   */
  constructor(folder: string, locks: FileLockManager, options: ClarificationLedgerOptions = {}) {
    const { origin = OWN_ORIGIN, note = () => {}, notify = () => {} } = options;
    this.#origin = origin;
    this.#note = note;
    this.#uidOf = options.uidOf ?? (() => Promise.resolve(undefined));
    this.#files = new LedgerFiles(folder, locks, origin);
    this.#notify = notify;
  }

  /**
   * Reads the ledger of an issue.
   *
   * @returns the clarifications of the issue, oldest first; none for an issue without a ledger
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  getByIssue(issueNumber: number): ClarificationRecord[] {
    const file = this.#files.file(checkIssueNumber(issueNumber));
    return this.#files.marked(issueNumber, file.read()?.clarifications ?? []);
  }

  /**
   * Reads one clarification, also by an id that it had before its issue was renumbered.
   *
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`
   */
  getById(id: string): ClarificationRecord {
    const { issueNumber } = parseClarificationId(id);
    const record = this.getByIssue(issueNumber).find((record) => record.id === id) ??
      this.#findMoved(id);
    if (record !== undefined) return record;
    throw notFound(id);
  }

  /** Reads one clarification; undefined if it does not exist or cannot be read here. */
  findReadable(id: string): ClarificationRecord | undefined {
    return orElse(undefined, () => this.getById(id));
  }

  /** Finds a clarification by a former id. This reads every ledger, so it is the last resort for an unknown id. */
  #findMoved(id: string): ClarificationRecord | undefined {
    return this.scan().clarifications.find(({ formerIds }) => formerIds?.includes(id));
  }

  /**
   * Reads one clarification to run an agent on, and checks its names: a forged ledger may contain anything as a name.
   *
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`; `CORRUPT_STATE` also if a name in the record is not a valid
   *   agent name
   */
  getToRun(id: string): ClarificationRecord {
    const record = this.getById(id);
    const { from, to, thread } = record;
    const bad = [from, to, ...thread.map(({ from }) => from)].find((name): boolean =>
      !isAgentName(name)
    );
    if (bad === undefined) return record;
    const { path } = this.#files.file(parseClarificationId(id).issueNumber);
    throw new AgentxError(
      "CORRUPT_STATE",
      `Cannot run an agent on ${id}: "${path}" has the invalid agent name ${
        JSON.stringify(bad.slice(0, 60))
      }`,
      {
        details: { path, line: null },
        next: `A human can still end it with: agentx clarify resolve ${id}`,
      },
    );
  }

  /**
   * Reads the clarifications that are not finished (SPEC-1 section 2.5), which are pending, answered, stale or
   * escalated. Ledgers that cannot be read are left out.
   */
  getActive(): ClarificationRecord[] {
    return this.scan().clarifications.filter(isActive);
  }

  /** Reads every ledger; an unreadable one does not hide the others. */
  scan(): LedgerScan {
    return this.#files.scan();
  }

  /** Makes the next scan read all ledgers: an editor may have written a ledger in place. */
  forgetScan(): void {
    this.#files.forgetScan();
  }

  /**
   * Adds a clarification under the next id: one more than the highest sequence in the ledger. `edit` may alter the
   * clarification under the lock, and gets the others of the issue as they are then; if `edit` throws, nothing is
   * written.
   *
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever `edit` throws
   */
  async add(
    issueNumber: number,
    record: Omit<ClarificationRecord, "id">,
    edit: LedgerEdit<void> = () => {},
  ): Promise<ClarificationRecord> {
    const file = this.#files.file(checkIssueNumber(issueNumber));
    const written = await cutting((cut) => ({
      ...record,
      topic: cut("topic", record.topic, (left) => checkText("topic", left, MAX_TOPIC)),
      thread: record.thread.map((entry) => cutEntry(cut, entry)),
    }), { what: `the new clarification of #${issueNumber}`, notify: this.#notify });
    const issueUid = await this.#uidOf(issueNumber);
    const change = (ledger: LedgerFile = { issueNumber, clarifications: [] }) => {
      noteIssue(ledger, issueUid, file.path);
      const sequence = lastSequence(ledger) + 1;
      if (sequence > MAX_SEQUENCE) throw usedUp(file.path, issueNumber);
      const id = formatClarificationId(issueNumber, sequence);
      const added = structuredClone({ id, ...written });
      const effects = watching("clarification", ledger.clarifications);
      edit(added, this.#files.marked(issueNumber, ledger.clarifications));
      ledger.clarifications.push(added);
      this.#note(record.from, effects(ledger.clarifications));
      return { value: ledger, result: added };
    };
    const added = await file.updateReturning(record.from, change);
    this.#origin.noteOwn(added);
    return this.#files.marked(issueNumber, [added])[0];
  }

  /**
   * Changes one clarification under the lock, on fresh data. If `edit` throws, nothing is written. `edit` may be called
   * more than once. Secrets are cut from the thread entries that it adds.
   *
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_INPUT` (a text contained nothing but secrets), `CORRUPT_STATE`,
   *   `LOCK_TIMEOUT`, `IO_ERROR`; and the errors of `edit`
   */
  async change(
    id: string,
    agent: string,
    edit: LedgerEdit<void>,
  ): Promise<ClarificationRecord> {
    const changed = await this.changeIf(id, agent, (record, all) => {
      edit(record, all);
      return true;
    });
    return changed as ClarificationRecord;
  }

  /**
   * Changes one clarification under the lock, on fresh data, if `edit` returns true.
   *
   * @returns the clarification as it was written; undefined if `edit` returned false
   * @throws {AgentxError} as {@linkcode ClarificationLedger.change}
   */
  async changeIf(
    id: string,
    agent: string,
    edit: LedgerEdit<boolean>,
  ): Promise<ClarificationRecord | undefined> {
    const { issueNumber } = parseClarificationId(id);
    try {
      const changed = await this.#changeIn(
        issueNumber,
        { agent, what: id },
        (records) => [find(records, id)].filter((record) => edit(record, records)),
      );
      return changed.at(0);
    } catch (error) {
      const moved = hasCode(error, "NOT_FOUND") ? this.#findMoved(id) : undefined;
      if (moved === undefined) throw error;
      return await this.changeIf(moved.id, agent, edit);
    }
  }

  /**
   * Moves the clarifications of issues that were renumbered; their former ids still lead to them. Each ledger is
   * written to its new place before it is removed from the old one.
   *
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async renumber(numbers: NumbersByUid, agent: string): Promise<LedgerMove[]> {
    return await this.#files.renumber(numbers, agent);
  }

  /** Returns the moves that {@linkcode ClarificationLedger.renumber} would make. */
  planMoves(numbers: NumbersByUid): LedgerMove[] {
    return planMoves(this.scan().ledgers, numbers);
  }

  /**
   * Changes the clarifications of an issue for which `edit` returns true, under the lock, in one write. Returns the
   * changed clarifications as they were written.
   *
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

  /**
   * Changes the clarifications of an issue after an exchange between machines. The caller has already cut secrets from
   * the texts.
   *
   * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever `edit` throws
   */
  async exchange<T>(
    issueNumber: number,
    agent: string,
    edit: (records: ClarificationRecord[], nextId: () => string) => T,
  ): Promise<T> {
    const file = this.#files.file(issueNumber);
    const issueUid = await this.#uidOf(issueNumber);
    return await file.updateReturning(agent, (ledger) => {
      const value = ledger ?? { issueNumber, clarifications: [] };
      noteIssue(value, issueUid, file.path);
      const nextId = () => formatClarificationId(issueNumber, lastSequence(value) + 1);
      return { value, result: edit(value.clarifications, nextId) };
    });
  }

  /**
   * Restores clarifications of an issue to their earlier state. The id of a removed clarification is never given again.
   *
   * @throws {AgentxError} `NOT_READY` if a clarification was changed since; `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async takeBack(
    issueNumber: number,
    taken: readonly RecordEffect[],
    agent: string,
  ): Promise<void> {
    await this.#files.file(issueNumber).update(agent, (ledger) => {
      const value: LedgerFile = ledger ?? { issueNumber, clarifications: [] };
      const effects = watching("clarification", value.clarifications);
      const clarifications = takenBack(value.clarifications, taken);
      this.#note(agent, effects(clarifications));
      return { ...value, clarifications, lastSequence: lastSequence(value) };
    });
  }

  /**
   * Changes records of one ledger, and cuts secrets from the entries added to threads. `change` may be called again, on
   * fresh data.
   */
  async #changeIn(
    issueNumber: number,
    { agent, what }: { agent: string; what: string },
    change: (records: ClarificationRecord[]) => ClarificationRecord[],
  ): Promise<ClarificationRecord[]> {
    const file = this.#files.file(issueNumber);
    const written = await cutting(
      (cut) =>
        file.updateReturning(agent, (ledger) => {
          const records = ledger?.clarifications ?? [];
          const known = new Map(records.map((record) => [record, record.thread.length]));
          const effects = watching("clarification", records);
          const touched = change(records);
          for (const record of touched) {
            const added = record.thread.splice(known.get(record) ?? 0);
            record.thread.push(...added.map((entry) => cutEntry(cut, entry)));
          }
          this.#note(agent, effects(records));
          return { value: ledger as LedgerFile, result: structuredClone(touched) };
        }),
      { what, notify: this.#notify },
    );
    return this.#files.marked(issueNumber, written);
  }
}

/** Cuts secrets from a thread entry and checks its length. An escalation has no limit: it quotes several texts. */
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
    next: `List them with: agentx clarify --issue ${parseClarificationId(id).issueNumber}`,
  });
}

/** The error for a ledger that has the highest possible id, which only a person can have written by hand. */
function usedUp(path: string, issueNumber: number): AgentxError<"CORRUPT_STATE"> {
  return new AgentxError(
    "CORRUPT_STATE",
    `Cannot add to "${path}": it already has ${formatClarificationId(issueNumber, MAX_SEQUENCE)}`,
    { details: { path, line: null }, next: "Give that clarification the next free id" },
  );
}
