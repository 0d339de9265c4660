// Reads issues and comments of GitHub into the lines of local issues. It only sends read requests. Comments that this
// workspace posted are not imported; commands in comments of others are handed on.
//
// A read asks for the changes since the last read. Once a day it asks for everything, which also shows deletions. Lists
// are sorted newest first: an issue that changes during the read moves to the front, so no page misses it. Nothing is
// written before all pages are read, and the end of the read is noted last, so a read that fails is repeated as a
// whole.

import { isObject, type JsonObject, objectOf, stringOf } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { addTo } from "../base/groups.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import type { ImportedIssue } from "../work/issue/imports/record.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { type GitHubClient, rateLimited } from "./client.ts";
import { commandIn, type CommentCommand } from "./comment_commands.ts";
import type { SeenPost } from "./outbox.ts";
import { keyOf } from "./posts.ts";
import { issuesFrom, numberIn, type WholeIssue } from "./record.ts";
import { type Target, targetName } from "./target.ts";

/** The point at which the last read of a list ended. */
interface ListMark {
  /** The time of the latest change seen, as GitHub writes it. */
  since: string;
  /** The ETag of the changes since then; null if unknown. */
  etag: string | null;
}

/** The state of reads, kept in `state/github.json`. */
export interface GitHubState {
  v: 1;
  /** Such as `github.com/acme/shop`. */
  target: string;
  /** GitHub's id of the repository, which does not change when the repository is renamed. */
  id: number | null;
  /** Earlier names of the repository, such as `acme/store`: its issues keep them as their origin. */
  names: string[];
  /** Time of the last whole read, and of the last read of any kind, ISO-8601, UTC. */
  whole: string | null;
  read: string | null;
  issues: ListMark | null;
  comments: ListMark | null;
  /** The id of the newest comment that was searched for a command; null before the first read, which searches none. */
  looked: number | null;
  /** Time until which GitHub refuses requests, ISO-8601, UTC. */
  notBefore: string | null;
  /** Why the last read failed; null if it succeeded. */
  failed: string | null;
}

/** The result of a read. */
export interface GitHubRead {
  /** Such as `github.com/acme/shop`. */
  repository: string;
  /** The local numbers of new issues. */
  imported: number[];
  /** The local numbers of changed issues. */
  changed: number[];
  /** One sentence for each issue that was left out, deleted or moved. */
  problems: string[];
}

/** A comment with a command. */
export interface GivenCommand extends CommentCommand {
  /** The id of the comment. GitHub gives later comments higher ids. */
  comment: number;
  /** The number of its issue on GitHub. */
  issue: number;
  /** The account that wrote it. */
  user: { id: number; login: string };
  /** Whether the comment was changed later; somebody other than its author may have done so. */
  isEdited: boolean;
}

/** Comments that are not plain text: posts of this workspace, and commands. */
export interface CommentNews {
  /** Posts of this workspace. */
  posts: SeenPost[];
  /** Commands in new comments, the oldest first. */
  commands: GivenCommand[];
}

/** Dependencies of a read. */
export interface GitHubReadParts {
  /** The folder that holds `.agentx/`. */
  root: string;
  target: Target;
  /** Finds the token, and returns a client that uses it. */
  client: () => Promise<GitHubClient>;
  issues: IssueStore;
  /** The issue types that have a workflow. */
  types: readonly string[];
  /** The id of the state, which identifies its own posts. */
  birth: string;
  /** Handles comments with commands before the read is recorded. Returns a sentence for each problem. */
  onComments: (news: CommentNews, client: GitHubClient) => Promise<string[]>;
  /** Called with the number of records read so far. */
  onProgress: (what: string, count: number) => void;
}

/** The author of the lines that a read writes. */
const READER = "github";

const PER_PAGE = 100;

/** Maximum number of vanished issues that a whole read looks up. */
const MAX_GONE = 50;

/** Returns the issues that an issue waits for. Throws `SYNC_ERROR`. */
export async function blockersOf(
  { number, issue_dependencies_summary: summary, pull_request: pull }: JsonObject,
  path: string,
  client: GitHubClient,
): Promise<JsonObject[]> {
  const count = Number(objectOf(summary).total_blocked_by ?? 0);
  if (count === 0 || isObject(pull)) return [];
  const list = `${path}/issues/${number}/dependencies/blocked_by?per_page=${PER_PAGE}`;
  return (await client.list(list)).items;
}

/** Returns the state of reads; undefined before the first one. Throws `CORRUPT_STATE`. */
export function githubState(root: string): GitHubState | undefined {
  return stateFile(root).read();
}

function stateFile(root: string): JsonFile<GitHubState> {
  return new JsonFile(`${root}/.agentx/state/github.json`, new FileLockManager(), {
    kind: "state",
    problemWith: (value) =>
      isObject(value) && value.v === 1 ? undefined : "it is not of this version",
  });
}

/**
 * Reads all news.
 *
 * @throws {AgentxError} `SYNC_ERROR`, `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
 */
