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
import { fileVersion, type ReplaceFile } from "../files.ts";
import { markOf } from "../fingerprint.ts";
import { byTime, type Observation } from "../schema.ts";
import {
  encodeMemoryFile,
  type IssueFile,
  type ParsedIssueFile,
  parseIssueFile,
  uniteObservations,
  UnreadableFile,
} from "./memory_file.ts";

/** What each issue file looks like from outside, by name: another text for any other state of it. */
export type FileStamps = ReadonlyMap<string, string>;

/** All that is on disk about an issue. */
export interface IssueContent {
  /** Without its observations; undefined if there is none, or it cannot be read. */
  file: IssueFile | undefined;
  /** The sealed parts that count: those that the file names; without a file, those that are there. */
  parts: number[];
  /** Of the sealed parts, in the order of their arrival. */
  sealed: Observation[];
  /** Of `issue-{n}.json`. */
  open: Observation[];
  /** The files that could not be read, or hold a conflict around which they were read. */
  failures: AgentxError<"CORRUPT_STATE">[];
  /** How many of the failures are conflicts that wait for somebody: read, and not written. */
  conflicts: number;
  /** Whether a merge left its traces in a file that was read. */
  needsRewrite: boolean;
}

/** More are sealed, so that a file stays a page or two. */
const PART_SIZE = 50;

/** What stands in the place of a file, by the error of the system: the other files can be read. */
const UNUSABLE: Record<string, string | undefined> = {
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link",
  ENXIO: "it is a pipe, a socket or a device",
  EFBIG: "it is too large",
};

const OPEN_NAME = /^issue-([1-9][0-9]{0,8})\.json$/;
const PART_NAME = /^issue-([1-9][0-9]{0,8})\.([1-9][0-9]{0,5})\.json$/;

/** The files `issue-{n}.json` and `issue-{n}.{part}.json` of a folder. */
export class IssueFiles {
  readonly #folder: string;

