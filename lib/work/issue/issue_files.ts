// Reads the issues of a workspace: the lines of `.agentx/issues/`, the older `{number}.json` files in the same
// folder, and which issue has which number.

import { groupBy } from "../../base/groups.ts";
import { isObject, type JsonObject, listOf, objectOf } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { CUT_OFF, type Line, type LineProblem } from "../../lines/line.ts";
import type { LinesRead, LineStore } from "../../lines/line_store.ts";
import { mayNumber } from "../../lines/raw_text.ts";
import { sys } from "../../sys/mod.ts";
import type { IssueLine } from "./change.ts";
import { type FoldedIssue, foldIssues } from "./fold.ts";
import { type Claim, DEFAULT_LEASE_MS, type StepClaim } from "./issue.ts";
import { linesOfIssueJson } from "./issue_json.ts";

/** An issue with the other facts that its lines hold, and its display name. */
export interface KnownIssue extends FoldedIssue {
  /** `#12`, or a name such as `#12~b3f1` if another issue has that number. */
  ref: string;
}

/** All issues of a workspace, and the problems of their files. */
export interface IssueView {
  /** The issues that are not deleted, by number. */
  byNumber: ReadonlyMap<number, KnownIssue>;
  /** All issues by uid, including deleted ones and those that share the number of another issue. */
  byUid: ReadonlyMap<string, KnownIssue>;
  /** Lines by uid, for issues without a creation. */
  headless: ReadonlyMap<string, readonly IssueLine[]>;
  /** The unreadable older files, by issue number. */
  unreadable: ReadonlyMap<number, AgentxError<"CORRUPT_STATE">>;
  /** Ids of the lines that this checkout wrote, as far as it keeps a copy of them. */
  own: ReadonlySet<string>;
  /** The highest number of any issue, including deleted and unreadable ones. */
  highest: number;
  /** One problem per line or file that was left out. */
  problems: AgentxError<"CORRUPT_STATE">[];
}

/** The claims of one issue and its steps on this machine. */
interface Claims {
  issue?: Claim;
  steps: StepClaim[];
}

const JSON_NAME = /^([1-9][0-9]{0,8})\.json$/;
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads issues, and caches the result until a file changes. */
export class IssueFiles {
  readonly #lines: LineStore;
  readonly #folders: readonly string[];
  readonly #isOurs: () => boolean;
  #last: { read: LinesRead; json: string; notes: string; view: IssueView } | undefined;

  /**
   * @param lines the store of the issue lines
   * @param folders `.agentx/issues` of the workspace and of the caller's worktree
   * @param isOurs returns whether the claims in the state count; claims in a copied state do not
   */
  constructor(lines: LineStore, folders: readonly string[], isOurs: () => boolean) {
    this.#lines = lines;
    this.#isOurs = isOurs;
    this.#folders = [...new Set(folders)];
  }

  /** Folds the lines into issues, and adds the claims of this machine. */
  view(read: LinesRead = this.#lines.read(), notes: JsonObject = this.#lines.notes()): IssueView {
    const json = this.#jsonFiles();
    const version = json.map((file) => `${file.path} ${file.version}`).join("\n");
    const claims = JSON.stringify(notes);
    const last = this.#last;
    if (last?.read === read && last.json === version && last.notes === claims) return last.view;
    const older = json.map((file) => ({ ...file, lines: readJson(file.path, file.number) }));
    const view = viewOf(read, older, {
      claims: this.#isOurs() ? claimsIn(notes) : new Map(),
      tracked: () => this.#lines.trackedFiles(),
    });
    this.#last = { read, json: version, notes: claims, view };
    return view;
  }

  /**
   * Reads one issue. If no other issue can affect it, reads only its lines.
   *
   * @returns the issue; undefined if it does not exist
   * @throws {AgentxError} `CORRUPT_STATE`
   */
  find(number: number): KnownIssue | undefined {
    const alone = this.#last === undefined ? this.#alone(number) : undefined;
    return alone === undefined ? knownIn(this.view(), number) : alone ?? undefined;
  }

