// The store of local issues. An issue is a list of changes, one on each line of a file; any number of branches may add
// lines (DESIGN section 4, PRD "Local mode").
//
// All changes are made under one lock, on fresh data. Only this machine knows its claims; the lines of an issue name
// the assignee, but not when a claim ends.

import { HUMAN } from "../../base/agent_names.ts";
import { type JsonObject, objectOf } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { checkIssueNumber, invalidInput } from "../../base/input_checks.ts";
import { idsByUid, type Line, randomId } from "../../lines/line.ts";
import { type Addition, LineStore } from "../../lines/line_store.ts";
import type { NoteChange } from "../../events/operations.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { type Cut, cutting } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isoTime } from "../../base/time.ts";
import type { IssueChange, IssueLine, StepChange } from "./change.ts";
import { type IssueChanged, issueChanges } from "./change_event.ts";
import {
  checkComment,
  checkDue,
  checkIssueBody,
  checkLine,
  checkStatus,
  checkTitle,
  type Issue,
  ISSUE_STATUSES,
  type IssueUpdate,
  MAX_TITLE,
  moveTo,
  type NewIssue,
  newIssue,
  NOBODY,
} from "./issue.ts";
import {
  freeNumbers,
  IssueFiles,
  type IssueView,
  knownIn,
  type KnownIssue,
} from "./issue_files.ts";
import {
  type ChangeHead,
  changesBetween,
  creationOf,
  deletionsOf,
  linesFor,
} from "./issue_lines.ts";
import { checkLabels, withLabels } from "./labels.ts";
import type { ImportPlan } from "./imports/plan.ts";
import type { ImportProblem } from "./imports/read.ts";
import type { ImportedIssue } from "./imports/record.ts";
import { linkedUids, relink } from "./linked_issues.ts";
import { foldIssues } from "./fold.ts";
import { isBelow } from "./parents.ts";
import type { PlannedPart } from "./plan.ts";
import { checkSeenVersion } from "./conflicts.ts";
import { builtOn, changesThatUndo, leaseAfterUndo } from "./undo.ts";

/** All readable issues, and the problems of the others. */
export interface IssueScan {
  /** The issues with a number of their own, by number. */
  issues: Issue[];
  /** The issues that share the number of another issue, each with its name, such as `#12~b3f1`. */
  unnumbered: Array<{ ref: string; issue: Issue }>;
  /** One `CORRUPT_STATE` per line or file that was left out. */
  problems: AgentxError[];
}

/** An issue that got a new number. */
export interface Renumbered {
  /** The former number, which another issue keeps. */
  from: number;
  /** The new number. */
  to: number;
  title: string;
}

/** The later changes of an issue that build upon given changes. */
export interface BuiltUpon {
  /** Such as `#12`. */
  ref: string;
  lines: IssueLine[];
}

/** The result of repairing issues. */
export interface IssueRepair {
  /** Number of unreadable lines that were moved into the state. */
  setAside: number;
  /** Number of changes of this checkout that no file had, and that were written again. */
  restored: number;
  /** The issues that got a new number, because another issue had the same number. */
  renumbered: Renumbered[];
  /** The issues with labels or dependencies that were updated to a new number. */
  relinked: number[];
}

/** Options of {@linkcode IssueStore}. */
export interface IssueStoreOptions {
  /** The folder that holds `.agentx/` in the caller's own worktree. Its issues are read, too. */
  tree?: string;
  /** Numbers that are used elsewhere. No new issue gets one of them. */
  takenElsewhere?: () => ReadonlySet<number>;
  /** Returns whether this user made the state. Claims in a copied state do not count. */
  isOurs?: () => boolean;
  /**
   * Called with each change that was written.
   *
   * @internal
   *
   * @default {() => {}}
   */
  onChange?: (change: IssueChanged) => void;
  /**
   * Called with each change before it is written.
   *
   * @internal
   *
   * @default {() => {}}
   */
  note?: NoteChange;
  /**
   * Called with a message for each private part and secret that was cut from a text.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
}

const MOMENT_MS = 1_000;

type Texts = Pick<IssueUpdate, "title" | "body" | "comment">;

const CHECKS: readonly [field: keyof Texts, check: (text: unknown) => string][] = [
  ["title", checkTitle],
  ["body", checkIssueBody],
  ["comment", checkComment],
];

/** Owner of the issues under `.agentx/issues/`. */
export class IssueStore {
  readonly #lines: LineStore;
  readonly #files: IssueFiles;
  readonly #takenElsewhere: () => ReadonlySet<number>;
  readonly #onChange: (change: IssueChanged) => void;
  readonly #note: NoteChange;
  readonly #notify: (message: string) => void;

