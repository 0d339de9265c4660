/**
 * The observations of each issue on disk: `issue-{n}.json`, which is written, and the sealed parts
 * before it, which are not touched again: the cost of a write does not grow with the issue.
 *
 * The parts that count are those which `issue-{n}.json` names: replacing that one file is what
 * commits a change, however many parts it concerns.
 *
 * @module
 */

import { type AgentxError, hasCode } from "../../errors.ts";
import { sys } from "../../sys/mod.ts";
import { fingerprintOf } from "../identity.ts";
import { byTime, type Observation } from "../schema.ts";
import type { StoreChange } from "./change.ts";
import { type FileVersions, fileVersions, issueOfFile, PART_NAME } from "./file_versions.ts";
import { type IsKnown, withoutKnown } from "./known_lines.ts";
import {
  conflictIn,
  encodeMemoryFile,
  type IssueFile,
  type ParsedIssueFile,
  parseIssueFile,
  uniteObservations,
  UnreadableFile,
} from "./memory_file.ts";

/** All that is on disk about an issue. */
export interface IssueContent {
  /** `issue-{n}.json` with its own observations; undefined if there is none, or it is unreadable. */
  file: IssueFile | undefined;
  /** The sealed parts that count: those that the file names; without a file, those that are there. */
  parts: number[];
  /** Of all the files, each once, in the order of their arrival. */
  observations: Observation[];
  /**
   * Summaries that one branch forgot, and a merge brought back from the other. Nobody sees them; they
   * are written again, since what else they stand for may be nowhere else.
   */
  hidden: Observation[];
  /** The files that could not be read, or hold a conflict around which they were read. */
  failures: AgentxError<"CORRUPT_STATE">[];
  /** How many of the failures are conflicts that wait for somebody: read, and not written. */
  conflicts: number;
  /** Whether a merge left its traces in a file that was read. */
  needsRewrite: boolean;
}

/** Observations in a file; more are sealed as a part. */
const PART_SIZE = 50;

/** What is in the place of a file, by the error of the system: the other files can be read. */
const UNUSABLE: Record<string, string | undefined> = {
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link",
  ENXIO: "it is a pipe, a socket or a device",
  EFBIG: "it is too large",
};

/** The files `issue-{n}.json` and `issue-{n}.{part}.json` of a folder. */
export class IssueFiles {
  readonly folder: string;
  readonly #encode: (file: IssueFile) => string;

  /** `encode` makes the text of a file; all that `parseIssueFile()` reads is read. */
  constructor(
    folder: string,
    encode = (file: IssueFile) => encodeMemoryFile(file, "observations"),
  ) {
    this.folder = folder;
    this.#encode = encode;
  }

  /** The issues that have a file, in their order. */
  issueNumbers(): number[] {
    const numbers = sys.readDir(this.folder).map(issueOfFile);
    return [...new Set(numbers.filter((number) => number !== undefined))].sort((a, b) => a - b);
  }

  /** What all of them take. */
  bytes(): number {
    return sys.readDir(this.folder)
      .filter((name) => issueOfFile(name) !== undefined)
      .reduce((sum, name) => sum + (sys.lstat(`${this.folder}/${name}`)?.size ?? 0), 0);
  }

  /** As {@linkcode fileVersions}. */
  versions(before?: FileVersions, touched?: ReadonlySet<number>): FileVersions {
    return fileVersions(this.folder, before, touched);
  }