export async function readGitHub(parts: GitHubReadParts): Promise<GitHubRead> {
  const { root, target } = parts;
  const name = targetName(target);
  const file = stateFile(root);
  const before = file.read() ?? emptyState(name);
  if (before.notBefore !== null && Date.parse(before.notBefore) > sys.now()) {
    throw rateLimited(name, before.notBefore);
  }
  let client: GitHubClient | undefined;
  try {
    client = await parts.client();
    const { state, result } = await new Read(client, before, parts).all();
    await file.update(READER, () => state);
    return result;
  } catch (error) {
    if (error instanceof AgentxError) {
      const failed = { failed: error.summary, notBefore: client?.notBefore ?? null };
      await file.update(READER, (now = before) => ({ ...now, ...failed }));
    }
    throw error;
  }
}

function emptyState(target: string): GitHubState {
  return {
    ...{ v: 1, target, id: null, names: [], whole: null, read: null },
    ...{ issues: null, comments: null, looked: null, notBefore: null, failed: null },
  };
}

/** One read, from the first request to the lines. */
class Read {
  readonly #client: GitHubClient;
  readonly #parts: GitHubReadParts;
  readonly #path: string;
  readonly #isWhole: boolean;
  readonly #problems: string[] = [];
  #state: GitHubState;
  /** Issues of this read that were created locally: the source of each, by `uid`. */
  #made = new Map<string, string>();
  /** The ids of comments that this workspace posted. */
  #own = new Set<unknown>();

  constructor(client: GitHubClient, before: GitHubState, parts: GitHubReadParts) {
    const { target } = parts;
    this.#client = client;
    this.#parts = parts;
    this.#path = `/repos/${target.repository}`;
    const isSame = before.target === targetName(target);
    const isDue = before.whole === null || sys.now() - Date.parse(before.whole) >= DAY_MS;
    this.#isWhole = !isSame || isDue;
    this.#state = before;
  }

