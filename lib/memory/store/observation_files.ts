/**
 * The observations as they are kept: the journal, the issue files it is folded into, and the archive
 * of what was compacted. Everything else in the folder follows from these.
 *
 * A crash at any instant loses nothing and doubles nothing: what moves is written at its new place
 * before it leaves the old one, and is known again by its id. Whoever reads takes no lock and reads
 * in the order in which things move. Whoever writes holds the lock of the store.
 *
 * @module
 */

import { AgentxError, hasCode } from "../../errors.ts";
import { commitFile } from "../../lock/commit.ts";
import type { LockHandle } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { privateModes } from "../../sys/modes.ts";
import { summaryWithout } from "../compaction_plan.ts";
import { checkSubfolder, type ReplaceFile } from "../files.ts";
import { KnownObservations, markOf } from "../fingerprint.ts";
import { byTime, type Observation, parseObservationId } from "../schema.ts";
import { type FileStamps, type IssueContent, IssueFiles } from "./issue_files.ts";
import { encodeJournal, Journal, type JournalContent } from "./journal.ts";
import { type IssueFile, uniteObservations } from "./memory_file.ts";
import { newNumberOf, type NumbersByUid, renumbered, renumberedId } from "./renumber.ts";

/** All observations that can be read. */
export interface RecordScan {
  /** By issue, in the order of their arrival. */
  observations: Observation[];
  /** One sentence for each file or line that was left out. */
  problems: string[];
  /** The issues of which a file was left out. */
  damaged: number[];
}

/** How the files of all issues are to read, with those of the archive. */
export interface RecordExamination {
  /** How many issues have a file. */
  issues: number;
  /** Why files were left out, and those that were read around a conflict. */
  failures: AgentxError[];
}

/** What came of an append. */
export interface Appended {
  /** Those that were new; they are on the disk. */
  fresh: Observation[];
  /** One sentence for each file that could not be asked whether it has them already. */
  problems: string[];
}

/** What a change works with. */
export interface ChangeContext {
  /** The lock of the store. */
  lock: LockHandle;
  /** ISO-8601: what the files say about when they were written. */
  updatedAt: string;
}

/** Exchange of observations of one issue. */
export interface Exchange {
  /** The ids of those that go to the archive. */
  remove: readonly string[];
  /** Those that stand for them from now on. */
  add: readonly Observation[];
}

/** The truth of memory, in `.agentx/memory`. */
export class ObservationRecords {
  /** Its lock is the lock of the store. */
  readonly journal: Journal;
  readonly #files: IssueFiles;
  readonly #archiveFiles: IssueFiles;
  readonly #archiveFolder: string;

  /** @param folder `.agentx/memory` */
  constructor(folder: string) {
    this.journal = new Journal(`${folder}/journal.jsonl`);
    this.#files = new IssueFiles(folder);
    this.#archiveFolder = `${folder}/archive`;
    this.#archiveFiles = new IssueFiles(this.#archiveFolder);
  }

  get #archive(): IssueFiles {
    checkSubfolder(this.#archiveFolder);
    return this.#archiveFiles;
  }

  /** @returns the issues that have a file */
  issueNumbers(): number[] {
    return this.#files.issueNumbers();
  }

  /**
   * @param before what the issue files looked like
   * @param touched the issues whose files were written since
   * @returns what the issue files look like
   */
  stamps(before?: FileStamps, touched?: ReadonlySet<number>): FileStamps {
    return this.#files.stamps(before, touched);
  }

  /**
   * @param issueNumber from 1
   * @returns the observations of an issue
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  readIssue(issueNumber: number): RecordScan {
    return this.#scan([issueNumber], this.journal.read());
  }

  /**
   * @returns all observations
   * @throws {AgentxError} `NEWER_STATE`, `CORRUPT_STATE`, `IO_ERROR`
   */
  readAll(): RecordScan {
    const journal = this.journal.read();
    const issues = new Set(this.issueNumbers());
    for (const { issueNumber } of journal.observations) issues.add(issueNumber);
    return this.#scan([...issues].sort((a, b) => a - b), journal);
  }

