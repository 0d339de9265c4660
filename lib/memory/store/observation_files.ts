/**
 * The observations as they are kept: the journal, the issue files it is flushed into, and the archive
 * of what was compacted. Everything else in the folder follows from these.
 *
 * A crash at any instant loses nothing and doubles nothing: what moves is written at its new place
 * before it leaves the old one, and is known again by its id. Readers take no lock and read in the
 * order in which things move. Whatever needs a {@linkcode StoreChange} writes.
 *
 * @module
 */

import { AgentxError, hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { checkSubfolder } from "../files.ts";
import { fingerprintOf, identityOf } from "../identity.ts";
import { type Observation, parseObservationId } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import { compactedIn } from "./compacted.ts";
import { IssueFiles } from "./issue_files.ts";
import { Journal } from "./journal.ts";
import { encodePacked, uniteObservations } from "./memory_file.ts";

/** What was read of some issues. */
export interface ObservationScan {
  /** By issue, in the order of their arrival. */
  observations: Observation[];
  /** The issues of which a file was left out. */
  damaged: number[];
}

/** Whether the files of all issues, and those of the archive, can be read. */
export interface StoreExamination {
  /** How many issues have a file. */
  issues: number;
  /** One for each file that was left out, or was read around a conflict. */
  failures: AgentxError[];
}

/** The truth of memory, in `.agentx/memory`. */
export class ObservationFiles {
  /** Its lock is the lock of the store. */
  readonly journal: Journal;
  readonly issues: IssueFiles;
  readonly #archive: IssueFiles;
  readonly #tell: (message: string) => void;

  /** `tell` is told of each file and line that is left out. */
  constructor(folder: string, tell: (message: string) => void) {
    this.journal = new Journal(`${folder}/journal.jsonl`, tell);
    this.issues = new IssueFiles(folder);
    this.#archive = new IssueFiles(`${folder}/archive`, encodePacked);
    this.#tell = tell;
  }

  /** What is kept of the originals of what was compacted: {@linkcode ObservationFiles.compacted} has all. */
  get archive(): IssueFiles {
    checkSubfolder(this.#archive.folder);
    return this.#archive;
  }

  /** What the journal and the issue files take. */
  bytes(): number {
    return (sys.lstat(this.journal.path)?.size ?? 0) + this.issues.bytes();
  }

  /** Reads some issues, or all; says which files were left out. */
  read(issueNumbers?: Iterable<number>): ObservationScan {
    const waiting = groupBy(this.journal.read(), ({ issueNumber }) => issueNumber);
    const all = issueNumbers ?? this.issueNumbers(waiting.keys());
    const damaged: number[] = [];
    const observations = Array.from(all).flatMap((issueNumber) => {
      const content = this.issues.read(issueNumber);
      content.failures.forEach((failure) => this.#skip(failure));
      if (content.failures.length > 0) damaged.push(issueNumber);
      const unflushed = waiting.get(issueNumber);
      if (unflushed === undefined) return content.observations;
      return uniteObservations([...content.observations, ...unflushed]);
    });
    return { observations, damaged };
  }

  /** The issues that anything was observed on, in their order. */
  issueNumbers(
    waiting: Iterable<number> = this.journal.read().map(({ issueNumber }) => issueNumber),
  ): number[] {
    return [...new Set([...this.issues.issueNumbers(), ...waiting])].sort((a, b) => a - b);
  }

  /** The originals of what was compacted, as far as they can be read. */
  compacted(issueNumber: number): Observation[] {
    const issue = this.issues.read(issueNumber); // first: what leaves it is in the archive by then
    return compactedIn(issue, this.archive.read(issueNumber)).originals;
  }

  /** How all files are to read. */
  examine(): StoreExamination {
    const failures = inEachIssue<AgentxError>(
      [this.issues, this.archive],
      (files, issueNumber) => files.read(issueNumber).failures,
      (failure) => [failure],
    );
    return { issues: this.issues.issueNumbers().length, failures };
  }

  /** Clears up what merges left in the issue files and in the archive; returns their issues. */
  repair(change: StoreChange): number[] {
    const repaired = inEachIssue(
      [this.issues, this.archive],
      (files, issueNumber) => files.repair(issueNumber, change) ? [issueNumber] : [],
    );
    return [...new Set(repaired)];
  }

  /**
   * Appends to the journal what is new: neither its id is known, nor its words in its session. What
   * is in a damaged file is not known; what is captured beside it is kept all the same. Returns what
   * was new, and how many are in the journal now.
   */
  append(
    observations: readonly Observation[],
    { verify }: StoreChange,
  ): { fresh: Observation[]; waiting: number } {
    const waiting = this.journal.read();
    const fresh = this.unknownOf(observations, waiting);
    if (fresh.length > 0) {
      verify();
      this.journal.append(fresh);
    }
    return { fresh, waiting: waiting.length + fresh.length };
  }

  /** Those that are nowhere yet, each once, and that nobody had removed. */
  unknownOf(
    observations: readonly Observation[],
    waiting: readonly Observation[] = this.journal.read(),
  ): Observation[] {
    const issueNumbers = new Set(observations.map(({ issueNumber }) => issueNumber));
    const ofIssues = waiting.filter(({ issueNumber }) => issueNumbers.has(issueNumber));
    const known = new Set(ofIssues.flatMap(namesOf));
    for (const issueNumber of issueNumbers) {
      const issue = this.issues.read(issueNumber);
      issue.failures.forEach((failure) => this.#skip(failure));
      const { originals } = compactedIn(issue, this.archive.read(issueNumber));
      for (const name of [...issue.observations, ...originals].flatMap(namesOf)) known.add(name);
      const { forgotten = [] } = issue.file ?? {};
      for (const fingerprint of forgotten) known.add(`${issueNumber} ${fingerprint}`);
    }
    return observations.filter((each) => {
      const names = [...namesOf(each), `${each.issueNumber} ${fingerprintOf(each)}`];
      const isNew = !names.some((name) => known.has(name));
      if (isNew) names.forEach((name) => known.add(name));
      return isNew;
    });
  }

  /**
   * Writes what waits in the journal into the issue files. It is at both places then, until
   * {@linkcode Journal.keep} drops all but what belongs to a file that cannot be read.
   */
  flush(change: StoreChange): { moved: Observation[]; held: Observation[] } {
    const moved: Observation[] = [];
    const held: Observation[] = [];
    for (const [issueNumber, list] of groupBy(this.journal.read(), (each) => each.issueNumber)) {
      try {
        this.issues.append(issueNumber, list, change);
        moved.push(...list);
      } catch (error) {
        if (!isStateFailure(error)) throw error;
        this.#skip(error);
        held.push(...list);
      }
    }
    return { moved, held };
  }

  /** Removes what was forgotten from what an interrupted rewrite of its issue left behind. */
  sweep(id: string, change: StoreChange): void {
    const { issueNumber } = parseObservationId(id);
    const forgotten = new Set(this.issues.read(issueNumber).file?.forgotten);
    const isGone = (each: Observation) =>
      each.id === id || each.replaces?.includes(id) === true || forgotten.has(fingerprintOf(each));
    for (const files of [this.issues, this.archive]) files.sweep(issueNumber, isGone, change);
  }

  #skip({ oneLine }: AgentxError): void {
    this.#tell(`Skipped: ${oneLine}`);
  }
}

/** The refusal of an unknown id. */
export function observationNotFound(id: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find "${id}": no such observation`, {
    details: { kind: "observation", id },
    next: "Find it with: agentx memory search",
  });
}

/** What an action brings in each issue of some folders, whatever the state of the others. */
export function inEachIssue<T>(
  folders: readonly IssueFiles[],
  action: (files: IssueFiles, issueNumber: number) => T[],
  otherwise: (failure: AgentxError) => T[] = () => [], // examine() names the file
): T[] {
  return folders.flatMap((files) =>
    files.issueNumbers().flatMap((issueNumber) => {
      try {
        return action(files, issueNumber);
      } catch (error) {
        if (!isStateFailure(error)) throw error;
        return otherwise(error);
      }
    })
  );
}

/** What has to be fixed by hand concerns its own file only. */
function isStateFailure(error: unknown): error is AgentxError {
  return hasCode(error, "CORRUPT_STATE") || hasCode(error, "NEWER_STATE");
}

/** By what an observation is recognised: its id, and in its issue its words in its session. */
function namesOf(observation: Observation): string[] {
  return [observation.id, `${observation.issueNumber} ${identityOf(observation)}`];
}

/** As `Map.groupBy`, which Node 20 lacks. */
export function groupBy<Key>(
  observations: readonly Observation[],
  keyOf: (observation: Observation) => Key,
): Map<Key, Observation[]> {
  const groups = new Map<Key, Observation[]>();
  for (const each of observations) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}
