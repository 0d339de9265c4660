/**
 * The files under `.agentx/issues/`: which there are, how each is read, and the lock under which
 * numbers are given.
 *
 * @module
 */

import { AgentxError, hasCode } from "../../errors.ts";
import { type FileLockManager, JsonFile } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import { completeIssue, type Issue, issueProblem, type StoredIssue } from "./issue.ts";
import { encodeIssueFile, type IssueFile, parseIssueFile } from "./issue_file.ts";

/** A line for each comment, and whatever a merge of such lines leaves. */
const FORMAT = {
  parse: parseIssueFile,
  encode: (file: unknown) => encodeIssueFile(file as IssueFile),
};

const FILE_NAME = /^([1-9][0-9]{0,8})\.json$/;

/** The files `{n}.json` of a folder. */
export class IssueFiles {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #files = new Map<number, JsonFile<IssueFile>>();

  /**
   * @param folder `.agentx/issues`, which need not exist
   * @param locks the locks of this process
   */
  constructor(folder: string, locks: FileLockManager) {
    this.#folder = folder;
    this.#locks = locks;
  }

  /** @returns the numbers that have a file, in their order */
  numbers(): number[] {
    return sys.readDir(this.#folder)
      .map((name) => Number(FILE_NAME.exec(name)?.[1]))
      .filter((number) => number >= 1)
      .sort((a, b) => a - b);
  }

  /**
   * @param number a checked one
   * @returns its file
   */
  file(number: number): JsonFile<IssueFile> {
    let file = this.#files.get(number);
    if (file === undefined) {
      const problemWith = (value: unknown) => {
        const { issue, others } = value as IssueFile;
        for (const each of [issue, ...others.map((other) => other.issue)]) {
          const problem = issueProblem(each, number);
          if (problem !== undefined) return problem;
        }
      };
      const path = `${this.#folder}/${number}.json`;
      const options = { problemWith, kind: "versioned", format: FORMAT } as const;
      file = new JsonFile(path, this.#locks, options);
      this.#files.set(number, file);
    }
    return file;
  }

  /**
   * @param number a checked one
   * @returns what its file says; undefined if there is none, or it cannot be read
   */
  readable(number: number): IssueFile | undefined {
    try {
      return this.file(number).read();
    } catch (error) {
      if (hasCode(error, "CORRUPT_STATE") || hasCode(error, "IO_ERROR")) return undefined;
      throw error;
    }
  }

  /**
   * Removes a file whose issue is in another file.
   *
   * @param number a checked one
   */
  remove(number: number): void {
    sys.removeFile(this.file(number).path);
  }

  /**
   * @param by who gives numbers meanwhile; shown to those who wait
   * @param give gets one more than the highest number there is
   * @returns what it gives
   */
  async withNextNumber<T>(by: string, give: (next: number) => Promise<T>): Promise<T> {
    sys.makeDir(this.#folder);
    return await this.#locks.withSafeLock(
      `${this.#folder}/number`,
      by,
      () => give((this.numbers().at(-1) ?? 0) + 1),
    );
  }

  /**
   * @param number of an issue
   * @param file as it was read
   * @param action what the caller wants to do with it
   * @returns why it cannot be done; undefined if it can
   */
  refusal(
    number: number,
    { hasConflict, others }: IssueFile,
    action: "change" | "rely on",
  ): AgentxError<"CORRUPT_STATE"> | undefined {
    if (!hasConflict && others.length === 0) return undefined;
    const { path } = this.file(number);
    const [why, next] = others.length > 0
      ? [`${others.length + 1} issues have that number`, "Give each its own number with"]
      : ["it has unresolved conflict markers", "Keep both sides with"];
    return new AgentxError("CORRUPT_STATE", `Cannot ${action} "${path}": ${why}`, {
      details: { path, line: null },
      next: `${next}: agentx doctor --fix`,
    });
  }
}

/**
 * @param issue what was read, which has passed the check
 * @param number as in the name of the file
 * @returns the issue with all its keys
 */
export function completed(issue: unknown, number: number): Issue {
  return completeIssue(issue as StoredIssue, number);
}
