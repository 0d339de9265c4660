/**
 * Local issues: `.agentx/issues/{n}.json` (DESIGN section 4, PRD "Local mode").
 *
 * Every issue is a file of its own, so that people can commit and merge them, and two agents at two
 * issues do not wait for each other. A new number is one more than the highest; the lock of the
 * folder is held while an issue is created.
 *
 * @module
 */

import { HUMAN } from "../../agent_names.ts";
import { AgentxError } from "../../errors.ts";
import { checkIssueNumber } from "../../input_checks.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { type Cut, cutting } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isoTime } from "../../time.ts";
import { hasRun, withRun } from "./calls.ts";
import {
  checkComment,
  checkIssueBody,
  checkStatus,
  checkTitle,
  completeIssue,
  type Issue,
  ISSUE_STATUSES,
  type IssueUpdate,
  moveTo,
  type NewIssue,
} from "./issue.ts";
import { fileOf } from "./issue_file.ts";
import { completed, IssueFiles } from "./issue_files.ts";
import { type IssueRepair, repairIssues } from "./issue_repair.ts";
import { checkLabels, withLabels } from "./labels.ts";
import { linkedUids } from "./linked.ts";

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
   * Called with what was cut from a text before it was written: private parts and secrets.
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
  readonly #files: IssueFiles;
  readonly #notify: (message: string) => void;

  /**
   * Opens the folder, which need not exist.
   *
   * @param folder `.agentx/issues`
   * @param locks the locks of this process
   * @param options what is called with notes of what was cut
   */
  constructor(folder: string, locks: FileLockManager, options: IssueStoreOptions = {}) {
    const { notify = () => {} } = options;
    this.#files = new IssueFiles(folder, locks);
    this.#notify = notify;
  }

  /**
   * Reads one issue, around unresolved conflict markers.
   *
   * @param number from 1
   * @returns the issue as it is now; undefined if it is not kept here
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`
   */
  find(number: number): Issue | undefined {
    const file = this.#files.file(checkIssueNumber(number)).read();
    return file && completed(file.issue, number);
  }

  /**
   * Reads one issue for a caller that can do without it.
   *
   * @param number from 1
   * @returns the issue; undefined if it does not exist or cannot be read
   */
  findReadable(number: number): Issue | undefined {
    const file = this.#files.readable(checkIssueNumber(number));
    return file && completed(file.issue, number);
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
    for (const number of this.#files.numbers()) {
      try {
        const file = this.#files.file(number).read();
        if (file === undefined) continue;
        scan.issues.push(completed(file.issue, number));
        const problem = this.#files.refusal(number, file, "rely on");
        if (problem !== undefined) scan.problems.push(problem);
      } catch (error) {
        if (!(error instanceof AgentxError)) throw error;
        scan.problems.push(error);
      }
    }
    return scan;
  }

  /**
   * Reads which issue has which number.
   *
   * @returns the number of each issue that can be read, by its `uid`
   */
  numbersByUid(): Map<string, number> {
    return new Map(this.scan().issues.map(({ uid, number }) => [uid, number]));
  }

  /**
   * Creates an issue under the next number: one more than the highest, also if others create issues
   * at the same time.
   *
   * @param issue its title, and what else is known
   * @param by who makes it; shown to those who wait
   * @returns the issue as it was written
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async create(
    { title, body = "", labels = [], status = ISSUE_STATUSES[0], callId }: NewIssue,
    by: string = HUMAN,
  ): Promise<Issue> {
    const content = await cutting((cut) => ({
      ...checkTexts(cut, { title, body }),
      labels: checkLabels(labels).map((label) => cut("label", label)),
      created: isoTime(sys.now()),
    }), { what: "the new issue", notify: this.#notify });
    const place = checkStatus(status);
    return await this.#files.withNextNumber(by, async (next) => {
      const made = callId === undefined ? undefined : this.#madeBy(callId);
      if (made !== undefined) return made;
      const number = checkIssueNumber(next);
      const callIds = callId === undefined ? undefined : [callId];
      const issue = completeIssue({ uid: makeUid(), ...content, callIds }, number);
      moveTo(issue, place);
      this.#noteLinks(issue);
      await this.#files.file(number).update(by, (current) => {
        if (current === undefined) return fileOf(issue);
        throw new TypeError(`Cannot create issue ${number}: its file was created without the lock`);
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
    const { callId } = update;
    const status = update.status === undefined ? undefined : checkStatus(update.status);
    const remove = update.removeLabels ?? [];
    const { title, body, comment, add } = await cutting((cut) => ({
      ...checkTexts(cut, update),
      add: checkLabels(update.addLabels ?? []).map((label) => cut("label", label)),
    }), { what: `issue #${number}`, notify: this.#notify });
    return await this.change(number, by, (issue) => {
      if (callId !== undefined) {
        if (hasRun(issue.callIds, callId)) return;
        issue.callIds = withRun(issue.callIds, callId);
      }
      issue.title = title ?? issue.title;
      issue.body = body ?? issue.body;
      issue.labels = withLabels(issue.labels, { add, remove });
      if (status !== undefined) moveTo(issue, status);
      if (comment === undefined) return;
      const { uid: issueUid } = issue;
      issue.comments.push({ author: by, body: comment, created: isoTime(sys.now()), issueUid });
    });
  }

  /**
   * Changes an issue under its lock, on fresh data.
   *
   * @param number from 1
   * @param by who changes it; shown to those who wait
   * @param edit alters the issue, and must not await anything; if it throws or alters nothing,
   *   nothing is written
   * @returns the issue as it is now
   * @throws {AgentxError} `NOT_FOUND`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`; and whatever
   *   `edit` throws
   */
  async change(number: number, by: string, edit: (issue: Issue) => void): Promise<Issue> {
    const changed = await this.changeIf(number, by, (issue) => {
      edit(issue);
      return true;
    });
    return changed as Issue;
  }

  /**
   * Changes an issue under its lock, if `edit` finds that it should.
   *
   * @param number from 1
   * @param by who changes it; shown to those who wait
   * @param edit alters the issue and returns true, or returns false: then nothing is written
   * @returns the issue as it is now; undefined if it was left alone
   * @throws {AgentxError} as {@linkcode IssueStore.change}
   */
  async changeIf(
    number: number,
    by: string,
    edit: (issue: Issue) => boolean,
  ): Promise<Issue | undefined> {
    const file = this.#files.file(checkIssueNumber(number));
    if (file.read() === undefined) throw unknownIssue(number); // a lock would make the folder
    return await file.updateReturning(by, (current) => {
      if (current === undefined) throw unknownIssue(number);
      const refusal = this.#files.refusal(number, current, "change");
      if (refusal !== undefined) throw refusal;
      const issue = completed(current.issue, number);
      const before = JSON.stringify(issue);
      if (!edit(issue)) return { value: current, result: undefined };
      if (JSON.stringify(issue) === before) return { value: current, result: issue };
      this.#noteLinks(issue);
      const changed = { ...issue, updated: isoTime(sys.now()) };
      return { value: fileOf(changed), result: changed };
    });
  }

  /**
   * Repairs what merges left in the files: lines twice, missing commas, conflict markers. Of each
   * field, the value of the branch that changed the issue last is kept, and all labels and comments.
   * Issues that got the same number on two branches are renumbered: the younger gets a new one, and
   * labels and dependencies follow it.
   *
   * @param by who does it; shown to those who wait
   * @returns what was done; a file that cannot be read is left as it is
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async repair(by: string = HUMAN): Promise<IssueRepair> {
    return await repairIssues(this.#files, by);
  }

  #madeBy(callId: string): Issue | undefined {
    return this.scan().issues.find(({ callIds = [] }) => callIds.includes(callId));
  }

  /** In place; an issue that cannot be read is linked by its number alone. */
  #noteLinks(issue: Issue): void {
    const uidOf = (number: number) => this.findReadable(number)?.uid;
    const linked = linkedUids(issue, uidOf);
    if (linked.length > 0) issue.linkedUids = linked;
    else delete issue.linkedUids;
  }
}

/** 64 bits of chance. */
function makeUid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
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
  return new AgentxError("NOT_FOUND", `Cannot find issue #${number}: there is no such issue`, {
    details: { kind: "issue", id: String(number) },
    next: "List the issues with: agentx issue list --all",
  });
}