  /**
   * Opens the issues of a workspace, which may have none yet.
   *
   * @param root the folder that holds `.agentx/`
   * @param options the caller's worktree, and the callbacks
   */
  constructor(root: string, locks: FileLockManager, options: IssueStoreOptions = {}) {
    const { tree = root, takenElsewhere = () => new Set(), isOurs = () => true } = options;
    const { onChange = () => {}, note = () => {}, notify = () => {} } = options;
    const [folder, inTree] = [root, tree].map((place) => `${place}/.agentx/issues`);
    const state = `${root}/.agentx/state/lines`;
    this.#lines = new LineStore({ kind: "issues", folder, inTree, state, locks, notify });
    this.#files = new IssueFiles(this.#lines, [folder, inTree], isOurs);
    this.#takenElsewhere = takenElsewhere;
    this.#onChange = onChange;
    this.#note = note;
    this.#notify = notify;
  }

  /**
   * Reads one issue.
   *
   * @returns the issue as it is now; undefined if there is none
   * @throws {AgentxError} `INVALID_INPUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  find(number: number): Issue | undefined {
    return this.#files.find(checkIssueNumber(number))?.issue;
  }

  /**
   * Reads one issue for a caller that can continue without the issue.
   *
   * @returns the issue; undefined if it does not exist or cannot be read
   */
  findReadable(number: number): Issue | undefined {
    try {
      return this.find(number);
    } catch (error) {
      if (error instanceof AgentxError && error.code !== "INVALID_INPUT") return undefined;
      throw error;
    }
  }

  /**
   * Reads one issue that must exist.
   *
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`, `IO_ERROR`
   */
  get(number: number): Issue {
    const issue = this.find(number);
    if (issue === undefined) throw unknownIssue(number);
    return issue;
  }