  /**
   * @returns how the files of all issues are to read
   * @throws {AgentxError} `IO_ERROR`
   */
  examine(): RecordExamination {
    const failures = [this.#files, this.#archive].flatMap((files) =>
      files.issueNumbers().flatMap((issueNumber) => {
        try {
          return files.read(issueNumber).failures;
        } catch (error) {
          if (!isStateFailure(error)) throw error;
          return [error];
        }
      })
    );
    return { issues: this.issueNumbers().length, failures };
  }

  /**
   * @param issueNumber from 1
   * @param id of an observation that was compacted
   * @returns the original
   */
  findArchived(issueNumber: number, id: string): Observation | undefined {
    const { sealed, open } = this.#archive.read(issueNumber);
    return [...sealed, ...open].find((each) => each.id === id);
  }

  /**
   * Appends those that are not known yet: neither their id, nor their words in their session. What
   * is in a damaged file is not known; what is captured beside it is kept all the same.
   *
   * @param observations checked ones
   * @param waiting what is in the journal
   * @param context the lock
   * @returns those that were appended, and the files that could not be read
   * @throws {AgentxError} `NEWER_STATE`, `IO_ERROR`; `CORRUPT_STATE` if a file is somebody else's;
   *   nothing is appended then
   */
  append(
    observations: readonly Observation[],
    waiting: readonly Observation[],
    { lock }: ChangeContext,
  ): Appended {
    const known = new Map<number, KnownObservations>();
    const problems: string[] = [];
    const fresh = observations.filter((observation) => {
      const { issueNumber } = observation;
      let ofIssue = known.get(issueNumber);
      if (ofIssue === undefined) {
        const content = this.#files.read(issueNumber);
        problems.push(...content.failures.map(skipped));
        ofIssue = this.#knownOf(issueNumber, content);
        ofIssue.add(waiting.filter((each) => each.issueNumber === issueNumber));
        known.set(issueNumber, ofIssue);
      }
      if (ofIssue.has(observation)) return false;
      ofIssue.add([observation]);
      return true;
    });
    if (fresh.length > 0) {
      lock.verify();
      this.journal.append(fresh);
    }
    return { fresh, problems };
  }