  async all(): Promise<{ state: GitHubState; result: GitHubRead }> {
    if (this.#isWhole) await this.#lookAtRepository();
    const issues = await this.#list("issues", "/issues?state=all&");
    const comments = await this.#list("comments", "/issues/comments?");
    const news = await this.#news(comments);
    const records = await this.#records(issues, comments);
    const { imported, changed, problems, unlinked } = await this.#parts.issues.import(records, {
      by: READER,
      follows: true,
    });
    this.#problems.push(
      ...problems.map(({ at, why }) => `${at} was left out: ${why}`),
      ...unlinked.map(({ at, link }) => `${at}: its ${link} is not here`),
    );
    if (this.#isWhole) await this.#nameGone(issues);
    this.#problems.push(...await this.#parts.onComments(news, this.#client));
    const now = isoTime(sys.now());
    const state = {
      ...this.#state,
      ...{ read: now, whole: this.#isWhole ? now : this.#state.whole },
      ...{ notBefore: null, failed: null },
    };
    const result = {
      repository: targetName(this.#parts.target),
      imported: imported.map(({ number }) => number),
      changed,
      problems: this.#problems,
    };
    return { state, result };
  }

  /** Recognizes a renamed repository by its id; starts over for a different repository. */
  async #lookAtRepository(): Promise<void> {
    const { id, archived, has_issues } = await this.#client.get(this.#path);
    const { target } = this.#parts;
    const name = targetName(target);
    const before = this.#state;
    const isKnown = before.id !== null && before.id === id;
    const old = before.target.slice(before.target.indexOf("/") + 1);
    const names = [...new Set([...isKnown ? [...before.names, old] : []])]
      .filter((each) => each !== target.repository);
    this.#state = {
      ...(isKnown || before.target === name ? before : emptyState(name)),
      ...{ target: name, id: typeof id === "number" ? id : null, names },
    };
    if (archived === true) this.#problems.push(`${name} is archived: its issues do not change`);
    if (has_issues === false) this.#problems.push(`${name} has its issues switched off`);
  }

  async #list(which: "issues" | "comments", path: string): Promise<JsonObject[]> {
    const mark = this.#isWhole ? null : this.#state[which];
    const since = mark === null ? "" : `&since=${encodeURIComponent(mark.since)}`;
    const query = `sort=updated&direction=desc&per_page=${PER_PAGE}${since}`;
    const { items, etag, isUnchanged } = await this.#client.list(`${this.#path}${path}${query}`, {
      etag: mark?.etag,
      onPage: (count) => this.#parts.onProgress(which, count),
    });
    if (isUnchanged) return [];
    const latest = items.slice(0, PER_PAGE).flatMap(({ updated_at }) => stringOf(updated_at) ?? [])
      .reduce((a, b) => a > b ? a : b, mark?.since ?? "");
    const isSameList = mark?.since === latest;
    this.#state = {
      ...this.#state,
      [which]: latest === "" ? null : { since: latest, etag: isSameList ? etag : null },
    };
    return items;
  }

  /**
   * Collects posts and commands. A command counts only in the first read that sees its comment. Comments of this
   * workspace hold no command.
   */
  async #news(comments: readonly JsonObject[]): Promise<CommentNews> {
    const looked = this.#state.looked ?? Infinity;
    let newest = this.#state.looked ?? 0;
    const news: CommentNews = { posts: [], commands: [] };
    for (const { id, body, user, issue_url, created_at, updated_at } of comments) {
      const issue = numberIn(issue_url);
      const { id: userId, login } = objectOf(user);
      if (typeof id !== "number" || issue === undefined || typeof userId !== "number") continue;
      newest = Math.max(newest, id);
      const text = stringOf(body) ?? "";
      const key = await keyOf(text, this.#parts.birth);
      const command = key === undefined && id > looked ? commandIn(text) : undefined;
      if (key !== undefined) {
        this.#own.add(id);
        news.posts.push({ key, comment: id, issue, user });
      }
      if (command === undefined) continue;
      const isEdited = created_at !== updated_at;
      const by = { id: userId, login: stringOf(login) ?? "" };
      news.commands.push({ ...command, comment: id, issue, user: by, isEdited });
    }
    this.#state = { ...this.#state, looked: newest };
    news.commands.sort((a, b) => a.comment - b.comment);
    return news;
  }

  /** Returns the issues with their comments; fetches an issue if only its comments changed. */
  async #records(listed: readonly JsonObject[], comments: readonly JsonObject[]) {
    const { target, types, birth } = this.#parts;
    const byIssue = new Map<number, JsonObject[]>();
    for (const comment of comments) {
      if (String(comment.html_url).includes("/pull/")) continue;
      const number = numberIn(comment.issue_url);
      if (number !== undefined) addTo(byIssue, number, comment);
    }
    const issues = listed.toSorted((a, b) => Number(a.number) - Number(b.number));
    const known = new Set(listed.map(({ number }) => number));
    for (const number of byIssue.keys()) {
      if (known.has(number)) continue;
      const issue = await this.#orNamed(
        number,
        () => this.#client.get(`${this.#path}/issues/${number}`),
      );
      if (issue !== undefined) issues.push(issue);
    }
    const records: WholeIssue[] = [];
    const whole = new Set<unknown>();
    for (const issue of issues) {
      const { number } = issue;
      if (typeof number !== "number") continue;
      const blockers = await this.#orNamed(
        number,
        () => blockersOf(issue, this.#path, this.#client),
      );
      if (blockers === undefined) continue;
      const own = byIssue.get(number) ?? [];
      if (this.#isWhole && own.length === issue.comments) whole.add(number);
      const texts = own.filter(({ id }) => !this.#own.has(id));
      records.push({ issue, blockers, comments: texts });
    }
    const { names } = this.#state;
    const read = await issuesFrom(records, { target, types, birth, names });
    return read.filter((issue) => !this.#isCopy(issue))
      .map((issue) => ({ ...issue, hasAllComments: whole.has(issue.number) }));
  }

  /**
   * Whether an issue is a second copy. If creating an issue was tried twice, GitHub may create it late; the first copy
   * counts.
   */
  #isCopy({ uid, keys, at }: ImportedIssue): boolean {
    if (uid === undefined) return false;
    const source = this.#parts.issues.view().byUid.get(uid)?.issue.source ?? this.#made.get(uid);
    this.#made.set(uid, source ?? keys[0]);
    if (source === undefined || keys.includes(source)) return false;
    this.#problems.push(`${at} is a second copy of ${source}: close it there`);
    return true;
  }

  /** Returns undefined and names the issue if only this one cannot be read. Throws if GitHub fails as a whole. */
  async #orNamed<T>(number: number, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const isOfOne = error instanceof AgentxError && this.#client.notBefore === null &&
        error.code === "SYNC_ERROR" && (await this.#statusOf(number)) !== 200;
      if (!isOfOne) throw error;
      this.#problems.push(`${this.#parts.target.repository}#${number} cannot be read`);
      return undefined;
    }
  }

  async #statusOf(number: number): Promise<number> {
    return await this.#client.status(`${this.#path}/issues/${number}`);
  }

  /** Names local issues that GitHub no longer lists: they were deleted, or moved to another repository. */
  async #nameGone(listed: readonly JsonObject[]): Promise<void> {
    const { issues, target } = this.#parts;
    const there = new Set(listed.map(({ number }) => number));
    const prefixes = [target.repository, ...this.#state.names].map((name) => `github:${name}#`);
    const missing = issues.scan().issues.flatMap(({ number, source = "" }) => {
      const prefix = prefixes.find((each) => source.startsWith(each));
      const theirs = prefix === undefined ? NaN : Number(source.slice(prefix.length));
      return Number.isInteger(theirs) && !there.has(theirs) ? [{ number, theirs }] : [];
    });
    for (const { number, theirs } of missing.slice(0, MAX_GONE)) {
      const became = GONE[await this.#statusOf(theirs)];
      if (became === undefined) continue;
      this.#problems.push(`${target.repository}#${theirs} ${became}; #${number} here stays`);
    }
    const more = missing.length - MAX_GONE;
    if (more > 0) this.#problems.push(`${more} more issues are no longer listed there`);
  }
}

const GONE: Readonly<Record<number, string>> = {
  301: "was moved to another repository",
  404: "is not there, or the token may not see it",
  410: "was deleted there",
};