  /**
   * Reads an issue with its changes; a deleted issue is returned, too.
   *
   * @param name the number, or a name such as `2~b3f1` if another issue has the number
   * @returns the issue with its lines and conflicts
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `CORRUPT_STATE`, `IO_ERROR`
   *
   * @internal
   */
  getKnown(name: number | string): KnownIssue {
    return namedIn(this.#files.view(), name);
  }

  /**
   * Reads every issue; a line that cannot be read does not hide the others.
   *
   * @returns the issues by number, and the problems
   */
  scan(): IssueScan {
    const view = this.#files.view();
    return {
      issues: Array.from(view.byNumber.values(), ({ issue }) => issue),
      unnumbered: unnumberedIn(view).map(({ ref, issue }) => ({ ref, issue })),
      problems: view.problems,
    };
  }

  /**
   * Returns the current view of all issues.
   *
   * @internal
   */
  view(): IssueView {
    return this.#files.view();
  }

  /**
   * Creates an issue with the lowest free number above all issues. Concurrent calls get different numbers.
   *
   * @param issue the title, and optional fields
   * @throws {AgentxError} `INVALID_INPUT`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async create(
    { title, body = "", labels = [], status = ISSUE_STATUSES[0], callId, ...rest }: NewIssue,
    by: string = HUMAN,
  ): Promise<Issue> {
    const { parent = null, due = null } = rest;
    checkDue(due);
    const content = await cutting((cut) => ({
      ...checkTexts(cut, { title, body }),
      labels: checkLabels(labels).map((label) => cut("label", label)),
      milestone: checkMilestone(cut, rest.milestone ?? null),
    }), { what: "the new issue", notify: this.#notify });
    const place = checkStatus(status);
    return await this.#write(by, (view) => {
      const made = callId === undefined ? undefined : madeBy(callId, view);
      if (made !== undefined) return { lines: [], result: made };
      const number = checkIssueNumber(freeNumbers(view, this.#takenElsewhere(), 1)[0]);
      const time = isoTime(sys.now());
      const issue = newIssue({
        number,
        uid: randomId(),
        title,
        body,
        ...content,
        due,
        author: by,
        created: time,
      });
      moveTo(issue, place);
      if (parent !== null) issue.parent = uidOf(parent, view);
      noteLinks(issue, view);
      const head = { changeId: randomId(), uid: issue.uid, time, by, call: callId };
      return { lines: linesFor([creationOf(issue)], head), result: issue };
    });
  }

  /**
   * Creates the parts of an issue in one write: all parts, or none.
   *
   * @internal
   * @param parts the parts, and which part waits for which
   * @returns the created issues, in the order of the parts
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async split(
    parent: number,
    { parts, labels = [] }: { parts: readonly PlannedPart[]; labels?: readonly string[] },
    by: string = HUMAN,
  ): Promise<Issue[]> {
    const checked = await cutting((cut) =>
      parts.map(({ title, body, waitsFor }) => ({
        title: cut("title", checkTitle(title), checkTitle),
        body: cut("body", checkIssueBody(body), checkIssueBody),
        waitsFor,
      })), { what: "the new issues", notify: this.#notify });
    this.get(parent);
    return await this.#write(by, (view) => {
      const parentUid = uidOf(parent, view);
      const numbers = freeNumbers(view, this.#takenElsewhere(), parts.length);
      checkIssueNumber(numbers.at(-1)!);
      const time = isoTime(sys.now());
      const made = checked.map(({ title, body, waitsFor }, index) => {
        const blockers = waitsFor.map((other) => `blocked_by:#${numbers[other]}`);
        return newIssue({
          number: numbers[index],
          uid: randomId(),
          title,
          body,
          labels: checkLabels([...labels, ...blockers]),
          parent: parentUid,
          author: by,
          created: time,
        });
      });
      const uids = new Map(made.map(({ number, uid }) => [number, uid]));
      for (const issue of made) noteLinks(issue, view, uids);
      const lines = made.flatMap((issue) =>
        linesFor([creationOf(issue)], { changeId: randomId(), uid: issue.uid, time, by })
      );
      return { lines, result: made };
    });
  }

  /**
   * Imports the export of another tool in one write. Existing issues only get missing links, unless `follows` is
   * set.
   *
   * @internal
   * @param records the issues of the export, unchecked
   * @returns the created issues, the existing ones, and the records that cannot be used
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async import(
    records: readonly ImportedIssue[],
    { by = HUMAN, isDry = false, follows = false }: {
      by?: string;
      isDry?: boolean;
      follows?: boolean;
    },
  ): Promise<ImportPlan & { problems: ImportProblem[] }> {
    const [{ checkImport }, { planImport }] = await Promise.all([
      import("./imports/check.ts"),
      import("./imports/plan.ts"),
    ]);
    const { checked, problems } = await cutting((cut) => checkImport(records, cut), {
      what: "the imported issues",
      mayBeMarkers: true,
      notify: this.#notify,
    });
    const plan = (view: IssueView) => {
      const taken = this.#takenElsewhere();
      return planImport(checked, view, { taken, now: isoTime(sys.now()), by, follows });
    };
    const { lines, result } = plan(this.#files.view());
    if (isDry || lines.length === 0) return { ...result, problems };
    return { ...await this.#write(by, plan), problems };
  }

  /**
   * Changes the given fields of an issue, in one write.
   *
   * @param by the agent or person that changes the issue, and the author of the comment
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `NOT_READY`, `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async update(number: number, update: IssueUpdate, by: string = HUMAN): Promise<Issue> {
    const { callId } = update;
    const status = update.status === undefined ? undefined : checkStatus(update.status);
    const remove = update.removeLabels ?? [];
    const { parent, due, assignee, seen } = update;
    checkDue(due ?? null);
    const { title, body, comment, add, milestone } = await cutting((cut) => ({
      ...checkTexts(cut, update),
      add: checkLabels(update.addLabels ?? []).map((label) => cut("label", label)),
      milestone: update.milestone === undefined ? undefined : checkMilestone(cut, update.milestone),
    }), { what: `issue #${number}`, notify: this.#notify });
    const edit = (issue: Issue, view: IssueView): boolean => {
      const known = view.byUid.get(issue.uid)!;
      if (callId !== undefined && known.lines.some(({ call }) => call === callId)) return true;
      checkSeenVersion(known, seen);
      issue.title = title ?? issue.title;
      issue.body = body ?? issue.body;
      issue.labels = withLabels(issue.labels, { add, remove });
      if (status !== undefined) moveTo(issue, status);
      if (parent !== undefined) {
        issue.parent = parent === null ? null : parentFor(issue, parent, view);
      }
      if (due !== undefined) issue.due = due;
      if (milestone !== undefined) issue.milestone = milestone;
      if (assignee !== undefined) Object.assign(issue, NOBODY, { assignee });
      if (comment !== undefined) {
        issue.comments.push({ author: by, body: comment, created: isoTime(sys.now()) });
      }
      return true;
    };
    return await this.#change(number, { by, call: callId }, edit) as Issue;
  }

  /**
   * Changes an issue on fresh data.
   *
   * @param edit changes the issue, and must be synchronous; if it throws or changes nothing, nothing is written
   * @throws {AgentxError} `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`, and whatever `edit` throws
   */
  async change(
    number: number,
    by: string,
    edit: (issue: Issue, view: IssueView) => void,
  ): Promise<Issue> {
    return await this.#change(number, { by }, (issue, view) => {
      edit(issue, view);
      return true;
    }) as Issue;
  }

