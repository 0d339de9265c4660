// Comments that wait to be posted. The outbox is derived: a ledger entry is on disk before anybody can post it, and
// every entry that is not noted here as posted still waits. So a killed process neither loses nor doubles a comment.
//
// Each attempt is noted before it is made. If its result is unknown, the outbox looks for the comment by its marker. If
// GitHub creates the comment even later, the next read finds and deletes it. Only one process posts at a time.

import { isObject, type JsonObject, objectOf, stringOf } from "../base/checks.ts";
import { AgentxError } from "../base/errors.ts";
import { DAY_MS, isoTime } from "../base/time.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { type GitHubClient, rateLimited, whyRefused } from "./client.ts";
import { takePost, waitToSettle } from "./pace.ts";
import { commentOf, keyOf, type Post } from "./posts.ts";
import { askShape, type RepositoryShape } from "./shape.ts";

/** The result of one comment. */
export interface Posted {
  /** The number of the issue on GitHub. */
  issue: number;
  /** The id of the comment; null while it waits. */
  comment: number | null;
  /** Time of the last attempt, ISO-8601, UTC; null before the first one. */
  tried: string | null;
  /** Why GitHub refuses the comment; it is then not tried again. */
  parked: string | null;
}

/** The content of `state/github-outbox.json`. */
export interface OutboxState {
  v: 1;
  /** Such as `github.com/acme/shop`. */
  target: string;
  /** ISO-8601, UTC. An entry older than this is posted only while it waits for a human's decision. */
  since: string;
  /** The account that posts; null before the first post. */
  me: { id: number; login: string } | null;
  /** The posted comments, by key. */
  posts: Record<string, Posted>;
  /**
   * The labels that this workspace added, by the number of the issue on GitHub; issues without such labels are absent.
   */
  labels?: Record<string, string[]>;
  /** Edits that GitHub refuses, by the `uid` of their issue. */
  edits?: Record<string, ParkedEdit>;
  /**
   * Time of the last attempt to create an issue on GitHub, ISO-8601, UTC, by `uid`; removed once the issue exists
   * there.
   */
  making?: Record<string, string>;
  /** The latest known shape of the repository. */
  shape?: RepositoryShape;
  /** Time until which GitHub refuses requests, ISO-8601, UTC; null if it named none. */
  notBefore: string | null;
  /** Why and when the last attempt stopped; null if it succeeded. */
  failed: { at: string; why: string } | null;
}

/** An edit that GitHub refuses. A different edit of the same issue is still tried. */
export interface ParkedEdit {
  /** The edit, as JSON. */
  what: string;
  /** The reason, in one sentence. */
  why: string;
}

export interface OutboxOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** Such as `github.com/acme/shop`. */
  target: string;
  /** The id of this state. */
  birth: string;
  /** The logins that an open question mentions. */
  deciders: readonly string[];
}

/** Options of {@linkcode Outbox.flush}. */
export interface FlushHow {
  /** Whether to post only entries without an earlier attempt, and never to wait. */
  isBrief?: boolean;
  signal?: AbortSignal;
  /** Called with the number of comments posted so far, and the number of all. */
  onProgress?: (posted: number, of: number) => void;
}

/** Maximum attempts for a comment without an answer, in one flush. */
const MAX_TRIES = 5;

/** Statuses with which GitHub refuses one comment for good. */
const PARKED: readonly number[] = [404, 410, 422];

export class Outbox {
  readonly #options: OutboxOptions;
  /** The path of the repository in the API. */
  readonly path: string;
  readonly #file: JsonFile<OutboxState>;