  /** Reads one issue from its own lines. Returns null if it does not exist, undefined if all issues must be read. */
  #alone(number: number): KnownIssue | null | undefined {
    if (this.#folders.some((folder) => sys.lstat(`${folder}/${number}.json`) !== undefined)) return;
    let read: LinesRead;
    try {
      read = this.#lines.readOf((raw) => mayNumber(raw, "number", number));
    } catch (error) {
      if (error instanceof AgentxError) return; // reading all issues reports the problem
      throw error;
    }
    const { issues, headless } = foldIssues(read.lines);
    const [folded, ...others] = [...issues.values()].filter(({ issue }) => issue.number === number);
    if (headless.size > 0 || others.length > 0 || folded?.isDeleted) return;
    if (folded === undefined) return null;
    const claims = this.#isOurs() ? claimsIn(this.#lines.notes()) : new Map<string, Claims>();
    addClaim(folded, claims.get(folded.issue.uid), read.own);
    return { ...folded, ref: `#${number}` };
  }

  #jsonFiles(): Array<{ path: string; number: number; version: string }> {
    const seen = new Set<string>();
    return this.#folders.flatMap((folder) =>
      sys.readDir(folder).flatMap((name) => {
        const number = Number(JSON_NAME.exec(name)?.[1]);
        if (!(number >= 1) || seen.has(name)) return [];
        seen.add(name);
        const path = `${folder}/${name}`;
        const info = sys.lstat(path);
        if (info === undefined) return [];
        return [{ path, number, version: `${info.id} ${info.size} ${info.modifiedMs}` }];
      })
    );
  }
}

/** Returns the claims that this machine stores, by uid. */
function claimsIn(notes: JsonObject): Map<string, Claims> {
  const claims = new Map<string, Claims>();
  for (const [uid, claim] of Object.entries(objectOf(notes.claims))) {
    if (isClaim(claim)) claims.set(uid, { issue: claim, steps: [] });
  }
  for (const [uid, all] of Object.entries(objectOf(notes.stepClaims))) {
    const steps = listOf(all).filter(isClaim).filter((one): one is StepClaim =>
      typeof (one as Partial<StepClaim>).step === "string"
    );
    if (steps.length > 0) claims.set(uid, { ...claims.get(uid), steps });
  }
  return claims;
}

function isClaim(value: unknown): value is Claim {
  return isObject(value) &&
    ["agent", "claimed", "leaseUntil"].every((key) => typeof value[key] === "string");
}

function readJson(path: string, number: number): Line[] | string {
  try {
    const text = sys.readTextFile(path, MAX_BYTES);
    return text === undefined ? [] : linesOfIssueJson(text, number);
  } catch (error) {
    if (error instanceof AgentxError) return error.summary;
    throw error;
  }
}

function viewOf(
  { lines, fileOf, own, problems }: LinesRead,
  older: ReadonlyArray<{ path: string; number: number; lines: Line[] | string }>,
  { claims, tracked }: { claims: ReadonlyMap<string, Claims>; tracked: () => ReadonlySet<string> },
): IssueView {
  const wrong: LineProblem[] = [...problems];
  const all = [...lines];
  const files = new Map<string, string>();
  const unreadable = new Map<number, AgentxError<"CORRUPT_STATE">>();
  for (const { path, number, lines } of older) {
    if (typeof lines === "string") {
      unreadable.set(number, corrupt({ path, line: null, why: lines }));
    } else {
      for (const line of lines) {
        if (fileOf.has(line.id) || own.has(line.id) || files.has(line.id)) continue;
        all.push(line);
        files.set(line.id, path.slice(path.lastIndexOf("/") + 1));
      }
    }
  }
  const fileOfLine = (id: string) => fileOf.get(id) ?? files.get(id);
  const fold = foldIssues(all);
  wrong.push(...fold.problems.map(({ id, why }) => {
    return { path: fileOfLine(id) ?? "the copy", line: null, why: `in the line ${id}, ${why}` };
  }));
  for (const folded of fold.issues.values()) addClaim(folded, claims.get(folded.issue.uid), own);
  const isTracked = (id: string) => tracked().has(fileOfLine(id) ?? "");
  const { byNumber, byUid, highest } = numbered([...fold.issues.values()], isTracked);
  return {
    byNumber,
    byUid,
    headless: fold.headless,
    unreadable,
    own,
    highest: Math.max(highest, ...unreadable.keys()),
    problems: [...wrong.map(corrupt), ...unreadable.values()],
  };
}