  /**
   * Changes an issue on fresh data if `edit` returns true.
   *
   * @param edit changes the issue and returns true; if it returns false, nothing is written
   * @param options the workflow step that a claim is for
   * @returns the issue after the change; undefined if `edit` returned false
   * @throws {AgentxError} as {@linkcode IssueStore.change}
   */
  async changeIf(
    number: number,
    by: string,
    edit: (issue: Issue, view: IssueView) => boolean,
    { step }: { step?: string } = {},
  ): Promise<Issue | undefined> {
    return await this.#change(number, { by, step }, edit);
  }

  /**
   * Records facts about workflow steps of an issue, on fresh data. The same write may change the issue.
   *
   * @internal
   * @param say returns the facts to record, given the current issue; without facts and edits, nothing is written
   * @throws {AgentxError} `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async say(
    number: number,
    by: string,
    say: (known: KnownIssue) => { facts: StepChange[]; edit?: (issue: Issue) => void },
  ): Promise<Issue> {
    const what = { what: `issue #${number}`, notify: this.#notify };
    return await cutting((cut) =>
      this.#write(by, (view, notes) => {
        const known = knownIn(view, number);
        if (known === undefined) throw unknownIssue(number);
        const { facts, edit = () => {} } = say(known);
        const issue = structuredClone(known.issue);
        edit(issue);
        const said = facts.map((fact) => cutFact(fact, cut));
        const lines = linesFor([...said, ...changesBetween(issue, known)], headOf(known, by));
        return { lines, notes: withClaim(notes, known.issue, issue), result: issue };
      }), what);
  }

  /**
   * Deletes an issue. The deletion is a change that can be undone. A concurrent edit in another branch restores the
   * issue.
   *
   * @param name the number, or a name such as `2~b3f1` if another issue has the number
   * @throws {AgentxError} `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async delete(name: number | string, by: string = HUMAN): Promise<Issue> {
    const { issue } = await this.#add(name, by, (known) => {
      if (known.isDeleted) throw deletedIssue(name);
      return deletionsOf(known.lines);
    });
    return issue;
  }

  /**
   * Undoes changes in one write. An undo can be undone, too.
   *
   * @internal
   * @param lines the ids of the lines to undo, by the `uid` of their issue; if `builtUpon` finds later changes,
   * nothing is written
   * @returns the number of changed issues
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async takeBack(lines: Readonly<Record<string, string[]>>, by: string): Promise<number> {
    return await this.#write(by, (view, notes) => {
      const all = Object.entries(lines).flatMap(([uid, ids]) => {
        const known = view.byUid.get(uid);
        return known === undefined ? [] : [{ known, ids }];
      });
      if (builtUponIn(view, lines).length > 0) return { lines: [], result: 0 };
      const made = all.map(({ known, ids }) => {
        const added = linesFor(changesThatUndo(known, ids), headOf(known, by));
        const after = foldIssues([...known.lines, ...added]).issues.get(known.issue.uid)!;
        return { added, lease: leaseAfterUndo(known, after, sys.now()), uid: known.issue.uid };
      });
      const claims = made.reduce(
        (claims, { lease, uid }) =>
          lease === undefined ? claims : withEntry(claims, uid, lease ?? undefined),
        objectOf(notes.claims),
      );
      const result = made.filter(({ added }) => added.length > 0).length;
      return { lines: made.flatMap(({ added }) => added), notes: { ...notes, claims }, result };
    });
  }

  /**
   * Finds the later changes that build upon given changes.
   *
   * @internal
   * @param lines the ids of the given lines, by the `uid` of their issue
   */
  builtUpon(lines: Readonly<Record<string, string[]>>): BuiltUpon[] {
    return builtUponIn(this.#files.view(), lines);
  }

  /**
   * Settles a conflict between concurrent edits.
   *
   * @internal
   * @param contest the field, and the edits that the deciding person or agent has seen
   * @throws {AgentxError} `INVALID_INPUT`, `NOT_FOUND`, `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async settle(
    number: number,
    { field, seen }: { field: "title" | "body"; seen: readonly string[] },
    value: string,
    by: string = HUMAN,
  ): Promise<void> {
    const texts = await cutting((cut) => checkTexts(cut, { [field]: value }), {
      what: `issue #${number}`,
      notify: this.#notify,
    });
    await this.#add(number, by, () => [
      { op: "set", field, value: texts[field]!, after: [...seen] },
    ]);
  }

  /**
   * Returns changes of this checkout that no file here has, because their branch is not checked out or was deleted.
   *
   * @internal
   */
  missing(): Line[] {
    return this.#lines.missing();
  }

  /**
   * Repairs the issues: sets damaged lines aside, writes missing changes of this checkout again, gives each issue a
   * number of its own, and updates labels and dependencies to the new numbers.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async repair(by: string = HUMAN): Promise<IssueRepair> {
    return {
      setAside: await this.#lines.setAside(by),
      restored: await this.#lines.restore(by),
      renumbered: await this.#addMany(by, renumbering(this.#takenElsewhere)),
      relinked: await this.#addMany(by, relinking),
    };
  }

  /** Writes planned changes of several issues. Takes no lock if there is nothing to change. */
  async #addMany<T>(by: string, plan: (view: IssueView) => Planned<T>[]): Promise<T[]> {
    if (plan(this.#files.view()).length === 0) return [];
    return await this.#write(by, (view) => {
      const planned = plan(view);
      const lines = planned.flatMap(({ after, known }) =>
        linesFor(changesBetween(after, known), headOf(known, by))
      );
      return { lines, result: planned.map(({ result }) => result) };
    });
  }