  /**
   * Folds the journal into the issue files and empties it. What belongs to a file that cannot be
   * read stays in the journal.
   *
   * @param context the lock
   * @param beforeClearing is told what moved, while it is at both places
   * @returns one sentence for each line or file that stood in the way
   * @throws {AgentxError} `IO_ERROR`; the journal stays then
   */
  fold(context: ChangeContext, beforeClearing: (moved: Observation[]) => void): string[] {
    const { observations, problems } = this.journal.read();
    if (observations.length === 0 && problems.length === 0) return [];
    const held: Observation[] = [];
    const moved: Observation[] = [];
    for (const [issueNumber, list] of groupByIssue(observations)) {
      try {
        moved.push(...this.#foldIssue(issueNumber, list, context));
      } catch (error) {
        if (!isStateFailure(error)) throw error;
        problems.push(skipped(error));
        held.push(...list);
      }
    }
    beforeClearing(moved);
    context.lock.verify();
    if (held.length === 0) this.journal.clear();
    else {
      const replaceFile = this.replaceFile(context, { mode: privateModes().file });
      replaceFile(this.journal.path, encodeJournal(held));
    }
    return problems;
  }

  /**
   * Clears up what merges left in the issue files and in the archive.
   *
   * @param context the lock
   * @returns the issues of which a file was rewritten
   * @throws {AgentxError} `IO_ERROR`
   */
  repair(context: ChangeContext): number[] {
    const replaceFile = this.replaceFile(context);
    const repaired = [this.#files, this.#archive].flatMap((files) =>
      files.issueNumbers().filter((issueNumber) => {
        try {
          return files.repair(issueNumber, replaceFile);
        } catch (error) {
          if (!isStateFailure(error)) throw error;
          return false; // it concerns its own file only, and examine() names it
        }
      })
    );
    return [...new Set(repaired)];
  }

  /**
   * Moves what was observed of issues that have another number now. The journal must be folded. What
   * moves is written at its new place before it leaves the old one; a file that cannot be read whole
   * is left as it is.
   *
   * @param numbers of all issues
   * @param context the lock
   * @returns the new ids of what moved, by the old ones
   * @throws {AgentxError} `IO_ERROR`
   */
  renumber(numbers: NumbersByUid, context: ChangeContext): Map<string, string> {
    const ids = new Map<string, string>();
    for (const files of [this.#archive, this.#files]) {
      for (const issueNumber of files.issueNumbers()) {
        try {
          this.#renumberIssue(files, issueNumber, { numbers, ids }, context);
        } catch (error) {
          if (!isStateFailure(error)) throw error; // examine() names the file
        }
      }
    }
    return ids;
  }

  #renumberIssue(
    files: IssueFiles,
    from: number,
    { numbers, ids }: { numbers: NumbersByUid; ids: Map<string, string> },
    context: ChangeContext,
  ): void {
    const { file, sealed, open } = readWhole(files, from);
    const all = uniteObservations([...sealed, ...open]);
    const moving = groupBy(all, (each) => newNumberOf(each, numbers) ?? from);
    moving.delete(from);
    const { forgotten = [], replacedBy = [] } = file ?? {};
    for (const [to, list] of moving) {
      for (const { id } of list) ids.set(id, renumberedId(id, to));
      const coming = list.map((each) => renumbered(each, to, ids));
      this.#changeIn(files, to, (there, target) => {
        addTo(target, "forgotten", forgotten);
        addTo(target, "replacedBy", replacedBy.map((id) => renumberedId(id, to)));
        return uniteObservations([...there, ...coming]);
      }, context);
      const gone = new Set(list.map(({ id }) => id));
      const stays = (list: Observation[]) => list.filter(({ id }) => !gone.has(id));
      this.#changeIn(files, from, stays, context);
    }
  }

  /**
   * Changes the observations of an issue in one step. The journal must be folded.
   *
   * @param issueNumber from 1
   * @param change gets all observations and the rest of the file, and returns the new observations
   * @param context the lock
   * @throws {AgentxError} `CORRUPT_STATE` if not all of the issue can be read; whatever `change` throws
   */
  change(
    issueNumber: number,
    change: (observations: Observation[], file: IssueFile) => Observation[],
    context: ChangeContext,
  ): void {
    this.#changeIn(this.#files, issueNumber, change, context);
  }

  /**
   * Removes an observation, also from the archive and from the summaries that stand for it, and
   * leaves marks that keep it from being captured again. The journal must be folded.
   *
   * The original leaves the archive last: until then, whoever was interrupted can begin again.
   *
   * @param issueNumber from 1
   * @param id of the observation
   * @param context the lock
   * @returns false if it was not there
   * @throws {AgentxError} `CORRUPT_STATE`, `IO_ERROR`
   */
  remove(issueNumber: number, id: string, context: ChangeContext): boolean {
    const found = this.#find(issueNumber, id);
    const archived = this.findArchived(issueNumber, id);
    const gone = found ?? archived;
    if (gone === undefined) return false;
    this.change(issueNumber, (list, file) => {
      const told = list.filter(({ replaces }) => replaces?.includes(id));
      file.forgotten = [...new Set([...file.forgotten ?? [], ...[gone, ...told].map(markOf)])];
      return without(list, id, told.length > 0 ? this.#originals(issueNumber) : []);
    }, context);
    if (archived !== undefined) {
      this.#changeIn(this.#archive, issueNumber, (list) => without(list, id, list), context);
    }
    return true;
  }

  /**
   * Puts some observations in the place of others, which go to the archive. The journal must be
   * folded.
   *
   * @param issueNumber from 1
   * @param exchange what goes and what comes
   * @param context the lock
   * @throws {AgentxError} `NOT_FOUND` for an id that is not there; `CORRUPT_STATE`, `IO_ERROR`
   */
  exchange(issueNumber: number, { remove, add }: Exchange, context: ChangeContext): void {
    const ids = new Set(remove);
    const { sealed, open } = this.#readWhole(issueNumber);
    const originals = [...sealed, ...open].filter(({ id }) => ids.has(id));
    for (const { id } of originals) ids.delete(id);
    for (const id of ids) throw observationNotFound(id);
    sys.makeDir(this.#archiveFolder);
    this.#changeIn(this.#archive, issueNumber, (archived, file) => {
      const coming = new Set(remove);
      file.replacedBy = [...new Set([...file.replacedBy ?? [], ...add.map(({ id }) => id)])];
      return [...archived.filter(({ id }) => !coming.has(id)), ...originals];
    }, context);
    this.change(issueNumber, (list) => {
      const gone = new Set([...remove, ...add.map(({ id }) => id)]);
      return [...list.filter(({ id }) => !gone.has(id)), ...add];
    }, context);
  }

  /**
   * Takes everything back that was exchanged. The journal must be folded.
   *
   * @param issueNumber from 1
   * @param context the lock
   * @returns the originals; none if nothing was compacted
   * @throws {AgentxError} `CORRUPT_STATE`, `IO_ERROR`
   */
  restore(issueNumber: number, context: ChangeContext): Observation[] {
    const archive = readWhole(this.#archive, issueNumber);
    if (archive.file === undefined) return [];
    const originals = [...archive.sealed, ...archive.open];
    this.change(issueNumber, (list) => {
      const gone = new Set([...archive.file?.replacedBy ?? [], ...originals.map(({ id }) => id)]);
      // Where the exchange was stopped half-way, what is still in place is the newer of the two.
      const current = new Map(list.map((each) => [each.id, each]));
      const back = originals.map((each) => current.get(each.id) ?? each);
      return [...back, ...list.filter(({ id }) => !gone.has(id))].sort(byTime);
    }, context);
    this.#archive.remove(archive, issueNumber);
    return originals;
  }

  #knownOf(issueNumber: number, content: IssueContent): KnownObservations {
    const { sealed, open } = this.#archive.read(issueNumber);
    const known = new KnownObservations(content.file?.forgotten);
    for (const list of [content.sealed, content.open, sealed, open]) known.add(list);
    return known;
  }

  /** All that is archived; what is left out would be lost to the summaries that are told anew. */
  #originals(issueNumber: number): Observation[] {
    const { sealed, open } = readWhole(this.#archive, issueNumber);
    return [...sealed, ...open];
  }

  #find(issueNumber: number, id: string): Observation | undefined {
    const { sealed, open } = this.#files.read(issueNumber);
    return uniteObservations([...sealed, ...open]).find((each) => each.id === id);
  }

  #foldIssue(issueNumber: number, list: Observation[], context: ChangeContext): Observation[] {
    const content = this.#files.read(issueNumber);
    const isHeld = content.file === undefined || content.conflicts > 0;
    if (isHeld && content.failures.length > 0) throw content.failures[0];
    const known = new Set([...content.sealed, ...content.open].map(({ id }) => id));
    const fresh = list.filter(({ id }) => !known.has(id) && known.add(id));
    if (fresh.length === 0) return list;
    const file = { ...content.file ?? emptyFile(issueNumber, context), parts: content.parts };
    file.observations = [...content.open, ...fresh];
    file.updatedAt = context.updatedAt;
    this.#files.append(file, this.replaceFile(context));
    return list;
  }

  #changeIn(
    files: IssueFiles,
    issueNumber: number,
    change: (observations: Observation[], file: IssueFile) => Observation[],
    context: ChangeContext,
  ): void {
    const content = readWhole(files, issueNumber);
    const file = { ...content.file ?? emptyFile(issueNumber, context) };
    file.observations = change(uniteObservations([...content.sealed, ...content.open]), file);
    file.updatedAt = context.updatedAt;
    files.rewrite(content, file, this.replaceFile(context));
  }

  #readWhole(issueNumber: number): IssueContent {
    return readWhole(this.#files, issueNumber);
  }

  #scan(issueNumbers: readonly number[], journal: JournalContent): RecordScan {
    const waiting = groupByIssue(journal.observations);
    const problems = [...journal.problems];
    const damaged: number[] = [];
    const observations = issueNumbers.flatMap((issueNumber) => {
      const { sealed, open, failures } = this.#files.read(issueNumber);
      problems.push(...failures.map(skipped));
      if (failures.length > 0) damaged.push(issueNumber);
      return uniteObservations([...sealed, ...open, ...waiting.get(issueNumber) ?? []]);
    });
    return { observations, problems, damaged };
  }

  /**
   * @param context the lock
   * @param options whether to wait for the disk, which what is derived need not; and the mode of
   *   what is not for git
   * @returns how a file of the folder is replaced
   */
  replaceFile(
    { lock }: ChangeContext,
    { fsync = true, mode }: { fsync?: boolean; mode?: number } = {},
  ): ReplaceFile {
    const options = { fsync, mode, lockedPath: this.journal.path };
    return (path, content) => commitFile(lock, path, content, options);
  }
}