  /** @param folder `.agentx/memory`, or its archive */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns the issues that have a file, in their order */
  issueNumbers(): number[] {
    const numbers = sys.readDir(this.#folder).map(issueOfFile);
    return [...new Set(numbers.filter((number) => number !== undefined))].sort((a, b) => a - b);
  }

  /**
   * @param before what the files looked like
   * @param touched the issues whose files were written since; those of others are not examined
   *   again, so that what somebody else did to them meanwhile still shows
   * @returns what the files look like
   */
  stamps(before: FileStamps = new Map(), touched?: ReadonlySet<number>): FileStamps {
    const stamps = new Map<string, string>();
    for (const name of sys.readDir(this.#folder)) {
      const issueNumber = issueOfFile(name);
      if (issueNumber === undefined) continue;
      const known = touched?.has(issueNumber) === false ? before.get(name) : undefined;
      stamps.set(name, known ?? fileVersion(`${this.#folder}/${name}`));
    }
    return stamps;
  }

  /**
   * @param issueNumber from 1
   * @returns what can be read
   * @throws {AgentxError} `NEWER_STATE`, `IO_ERROR`; `CORRUPT_STATE` if a file is somebody else's
   */
  read(issueNumber: number): IssueContent {
    let missing = "";
    while (true) {
      const { content, absent } = this.#readOnce(issueNumber);
      if (absent.length === 0) return content;
      if (absent.join() === missing) {
        for (const part of absent) content.failures.push(this.#absence(issueNumber, part));
        return content;
      }
      // Somebody may have rewritten the issue since its file was read.
      missing = absent.join();
    }
  }

  #readOnce(issueNumber: number): { content: IssueContent; absent: number[] } {
    const failures: AgentxError<"CORRUPT_STATE">[] = [];
    const absent: number[] = [];
    const read = this.#parse(this.#openPath(issueNumber), issueNumber, failures);
    const parts = read == null ? this.#partsOnDisk(issueNumber) : read.file.parts ?? [];
    let needsRewrite = read?.needsRewrite === true;
    let conflicts = Number(read?.hasConflict === true);
    const forgotten = new Set(read?.file.forgotten);
    // What one branch removed, a merge may bring back from the other.
    const kept = (observations: readonly Observation[] = []) => {
      const left = forgotten.size === 0
        ? [...observations]
        : observations.filter((each) => !forgotten.has(markOf(each)));
      needsRewrite ||= left.length < observations.length;
      return left;
    };
    const sealed = parts.flatMap((part) => {
      const ofPart = this.#parse(this.#partPath(issueNumber, part), issueNumber, failures);
      if (ofPart === undefined && read != null) absent.push(part);
      needsRewrite ||= ofPart?.needsRewrite === true;
      conflicts += Number(ofPart?.hasConflict === true);
      return kept(ofPart?.file.observations);
    });
    const open = kept(read?.file.observations);
    const { file } = read ?? {};
    return { content: { file, parts, sealed, open, failures, conflicts, needsRewrite }, absent };
  }

  /** Returns undefined if there is no such file, and null if it cannot be read. */
  #parse(
    path: string,
    issueNumber: number,
    failures: AgentxError<"CORRUPT_STATE">[],
  ): ParsedIssueFile | undefined | null {
    try {
      const text = sys.readTextFile(path);
      const parsed = text === undefined ? undefined : parseIssueFile(text, path, issueNumber);
      if (parsed?.hasConflict) failures.push(conflictIn(path));
      return parsed;
    } catch (error) {
      const why = hasCode(error, "IO_ERROR") && error.details.path === path
        ? UNUSABLE[error.details.errno]
        : undefined;
      const unreadable = why === undefined
        ? error
        : new UnreadableFile(path, why, { cause: error });
      if (!(unreadable instanceof UnreadableFile)) throw error;
      failures.push(unreadable.failure);
      return null;
    }
  }

  #absence(issueNumber: number, part: number): AgentxError<"CORRUPT_STATE"> {
    const why = `it is missing, and "${this.#openPath(issueNumber)}" counts on it`;
    const next = `Bring it back; or take ${part} out of "parts" there to go on without it`;
    return new UnreadableFile(this.#partPath(issueNumber, part), why, { next }).failure;
  }

  /**
   * Writes all observations of an issue anew, in one step.
   *
   * @param content what was read, for whatever else its file holds
   * @param file the new `issue-{n}.json`, with all observations of the issue in it
   * @param replaceFile how to write
   */
  rewrite(content: IssueContent, file: IssueFile, replaceFile: ReplaceFile): void {
    const before = content.parts;
    this.append({ ...file, parts: undefined }, replaceFile, Math.max(0, ...before));
    for (const part of before) sys.removeFile(this.#partPath(file.issueNumber, part));
  }

  /**
   * Writes all that was read of an issue as if no merge had touched it: each observation once, and
   * no marks.
   *
   * @param issueNumber from 1
   * @param replaceFile how to write
   * @returns false if there was nothing to do, or a file cannot be read
   */
  repair(issueNumber: number, replaceFile: ReplaceFile): boolean {
    const content = this.read(issueNumber);
    const { file, sealed, open, failures, needsRewrite, conflicts } = content;
    if (file === undefined || !needsRewrite || failures.length > conflicts) return false;
    const observations = uniteObservations([...sealed, ...open]);
    this.rewrite(content, { ...file, observations }, replaceFile);
    return true;
  }

  /**
   * Writes `issue-{n}.json`, by time whichever branch wrote what first, and seals what became too
   * much for it.
   *
   * @param file the new content
   * @param replaceFile how to write
   * @param lastPart the highest number of a part that is in use
   */
  append(file: IssueFile, replaceFile: ReplaceFile, lastPart = Math.max(0, ...file.parts ?? [])) {
    const { version, issueNumber, parts = [], ...rest } = file;
    const observations = file.observations.toSorted(byTime);
    const count = Math.ceil(observations.length / PART_SIZE) - 1;
    const full = Array.from({ length: Math.max(0, count) }, (_, index) => {
      const part = lastPart + 1 + index;
      const slice = observations.slice(index * PART_SIZE, (index + 1) * PART_SIZE);
      const { updatedAt } = rest as IssueFile;
      const sealed: IssueFile = { version, issueNumber, updatedAt, observations: slice };
      replaceFile(this.#partPath(issueNumber, part), encodeMemoryFile(sealed, "observations"));
      return part;
    });
    const all = [...parts, ...full];
    const open: IssueFile = {
      version,
      issueNumber,
      ...rest,
      ...(all.length > 0 ? { parts: all } : {}),
      observations: observations.slice(full.length * PART_SIZE),
    } as IssueFile;
    replaceFile(this.#openPath(issueNumber), encodeMemoryFile(open, "observations"));
  }

  /**
   * Removes the file of an issue and its parts.
   *
   * @param content what was read
   * @param issueNumber from 1
   */
  remove(content: IssueContent, issueNumber: number): void {
    sys.removeFile(this.#openPath(issueNumber));
    for (const part of content.parts) sys.removeFile(this.#partPath(issueNumber, part));
  }

  #openPath(issueNumber: number): string {
    return `${this.#folder}/issue-${issueNumber}.json`;
  }

  #partPath(issueNumber: number, part: number): string {
    return `${this.#folder}/issue-${issueNumber}.${part}.json`;
  }

  #partsOnDisk(issueNumber: number): number[] {
    return sys.readDir(this.#folder)
      .map((name) => PART_NAME.exec(name))
      .filter((match) => Number(match?.[1]) === issueNumber)
      .map((match) => Number(match?.[2]))
      .sort((a, b) => a - b);
  }
}

function conflictIn(path: string): AgentxError<"CORRUPT_STATE"> {
  const why = "it has conflict markers, and was read around them";
  const next = "Keep what both sides observed with: agentx doctor --fix";
  return new UnreadableFile(path, why, { next }).failure;
}

/**
 * @param name of a file in the folder
 * @returns the issue that it is about; undefined if it is no issue file
 */
export function issueOfFile(name: string): number | undefined {
  const match = OPEN_NAME.exec(name) ?? PART_NAME.exec(name);
  return match === null ? undefined : Number(match[1]);
}