  async #change(
    number: number,
    { by, call, step }: Pick<ChangeHead, "by" | "call" | "step">,
    edit: (issue: Issue, view: IssueView) => boolean,
  ): Promise<Issue | undefined> {
    checkIssueNumber(number);
    if (this.find(number) === undefined) throw unknownIssue(number); // taking the lock would create the folder
    return await this.#write(by, (view, notes) => {
      const known = knownIn(view, number);
      if (known === undefined) throw unknownIssue(number);
      const issue = structuredClone(known.issue);
      if (!edit(issue, view)) return { lines: [], result: undefined };
      noteLinks(issue, view);
      const head = { ...headOf(known, by), call, step };
      const lines = linesFor(changesBetween(issue, known), head);
      if (lines.length > 0) issue.updated = head.time;
      return { lines, notes: withClaim(notes, known.issue, issue), result: issue };
    });
  }

  async #add(
    name: number | string,
    by: string,
    make: (known: KnownIssue) => IssueChange[],
  ): Promise<KnownIssue> {
    this.getKnown(name); // taking the lock would create the folder
    return await this.#write(by, (view) => {
      const known = namedIn(view, name);
      return { lines: linesFor(make(known), headOf(known, by)), result: known };
    });
  }

  /** Adds lines on fresh data, and calls the listeners once the lines are on disk. */
  async #write<T>(
    by: string,
    make: (view: IssueView, notes: JsonObject) => Addition<T>,
  ): Promise<T> {
    let changes: IssueChanged[] = [];
    const result = await this.#lines.add(by, (read, notes) => {
      const view = this.#files.view(read, notes);
      const addition = make(view, notes);
      changes = issueChanges(addition.lines, view, by);
      if (addition.lines.length > 0) {
        this.#note(by, [{ of: "issues", lines: idsByUid(addition.lines) }]);
      }
      return addition;
    });
    for (const change of changes) this.#onChange(change);
    return result;
  }
}