/**
 * @param id of an observation that is archived
 * @returns the refusal to mark what no one recalls, while the summaries say it still
 */
export function observationCompacted(id: string): AgentxError<"INVALID_INPUT"> {
  const { issueNumber } = parseObservationId(id);
  return new AgentxError("INVALID_INPUT", `Cannot retract "${id}": it was compacted`, {
    details: { field: "id", value: id },
    next: `Bring it back with: agentx memory compact --undo --issue ${issueNumber}`,
  });
}

/**
 * @param id of an observation
 * @returns the refusal of an id that leads nowhere
 */
export function observationNotFound(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such observation`, {
    details: { kind: "observation", id },
    next: "Find it with: agentx memory search",
  });
}

/** What would have to be mended by hand concerns its own file only. */
function isStateFailure(error: unknown): error is AgentxError {
  return hasCode(error, "CORRUPT_STATE") || hasCode(error, "NEWER_STATE");
}

function skipped({ message }: AgentxError): string {
  return `Skipped: ${message.replace("\n", ". ")}`;
}

function readWhole(files: IssueFiles, issueNumber: number): IssueContent {
  const content = files.read(issueNumber);
  if (content.failures.length > 0) throw content.failures[0];
  return content;
}

/** Nothing of the list is this observation, or stands for it. */
function without(
  list: readonly Observation[],
  id: string,
  originals: readonly Observation[],
): Observation[] {
  return list
    .filter((each) => each.id !== id)
    .map((each) => each.replaces?.includes(id) ? summaryWithout(each, id, originals) : each)
    .filter((each) => each !== undefined);
}

/** A list that nobody has stays away. */
function addTo(file: IssueFile, key: "forgotten" | "replacedBy", values: readonly string[]): void {
  if (values.length > 0) file[key] = [...new Set([...file[key] ?? [], ...values])].sort();
}

function emptyFile(issueNumber: number, { updatedAt }: ChangeContext): IssueFile {
  return { version: 1, issueNumber, updatedAt, observations: [] };
}

function groupByIssue(observations: readonly Observation[]): Map<number, Observation[]> {
  return groupBy(observations, ({ issueNumber }) => issueNumber);
}

function groupBy(
  observations: readonly Observation[],
  keyOf: (observation: Observation) => number,
): Map<number, Observation[]> {
  const groups = new Map<number, Observation[]>();
  for (const each of observations) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
