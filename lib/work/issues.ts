/**
 * Local issues: `.agentx/issues/{n}.json` (DESIGN section 4, PRD "Local mode").
 *
 * Every issue is a file of its own, so that people can commit and merge them, and two agents at two
 * issues do not wait for each other. A new number is one more than the highest; whoever makes an
 * issue holds the lock of the folder meanwhile.
 *
 * @module
 */

import { type Cut, cutting } from "../border.ts";
import { checkIssueNumber } from "../clarify/schema.ts";
import { HUMAN } from "../clarify/transitions.ts";
import { AgentxError, hasCode } from "../errors.ts";
import { type FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import {
  checkComment,
  checkIssueBody,
  checkStatus,
  checkTitle,
  completeIssue,
  type Issue,
  ISSUE_STATUSES,
  issueProblem,
  type IssueUpdate,
  moveTo,
  type NewIssue,
  type StoredIssue,
} from "./issue.ts";
import { encodeIssueFile, fileOf, type IssueFile, parseIssueFile } from "./issue_file.ts";
import { checkLabels, withLabels } from "./labels.ts";

/** All issues that can be read, and what is wrong with files. */
export interface IssueScan {
  /** Those that can be read, by number. */
  issues: Issue[];
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out, or read around a conflict. */
  problems: AgentxError[];
}

/** Options of {@linkcode IssueStore}. */
export interface IssueStoreOptions {
  /**
   * Wall clock, in milliseconds since the epoch.
   *
   * @default {Date.now}
   */
  now?: () => number;
  /**
   * Is told what was cut from a text before it was written: private parts and secrets.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

type Texts = Pick<IssueUpdate, "title" | "body" | "comment">;

const CHECKS: readonly [field: keyof Texts, check: (text: unknown) => string][] = [
  ["title", checkTitle],
  ["body", checkIssueBody],
  ["comment", checkComment],
];

/** A line for each comment, and whatever a merge of such lines leaves. */
const FORMAT = {
  parse: parseIssueFile,
  encode: (file: unknown) => encodeIssueFile(file as IssueFile),
};

const FILE_NAME = /^([1-9][0-9]{0,8})\.json$/;

/**
 * Owner of the files under `.agentx/issues/`.
 *
 * @example An issue is made, changed and closed
 * ```ts
 * import { FileLockManager, IssueStore } from "@agentx/toolkit";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = Deno.makeTempDirSync();
 * const issues = new IssueStore(folder, new FileLockManager());
 * const { number } = await issues.create({ title: "Crash on start", labels: ["type:bug"] });
 * await issues.update(number, { status: "Done", comment: "Fixed in 1.2" }, "engineer");
 * assertEquals([issues.get(1).state, issues.get(1).comments.length], ["closed", 1]);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export class IssueStore {
  readonly #folder: string;
  readonly #locks: FileLockManager;
  readonly #now: () => number;
  readonly #notify: (message: string) => void;
  readonly #files = new Map<number, JsonFile<IssueFile>>();

  /**
   * Opens the folder, which need not exist.
   *
   * @param folder `.agentx/issues`
   * @param locks the locks of this process
   * @param options the clock, and who is told what was cut
   */
  constructor(folder: string, locks: FileLockManager, options: IssueStoreOptions = {}) {
    const { now = Date.now, notify = () => {} } = options;
    this.#folder = folder;
    this.#locks = locks;
    this.#now = now;
    this.#notify = notify;
  }

  /**
   * Reads one issue, around the marks of a conflict that nobody has resolved.
   *
   * @param number from 1
   * @returns the issue as it is now; undefined if it is not kept here
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  find(number: number): Issue | undefined {
    const file = this.#file(checkIssueNumber(number)).read();
    return file && issueIn(file, number);
  }

  /**
   * Reads one issue for somebody who can do without it.
   *
   * @param number from 1
   * @returns the issue; undefined if it is not kept here or cannot be read, which stops nobody
   */
  findReadable(number: number): Issue | undefined {
    try {
      return this.find(number);
    } catch (error) {
      if (hasCode(error, "CORRUPT_STATE") || hasCode(error, "IO_ERROR")) return undefined;
      throw error;
    }
  }

  /**
   * Reads one issue that must be there.
   *
   * @param number from 1
   * @returns the issue as it is now
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`
   */
  get(number: number): Issue {
    const issue = this.find(number);
    if (issue === undefined) throw unknownIssue(number);
    return issue;
  }

  /**
   * Reads every issue; one that cannot be read does not hide the others.
   *
   * @returns the issues by number, and the problems
   */
  scan(): IssueScan {
    const scan: IssueScan = { issues: [], problems: [] };
    for (const number of this.#numbers()) {
      try {
        const file = this.#file(number).read();
        if (file === undefined) continue;
        scan.issues.push(issueIn(file, number));
        if (file.hasConflict) scan.problems.push(this.#conflictIn(number));
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        scan.problems.push(error);
      }
    }
    return scan;
  }

  /**
   * Makes an issue under the next number: one more than the highest, also where others make issues
   * at the same time.
   *
   * @param issue what it is made of
   * @param by who makes it, for those who wait
   * @returns the issue as it was written
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async create(
    { title, body = "", labels = [], status = ISSUE_STATUSES[0] }: NewIssue,
    by: string = HUMAN,
  ): Promise<Issue> {
    const content = await cutting((cut) => ({
      ...checkTexts(cut, { title, body }),
      labels: checkLabels(labels).map((label) => cut("label", label)),
      created: this.#timestamp(),
    }), { what: "the new issue", notify: this.#notify });
    const place = checkStatus(status);
    sys.makeDir(this.#folder);
    return await this.#locks.withSafeLock(`${this.#folder}/number`, by, async () => {
      const number = checkIssueNumber((this.#numbers().at(-1) ?? 0) + 1);
      const issue = completeIssue(content, number);
      moveTo(issue, place);
      await this.#file(number).update(by, (current) => {
        if (current === undefined) return fileOf(issue);
        throw new TypeError(`Cannot create issue ${number}: its file was made without the lock`);
      });
      return issue;
    });
  }

  /**
   * Changes what is given of an issue, in one write.
   *
   * @param number from 1
   * @param update the fields to change
   * @param by who changes it, which is the author of a comment
   * @returns the issue as it is now
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async update(number: number, update: IssueUpdate, by: string = HUMAN): Promise<Issue> {
    const status = update.status === undefined ? undefined : checkStatus(update.status);
    const remove = update.removeLabels ?? [];
    const { title, body, comment, add } = await cutting((cut) => ({
      ...checkTexts(cut, update),
      add: checkLabels(update.addLabels ?? []).map((label) => cut("label", label)),
    }), { what: `issue #${number}`, notify: this.#notify });
    return await this.change(number, by, (issue) => {
      issue.title = title ?? issue.title;
      issue.body = body ?? issue.body;
      issue.labels = withLabels(issue.labels, { add, remove });
      if (status !== undefined) moveTo(issue, status);
      if (comment === undefined) return;
      issue.comments.push({ author: by, body: comment, created: this.#timestamp() });
    });
  }

  /**
   * Changes an issue under its lock, on fresh data.
   *
   * @param number from 1
   * @param by who changes it, for those who wait
   * @param change alters the issue, and must not wait for anything; if it throws or alters nothing,
   *   nothing is written
   * @returns the issue as it is now
   * @throws {AgentxError} `NOT_FOUND`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever
   *   `change` throws
   */
  async change(number: number, by: string, change: (issue: Issue) => void): Promise<Issue> {
    const file = this.#file(checkIssueNumber(number));
    if (file.read() === undefined) throw unknownIssue(number); // a lock would make the folder
    const written = await file.update(by, (current) => {
      if (current === undefined) throw unknownIssue(number);
      if (current.hasConflict) throw this.#conflictIn(number);
      const issue = issueIn(current, number);
      const before = JSON.stringify(issue);
      change(issue);
      if (JSON.stringify(issue) === before) return current;
      return fileOf({ ...issue, updated: this.#timestamp() });
    });
    return issueIn(written, number);
  }

  /**
   * Clears up what merges left in the files: lines twice, missing commas, conflict markers. Of each
   * field what the branch says that changed the issue last is kept, and all labels and comments.
   *
   * @param by who does it, for those who wait
   * @returns the issues whose files were rewritten; one that cannot be read is left as it is
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async repair(by: string = HUMAN): Promise<number[]> {
    const repaired: number[] = [];
    for (const { number } of this.scan().issues) {
      if (this.#file(number).read()?.isMerged !== true) continue;
      await this.#file(number).update(by, (current) => {
        if (current === undefined) throw unknownIssue(number);
        return current.isMerged ? fileOf(issueIn(current, number)) : current;
      });
      repaired.push(number);
    }
    return repaired;
  }

  #numbers(): number[] {
    return sys.readDir(this.#folder)
      .map((name) => Number(FILE_NAME.exec(name)?.[1]))
      .filter((number) => number >= 1)
      .sort((a, b) => a - b);
  }

  #file(number: number): JsonFile<IssueFile> {
    let file = this.#files.get(number);
    if (file === undefined) {
      const problemWith = (file: unknown) => issueProblem((file as IssueFile).issue, number);
      const path = `${this.#folder}/${number}.json`;
      const options = { problemWith, kind: "versioned", format: FORMAT } as const;
      file = new JsonFile(path, this.#locks, options);
      this.#files.set(number, file);
    }
    return file;
  }

  #conflictIn(number: number): AgentxError<"CORRUPT_STATE"> {
    const { path } = this.#file(number);
    const message = `Cannot change "${path}": it has conflict markers, and is read around them`;
    return new AgentxError("CORRUPT_STATE", message, {
      details: { path, line: null },
      next: "Keep what both sides wrote with: agentx doctor --fix",
    });
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** What was read has passed the check. */
function issueIn({ issue }: IssueFile, number: number): Issue {
  return completeIssue(issue as StoredIssue, number);
}

function checkTexts(cut: Cut, texts: Texts): Texts {
  const checked: Texts = {};
  for (const [field, check] of CHECKS) {
    const text = texts[field];
    if (text !== undefined) checked[field] = cut(field, check(text), check);
  }
  return checked;
}

function unknownIssue(number: number): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find issue #${number}: there is no such issue here`, {
    details: { kind: "issue", id: String(number) },
    next: "List the issues with: agentx issue list --all",
  });
}