  constructor(options: OutboxOptions) {
    const { root, target } = options;
    this.#options = options;
    this.path = `/repos/${target.slice(target.indexOf("/") + 1)}`;
    this.#file = new JsonFile(`${root}/.agentx/state/github-outbox.json`, new FileLockManager(), {
      problemWith: (value) =>
        isObject(value) && value.v === 1 && isObject(value.posts)
          ? undefined
          : "it is not of this version",
      kind: "state",
    });
  }

  /** Returns the stored state; undefined before GitHub mode was turned on. Throws `CORRUPT_STATE`. */
  state(): OutboxState | undefined {
    return this.#file.read();
  }

  /**
   * Starts over: parked posts are tried again, and new entries count from now. Comments on GitHub stay. Throws
   * `CORRUPT_STATE`, `IO_ERROR`.
   */
  async begin(): Promise<void> {
    const { target } = this.#options;
    await this.#note((state) => {
      if (state.target !== target) {
        Object.assign(state, { target, posts: {}, labels: {}, making: {}, me: null });
      }
      state.edits = {};
      delete state.shape;
      for (const post of Object.values(state.posts)) post.parked = null; // a parked post is tried again
      state.since = isoTime(sys.now());
    });
  }

  /**
   * Returns the comments that wait, each with the number of its issue on GitHub. Posts without such an issue are left
   * out.
   */
  pending(posts: readonly Post[], numberOf: (issue: number) => number | undefined): WaitingPost[] {
    const state = this.state() ?? this.#empty();
    const isWanted = new Set<string>();
    return posts.flatMap((post) => {
      const before = state.posts[post.key];
      const first = post.key.slice(0, post.key.indexOf("/"));
      const isDue = before !== undefined || post.waits === "decision" ||
        post.at >= state.since && (!post.isEnd || isWanted.has(first));
      const number = before?.issue ?? numberOf(post.issue);
      if (!isDue || number === undefined) return [];
      isWanted.add(first);
      if (before?.comment != null || before?.parked != null) return [];
      return [{ post, number, isFresh: before === undefined && post.at >= state.since }];
    });
  }

  /**
   * Posts the waiting entries, in order on each issue. Throws `SYNC_ERROR` if nothing can be posted now,
   * `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`.
   *
   * @returns the keys of the posted entries
   */
  async flush(
    waiting: readonly WaitingPost[],
    client: GitHubClient,
    how: FlushHow,
  ): Promise<string[]> {
    const posted: string[] = [];
    const stopped = new Map<number, string>();
    await this.during(client, async () => {
      for (const each of waiting) {
        if (stopped.has(each.number)) continue;
        const { why, isPosted } = await this.#post(each, client, how);
        if (isPosted) posted.push(each.post.key);
        if (why !== undefined) stopped.set(each.number, why);
        how.onProgress?.(posted.length, waiting.length);
      }
      return [...stopped.values()][0];
    });
    return posted;
  }

  /**
   * Runs work that sends something, unless GitHub refuses requests for now. Stores why the work failed; the work may
   * return the reason as a sentence. Throws the errors of {@linkcode Outbox.flush}.
   */
  async during(client: GitHubClient, work: () => Promise<string | undefined>): Promise<void> {
    const { notBefore } = this.state() ?? this.#empty();
    let failed: string | undefined;
    try {
      if (notBefore !== null && Date.parse(notBefore) > sys.now()) {
        throw rateLimited(this.#options.target, notBefore);
      }
      failed = await work();
    } catch (error) {
      failed = error instanceof AgentxError ? error.summary : "it was interrupted";
      throw error;
    } finally {
      await this.#note((state) => {
        state.failed = failed === undefined ? null : { at: isoTime(sys.now()), why: failed };
        state.notBefore = client.notBefore;
      });
    }
  }

  parkedEdit(uid: string): ParkedEdit | undefined {
    const { edits = {} } = this.state() ?? {};
    return Object.hasOwn(edits, uid) ? edits[uid] : undefined;
  }

  /** Returns the shape of the repository; asks GitHub for it at most once a day. Throws `SYNC_ERROR`. */
  async shape(client: GitHubClient): Promise<RepositoryShape> {
    const known = this.state()?.shape;
    if (known !== undefined && sys.now() - Date.parse(known.at) < DAY_MS) return known;
    const shape = { at: isoTime(sys.now()), ...await askShape(client, this.path) };
    await this.#note((state) => {
      state.shape = shape;
    });
    return shape;
  }

  /** Notes that an issue is about to be created on GitHub, or has been created. */
  async noteMaking(uid: string, { isThere }: { isThere: boolean }): Promise<void> {
    await this.#note((state) => {
      const { [uid]: _before, ...others } = state.making ?? {};
      state.making = isThere ? others : { ...others, [uid]: isoTime(sys.now()) };
    });
  }

  async parkEdit(uid: string, parked: ParkedEdit): Promise<void> {
    await this.#note((state) => {
      state.edits = { ...state.edits, [uid]: parked };
    });
  }

  /** Posts one comment, or parks it; or returns a sentence that says why its issue has to wait. */
  async #post(
    { post, number, isFresh }: WaitingPost,
    client: GitHubClient,
    { isBrief = false, signal }: FlushHow,
  ): Promise<{ isPosted?: boolean; why?: string }> {
    const { target, birth, deciders } = this.#options;
    const host = target.slice(0, target.indexOf("/"));
    const [title, text] = await withoutSecrets([post.title, post.text]);
    const body = await commentOf({ ...post, title, text }, { birth, deciders });
    const path = `${this.path}/issues/${number}/comments`;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (!isFresh || tries > 0) {
        if (isBrief) return { why: "an attempt had no answer: agentx sync looks for it" };
        const last = this.state()?.posts[post.key]?.tried;
        if (last != null) await waitToSettle(last, signal);
        const found = await this.#find(path, post.key, client);
        if (found !== undefined) {
          await this.#done(post.key, number, found);
          return { isPosted: true };
        }
      }
      for (let waitMs; (waitMs = await takePost(host)) > 0;) {
        if (isBrief) return { why: "GitHub takes no more posts now" };
        await sys.wait(waitMs, signal);
      }
      const tried = isoTime(sys.now());
      await this.#note((state) => {
        state.posts[post.key] = { issue: number, comment: null, tried, parked: null };
      });
      const sent = await client.send("POST", path, { body });
      if (sent === "unclear") continue;
      if (sent.status === 201) {
        await this.#done(post.key, number, sent.body);
        return { isPosted: true };
      }
      const why = `#${number} on GitHub refuses ${post.key}: ${whyRefused(sent)}`;
      if (!PARKED.includes(sent.status)) return { why };
      await this.#note((state) => {
        state.posts[post.key].parked = why;
      });
      return {};
    }
    return { why: "GitHub gives no whole answer" };
  }

  async #find(path: string, key: string, client: GitHubClient): Promise<JsonObject | undefined> {
    const { items } = await client.list(`${path}?per_page=100`, { emptyOn: [404, 410] });
    for (const item of items) {
      if (await keyOf(stringOf(item.body) ?? "", this.#options.birth) === key) return item;
    }
    return undefined;
  }

  async #done(key: string, issue: number, { id, user }: JsonObject): Promise<void> {
    const { id: userId, login } = objectOf(user);
    await this.#note((state) => {
      const tried = state.posts[key]?.tried ?? null;
      state.posts[key] = { issue, comment: Number(id), tried, parked: null };
      state.me = { id: Number(userId), login: String(login) };
    });
  }

  /** Returns the numbers of the issues that have labels of this workspace. */
  labelled(): number[] {
    return Object.keys(this.state()?.labels ?? {}).map(Number);
  }

  labelsOf(issue: number): string[] {
    return this.state()?.labels?.[issue] ?? [];
  }

  async noteLabels(issue: number, labels: readonly string[]): Promise<void> {
    await this.#note((state) => {
      const { [issue]: _before, ...others } = state.labels ?? {};
      const own = [...new Set(labels)];
      state.labels = own.length === 0 ? others : { ...others, [issue]: own };
    });
  }

  /**
   * Records comments of this workspace that a read has seen. They may come from an attempt without an answer. A second
   * copy of a comment is deleted.
   */
  async sweep(seen: readonly SeenPost[], client: GitHubClient): Promise<void> {
    for (const { key, comment, user, issue } of seen) {
      const { posts = {}, me } = this.state() ?? {};
      const known = Object.hasOwn(posts, key) ? posts[key] : undefined;
      if (known?.comment === comment) continue;
      if (known?.comment == null) {
        await this.#done(key, issue, { id: comment, user });
      } else if (me?.id === objectOf(user).id) {
        await client.send("DELETE", `${this.path}/issues/comments/${comment}`);
      }
    }
  }

  #empty(): OutboxState {
    return {
      ...{ v: 1, target: this.#options.target, since: isoTime(sys.now()), me: null, posts: {} },
      ...{ notBefore: null, failed: null },
    };
  }

  async #note(change: (state: OutboxState) => void): Promise<void> {
    await this.#file.update("github", (state = this.#empty()) => {
      change(state);
      return state;
    });
  }
}

/** A comment that waits to be posted. */
export interface WaitingPost {
  post: Post;
  /** The number of its issue on GitHub. */
  number: number;
  /** Whether the comment was never tried, so it cannot be on GitHub yet. */
  isFresh: boolean;
}

/** A comment of this workspace, as a read saw it. */
export interface SeenPost {
  key: string;
  comment: number;
  /** The number of its issue on GitHub. */
  issue: number;
  /** The account that posted it, as GitHub describes it. */
  user: unknown;
}