  /**
   * Reads what can be read of an issue, without the observations whose lines are known; refuses a file that
   * is newer, or somebody else's.
   */
  read(issueNumber: number, isKnown?: IsKnown): IssueContent {
    for (let missing = "";;) {
      const { content, absent } = this.#readOnce(issueNumber, isKnown);
      if (absent.join() === missing) {
        content.failures.push(...absent.map((part) => this.#absence(issueNumber, part)));
        return content;
      }
      // Somebody may have rewritten the issue since its file was read.
      missing = absent.join();
    }
  }

  /** As {@linkcode IssueFiles.read}, and refuses to leave anything out. */
  readWhole(issueNumber: number): IssueContent {
    const content = this.read(issueNumber);
    if (content.failures.length > 0) throw content.failures[0];
    return content;
  }

  /**
   * Changes an issue in one step, if all of it can be read, and returns its new observations. What is
   * hidden stays, unless `isNeedless`.
   */
  edit(
    issueNumber: number,
    change: StoreChange,
    edit: (observations: Observation[], file: IssueFile) => Observation[],
    isNeedless: (hidden: Observation) => boolean = () => false,
  ): Observation[] {
    const content = this.readWhole(issueNumber);
    const file = { ...content.file ?? emptyFile(issueNumber), updatedAt: change.updatedAt };
    const edited = edit(content.observations, file);
    file.observations = [...edited, ...content.hidden.filter((each) => !isNeedless(each))];
    this.#rewrite(content, file, change);
    return edited;
  }

  /**
   * Adds those that are not there yet; the sealed parts stay as they are. Refuses a file that cannot
   * be read, or waits for a merge.
   */
  append(issueNumber: number, observations: readonly Observation[], change: StoreChange): void {
    const content = this.read(issueNumber);
    const { failures, conflicts, parts } = content;
    const isHeld = content.file === undefined || conflicts > 0;
    if (isHeld && failures.length > 0) throw failures[0];
    const known = new Set(content.observations.map(({ id }) => id));
    const fresh = observations.filter(({ id }) => !known.has(id) && known.add(id));
    if (fresh.length === 0) return;
    const file = content.file ?? emptyFile(issueNumber);
    const all = [...file.observations, ...fresh];
    this.#write({ ...file, updatedAt: change.updatedAt, parts, observations: all }, change);
  }

  /**
   * Writes all that was read of an issue as if no merge had touched it: each observation once, and
   * no marks. False if there was nothing to do, or a file cannot be read.
   */
  repair(issueNumber: number, change: StoreChange): boolean {
    const content = this.read(issueNumber);
    const { file, failures, needsRewrite, conflicts } = content;
    if (file === undefined || !needsRewrite || failures.length > conflicts) return false;
    const observations = [...content.observations, ...content.hidden];
    this.#rewrite(content, { ...file, observations }, change);
    return true;
  }

  /**
   * Removes what is gone from the parts that do not count: a rewrite that was interrupted left them,
   * or a merge that is not over, whose other observations stay.
   */
  sweep(
    issueNumber: number,
    isGone: (observation: Observation) => boolean,
    change: StoreChange,
  ): void {
    const { parts, observations } = this.read(issueNumber);
    const known = new Set(observations.map(({ id }) => id));
    for (const part of this.#partsOnDisk(issueNumber).filter((part) => !parts.includes(part))) {
      const path = this.#partPath(issueNumber, part);
      const { file } = this.#parse(path, issueNumber, []) ?? {};
      if (file?.observations.some(isGone) !== true) continue;
      const left = file.observations.filter((each) => !known.has(each.id) && !isGone(each));
      if (left.length === 0) sys.removeFile(path);
      else change.replaceFile(path, this.#encode({ ...file, observations: left }));
    }
  }

  /** Removes the files of an issue that was read. */
  remove({ parts }: IssueContent, issueNumber: number): void {
    sys.removeFile(this.#openPath(issueNumber));
    for (const part of parts) sys.removeFile(this.#partPath(issueNumber, part));
  }

  #readOnce(issueNumber: number, isKnown?: IsKnown): { content: IssueContent; absent: number[] } {
    const failures: AgentxError<"CORRUPT_STATE">[] = [];
    const open = this.#parse(this.#openPath(issueNumber), issueNumber, failures, isKnown);
    const parts = open == null ? this.#partsOnDisk(issueNumber) : open.file.parts ?? [];
    const sealed = parts.map((part) =>
      this.#parse(this.#partPath(issueNumber, part), issueNumber, failures, isKnown)
    );
    const absent = open == null ? [] : parts.filter((_, index) => sealed[index] === undefined);
    const parsed = [...sealed, open].filter((each) => each != null);
    const forgotten = new Set(open?.file.forgotten);
    // What one branch removed, a merge may bring back from the other.
    const isForgotten = (each: Observation) =>
      forgotten.size > 0 && forgotten.has(fingerprintOf(each));
    const isKept = (each: Observation) => each.replaces !== undefined || !isForgotten(each);
    const all = parsed.flatMap(({ file }) => file.observations);
    const kept = all.filter(isKept);
    const content = {
      file: open == null
        ? undefined
        : { ...open.file, observations: open.file.observations.filter(isKept) },
      parts,
      observations: uniteObservations(kept.filter((each) => !isForgotten(each))),
      hidden: kept.filter(isForgotten),
      failures,
      conflicts: parsed.filter(({ hasConflict }) => hasConflict).length,
      needsRewrite: kept.length < all.length || parsed.some(({ needsRewrite }) => needsRewrite),
    };
    return { content, absent };
  }

  /** Returns undefined if there is no such file, and null if it cannot be read. */
  #parse(
    path: string,
    issueNumber: number,
    failures: AgentxError<"CORRUPT_STATE">[],
    isKnown?: IsKnown,
  ): ParsedIssueFile | undefined | null {
    try {
      const text = isKnown === undefined ? sys.readTextFile(path) : textWithout(path, isKnown);
      const parsed = text === undefined ? undefined : parseIssueFile(text, path, issueNumber);
      if (parsed?.hasConflict) failures.push(conflictIn(path));
      return parsed;
    } catch (error) {
      const why = hasCode(error, "IO_ERROR") && error.details.path === path
        ? UNUSABLE[error.details.errno]
        : undefined;
      const failure = why === undefined ? error : new UnreadableFile(path, why, { cause: error });
      if (!(failure instanceof UnreadableFile)) throw error;
      failures.push(failure);
      return null;
    }
  }

  #absence(issueNumber: number, part: number): UnreadableFile {
    const why = `it is missing, and "${this.#openPath(issueNumber)}" counts on it`;
    const next = `Bring it back; or take ${part} out of "parts" there to go on without it`;
    return new UnreadableFile(this.#partPath(issueNumber, part), why, { next });
  }

  /** Rewrites all of an issue; the old parts go once the file does not name them any more. */
  #rewrite({ parts }: IssueContent, file: IssueFile, change: StoreChange): void {
    this.#write({ ...file, parts: undefined }, change, Math.max(0, ...parts));
    for (const part of parts) sys.removeFile(this.#partPath(file.issueNumber, part));
  }

  /**
   * Writes `issue-{n}.json`, by time whichever branch wrote what first, and seals what became too
   * much for it, in parts with numbers above `lastPart`.
   */
  #write(
    { version, issueNumber, updatedAt, parts = [], ...rest }: IssueFile,
    { replaceFile }: StoreChange,
    lastPart = Math.max(0, ...parts),
  ): void {
    const left = rest.observations.toSorted(byTime);
    const all = [...parts];
    for (let part = lastPart + 1; left.length > PART_SIZE; part++) {
      const observations = left.splice(0, PART_SIZE);
      const sealed: IssueFile = { version, issueNumber, updatedAt, observations };
      replaceFile(this.#partPath(issueNumber, part), this.#encode(sealed));
      all.push(part);
    }
    const named = all.length > 0 ? { parts: all } : {};
    const open = { version, issueNumber, updatedAt, ...rest, ...named, observations: left };
    replaceFile(this.#openPath(issueNumber), this.#encode(open as IssueFile));
  }

  #openPath(issueNumber: number): string {
    return `${this.folder}/issue-${issueNumber}.json`;
  }

  #partPath(issueNumber: number, part: number): string {
    return `${this.folder}/issue-${issueNumber}.${part}.json`;
  }

  #partsOnDisk(issueNumber: number): number[] {
    return sys.readDir(this.folder)
      .map((name) => PART_NAME.exec(name))
      .filter((match) => Number(match?.[1]) === issueNumber)
      .map((match) => Number(match?.[2]))
      .sort((a, b) => a - b);
  }
}

function textWithout(path: string, isKnown: IsKnown): string | undefined {
  const part = sys.readPart(path, 0, Infinity);
  return part === undefined ? undefined : withoutKnown(part.bytes, isKnown);
}

function emptyFile(issueNumber: number): IssueFile {
  return { version: 1, issueNumber, updatedAt: "", observations: [] };
}