/**
 * Adds the claim to an issue. Only the machine that made a claim knows when it ends. If this machine wrote the
 * assignment but stores no claim, the default lease applies; if an undo restored the assignment, the lease has
 * ended. An assignment from another machine lasts until somebody unassigns the issue.
 */
function addClaim(
  { issue, lines, undone }: FoldedIssue,
  { issue: claim, steps }: Claims = { steps: [] },
  own: ReadonlySet<string>,
) {
  if (steps.length > 0) issue.stepClaims = steps;
  if (issue.assignee === null) return;
  if (claim?.agent === issue.assignee) {
    issue.claimed = claim.claimed;
    issue.leaseUntil = claim.leaseUntil;
    return;
  }
  const assigned = lines.findLast((line) => line.op === "add" && line.field === "assignees");
  if (assigned === undefined || assigned.by !== issue.assignee || !own.has(assigned.id)) return;
  issue.claimed = assigned.time;
  const wasEnded = lines.some((line) =>
    line.op === "remove" && undone.has(line.id) && line.after.includes(assigned.id)
  );
  const leaseMs = wasEnded ? 0 : DEFAULT_LEASE_MS;
  issue.leaseUntil = new Date(Date.parse(assigned.time) + leaseMs).toISOString();
}

/** Decides which issue keeps a number that several share: the one with a creation that git tracks, or else the oldest. */
function numbered(
  issues: readonly FoldedIssue[],
  isTracked: (id: string) => boolean,
): Pick<IssueView, "byNumber" | "byUid" | "highest"> {
  const claimants = groupBy(issues, ({ issue }) => issue.number);
  const byNumber = new Map<number, KnownIssue>();
  const byUid = new Map<string, KnownIssue>();
  for (const number of [...claimants.keys()].sort((a, b) => a - b)) {
    const all = claimants.get(number)!;
    const there = all.filter(({ isDeleted }) => !isDeleted).sort(byAge);
    const tracked = there.length < 2
      ? []
      : there.filter(({ lines }) => isTracked(lines.find(({ op }) => op === "create")!.id));
    const keeper = number < 1 ? undefined : tracked[0] ?? there[0];
    for (const folded of all) {
      const isNamed = folded === keeper || folded.isDeleted;
      const ref = isNamed ? `#${number}` : `#${number}~${shortUid(folded.issue.uid)}`;
      const known = { ...folded, ref };
      byUid.set(folded.issue.uid, known);
      if (folded === keeper) byNumber.set(number, known);
    }
  }
  return { byNumber, byUid, highest: Math.max(0, ...claimants.keys()) };
}

function byAge({ issue: a }: FoldedIssue, { issue: b }: FoldedIssue): number {
  return a.created < b.created || a.created === b.created && a.uid < b.uid ? -1 : 1;
}

function shortUid(uid: string): string {
  return uid.replaceAll(/[^\w]/g, "").slice(0, 4);
}

function corrupt({ path, line, why }: LineProblem): AgentxError<"CORRUPT_STATE"> {
  const where = line === null ? "" : ` in line ${line}`;
  return new AgentxError("CORRUPT_STATE", `Cannot read "${path}"${where}: ${why}`, {
    details: { path, line },
    next: why === CUT_OFF
      ? "The rest is read; restore the line from git, or set it aside with: agentx doctor --fix"
      : "The rest is read; correct the line, or restore it from git",
  });
}

/**
 * Returns the issue with a number; undefined if there is none.
 *
 * @throws {AgentxError} `CORRUPT_STATE` if the issue is in an older file that cannot be read
 */
export function knownIn(
  { byNumber, unreadable }: IssueView,
  number: number,
): KnownIssue | undefined {
  const known = byNumber.get(number);
  const problem = unreadable.get(number);
  if (known === undefined && problem !== undefined) throw problem;
  return known;
}

/** Returns the lowest free numbers above those of all issues, without the taken ones. */
export function freeNumbers(
  { highest }: IssueView,
  taken: ReadonlySet<number>,
  count: number,
): number[] {
  const numbers: number[] = [];
  for (let number = highest + 1; numbers.length < count; number++) {
    if (!taken.has(number)) numbers.push(number);
  }
  return numbers;
}
