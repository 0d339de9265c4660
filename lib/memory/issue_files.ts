/**
 * The observations of each issue on disk: `issue-{n}.json`, which is written, and the sealed parts
 * before it, which are not touched again: the cost of a write does not grow with the issue.
 *
 * The parts that count are those which `issue-{n}.json` names: replacing that one file is what
 * commits a change, however many parts it concerns.
 *
 * @module
 */

import type { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { hash53 } from "./hash.ts";
import { encodeMemoryFile, type IssueFile, parseIssueFile, UnreadableFile } from "./memory_file.ts";
import type { Observation } from "./schema.ts";

/** Replaces a file in one step. */
export type ReplaceFile = (path: string, content: string | Uint8Array) => void;

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
  /** The file that could not be read. */
  failures: AgentxError<"CORRUPT_STATE">[];
}

/** More are sealed, so that a file stays a page or two. */
const PART_SIZE = 50;

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
    const numbers = sys.readDir(this.#folder).map((name) =>
      Number((OPEN_NAME.exec(name) ?? PART_NAME.exec(name))?.[1])
    );
    return [...new Set(numbers.filter((number) => number >= 1))].sort((a, b) => a - b);
  }

  /** @returns another text for any other state of the files, as far as can be seen from outside */
  stamp(): string {
    const stamps = sys.readDir(this.#folder).flatMap((name) => {
      if (!OPEN_NAME.test(name) && !PART_NAME.test(name)) return [];
      const info = sys.lstat(`${this.#folder}/${name}`);
      return [`${name}:${info?.size}:${info?.modifiedMs}`];
    });
    return `${stamps.length}:${hash53(stamps.join())}`;
  }

  /**
   * @param issueNumber from 1
   * @returns what can be read
   * @throws {AgentxError} `NEWER_STATE`, `IO_ERROR`; `CORRUPT_STATE` if a file is somebody else's
   */
  read(issueNumber: number): IssueContent {
    const failures: AgentxError<"CORRUPT_STATE">[] = [];
    const read = (path: string) => {
      try {
        const text = sys.readTextFile(path);
        return text === undefined ? undefined : parseIssueFile(text, path, issueNumber);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        failures.push(error.failure);
        return undefined;
      }
    };
    const file = read(this.#openPath(issueNumber));
    const parts = file === undefined ? this.#partsOnDisk(issueNumber) : file.parts ?? [];
    const sealed = parts.flatMap((part) =>
      read(this.#partPath(issueNumber, part))?.observations ?? []
    );
    return { file, parts, sealed, open: file?.observations ?? [], failures };
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
   * Writes `issue-{n}.json`, and seals what became too much for it.
   *
   * @param file the new content
   * @param replaceFile how to write
   * @param lastPart the highest number of a part that is in use
   */
  append(file: IssueFile, replaceFile: ReplaceFile, lastPart = Math.max(0, ...file.parts ?? [])) {
    const { version, issueNumber, observations, parts = [], ...rest } = file;
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