function builtUponIn(
  { byUid }: IssueView,
  lines: Readonly<Record<string, string[]>>,
): BuiltUpon[] {
  return Object.entries(lines).flatMap(([uid, ids]) => {
    const known = byUid.get(uid);
    const found = known === undefined ? [] : builtOn(known, ids);
    return found.length === 0 ? [] : [{ ref: known!.ref, lines: found }];
  });
}

/** The planned state of an issue, its present state, and the result to report. */
interface Planned<T> {
  after: Issue;
  known: KnownIssue;
  result: T;
}

/** Plans a free number for each issue that shares the number of another one. */
function renumbering(
  takenElsewhere: () => ReadonlySet<number>,
): (view: IssueView) => Planned<Renumbered>[] {
  return (view) => {
    const all = unnumberedIn(view);
    const numbers = freeNumbers(view, takenElsewhere(), all.length);
    return all.map((known, index) => {
      const { number: from, title } = known.issue;
      const to = numbers[index];
      return { after: { ...known.issue, number: to }, known, result: { from, to, title } };
    });
  };
}

/** Updates labels and dependencies to the current numbers of the issues that they meant. */
function relinking({ byNumber }: IssueView): Planned<number>[] {
  const issues = [...byNumber.values()];
  const numberOf = new Map(issues.map(({ issue }) => [issue.uid, issue.number]));
  return issues.flatMap((known) => {
    const after = relink(known.issue, numberOf);
    const isSame = changesBetween(after, known).length === 0;
    return isSame ? [] : [{ after, known, result: known.issue.number }];
  });
}

function unnumberedIn({ byNumber, byUid }: IssueView): KnownIssue[] {
  return [...byUid.values()].filter(({ isDeleted, issue }) =>
    !isDeleted && byNumber.get(issue.number)?.issue.uid !== issue.uid
  );
}

/**
 * Makes the head of a new change. Its time is 1 ms after the issue's last line if that line is less than a second
 * ahead of the clock, so changes keep their order. A line further ahead is ignored, because its clock is wrong.
 */
function headOf({ issue: { uid }, lines }: KnownIssue, by: string): ChangeHead {
  const nowMs = sys.now();
  const lastMs = Date.parse(lines.at(-1)!.time);
  const ms = lastMs >= nowMs && lastMs - nowMs < MOMENT_MS ? lastMs + 1 : nowMs;
  return { changeId: randomId(), uid, time: isoTime(ms), by };
}

function madeBy(callId: string, { byNumber }: IssueView): Issue | undefined {
  return [...byNumber.values()].find(({ lines }) =>
    lines.some(({ op, call }) => op === "create" && call === callId)
  )?.issue;
}

/** Updates the links of an issue, in place. An issue without a known uid is not linked. */
function noteLinks(
  issue: Issue,
  { byNumber }: IssueView,
  made: ReadonlyMap<number, string> = new Map(),
): void {
  const uidOf = (number: number) => made.get(number) ?? byNumber.get(number)?.issue.uid;
  const linked = linkedUids(issue, uidOf);
  if (linked.length > 0) issue.linkedUids = linked;
  else delete issue.linkedUids;
}

function withClaim(notes: JsonObject, before: Issue, after: Issue): JsonObject {
  const { uid, assignee, claimed, leaseUntil, stepClaims = [] } = after;
  const isSame = before.assignee === assignee && before.leaseUntil === leaseUntil &&
    before.claimed === claimed;
  if (isSame && JSON.stringify(before.stepClaims ?? []) === JSON.stringify(stepClaims)) {
    return notes;
  }
  const { claims, stepClaims: steps } = notes;
  const isKnown = assignee !== null && claimed !== null && leaseUntil !== null;
  return {
    ...notes,
    claims: withEntry(claims, uid, isKnown ? { agent: assignee, claimed, leaseUntil } : undefined),
    stepClaims: withEntry(steps, uid, stepClaims.length > 0 ? stepClaims : undefined),
  };
}

function withEntry(of: unknown, key: string, value: unknown): JsonObject {
  const { [key]: _before, ...others } = objectOf(of);
  return value === undefined ? others : { ...others, [key]: value };
}

function cutFact(fact: StepChange, cut: Cut): StepChange {
  if (fact.op !== "validated") return { ...fact, because: cut("reason", fact.because) };
  const evidence = fact.evidence.map((each) => ({ ...each, output: cut("output", each.output) }));
  return { ...fact, evidence };
}

function checkTexts(cut: Cut, texts: Texts): Texts {
  const checked: Texts = {};
  for (const [field, check] of CHECKS) {
    const text = texts[field];
    if (text !== undefined) checked[field] = cut(field, check(text), check);
  }
  return checked;
}

/**
 * Finds an issue by number or name. If an existing and a deleted issue have the number, the existing one is
 * returned.
 */
function namedIn(view: IssueView, name: number | string): KnownIssue {
  const [, number, other] = /^#?(\d+)(~\w+)?$/.exec(String(name)) ?? [];
  const wanted = checkIssueNumber(number === undefined ? name : Number(number));
  const all = [...view.byUid.values()].filter(({ issue }) => issue.number === wanted);
  const known = other === undefined
    ? knownIn(view, wanted) ?? all.find(({ isDeleted }) => isDeleted)
    : all.find(({ ref }) => ref === `#${wanted}${other}`);
  if (known === undefined) throw unknownIssue(name);
  return known;
}

function checkMilestone(cut: Cut, milestone: string | null): string | null {
  const check = (text: unknown) => checkLine("milestone", text, MAX_TITLE);
  return milestone === null ? null : cut("milestone", check(milestone), check);
}

function uidOf(number: number, { byNumber }: IssueView): string {
  const known = byNumber.get(number);
  if (known === undefined) throw unknownIssue(number);
  return known.issue.uid;
}

function parentFor(issue: Issue, number: number, view: IssueView): string {
  const parent = uidOf(number, view);
  if (!isBelow(parent, issue.uid, (uid) => view.byUid.get(uid)?.issue)) return parent;
  const why = `#${number} is #${issue.number} itself, or a part of it`;
  throw invalidInput("parent", number, why, "See what is a part of what with: agentx issue tree");
}

function unknownIssue(name: number | string): AgentxError<"NOT_FOUND"> {
  const id = String(name).replace("#", "");
  return new AgentxError("NOT_FOUND", `Cannot find issue #${id}: there is no such issue`, {
    details: { kind: "issue", id },
    next: "List the issues with: agentx issue list --all",
  });
}

/** Returns the error for a deleted issue; it says how to restore the issue. */
export function deletedIssue(name: number | string): AgentxError<"NOT_FOUND"> {
  const id = String(name).replace("#", "");
  return new AgentxError("NOT_FOUND", `Cannot find issue #${id}: it was deleted`, {
    details: { kind: "issue", id },
    next: `Bring it back with: agentx issue undo ${id}`,
  });
}
