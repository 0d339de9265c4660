// The digest of a week: its closed issues, questions and assumptions (PRD US-7.1, DESIGN section 4). This module
// owns `.agentx/digests/`, and only reads all other files. Files that cannot be read are left out and listed as
// problems.

import { AgentxError } from "../../base/errors.ts";
import type { Assumption } from "../../gate/assumption.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { commitFile } from "../../lock/commit.ts";
import type { LockHandle } from "../../lock/held_lock.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { factsWithin } from "./facts.ts";
import { type Digest, figuresOf } from "./figures.ts";
import type { FactsRead } from "./read_facts.ts";
import { formatIsoWeek, type IsoWeek, weekBounds } from "./iso_week.ts";
import { digestMarkdown } from "./markdown.ts";

/** A digest, and the problems of the files that it lacks. */
export interface CollectedDigest {
  /** The digest, without the data that could not be read. */
  digest: Digest;
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

/** Options of {@linkcode DigestStore}. */
export interface DigestStoreOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The locks of this process. */
  locks: FileLockManager;
  /** The facts since a time, in milliseconds. */
  facts: (sinceMs: number) => Promise<FactsRead>;
  /** The assumptions, the oldest first. */
  assumptions: () => Promise<Assumption[]>;
}

/** Makes and keeps the digests of a workspace. */
export class DigestStore {
  readonly #options: DigestStoreOptions;

  constructor(options: DigestStoreOptions) {
    this.#options = options;
  }

  /** Collects the events of a week. The week may still be running. */
  async collect(week: IsoWeek): Promise<CollectedDigest> {
    const { startMs, endMs } = weekBounds(week);
    const { facts: since, problems } = await this.#options.facts(startMs);
    const facts = factsWithin(since, startMs, endMs);
    const digest: Digest = {
      ...week,
      from: dayOf(startMs),
      to: dayOf(endMs - DAY_MS),
      ...figuresOf(facts),
      closedIssues: [...facts.closed],
      assumptions: (await this.#assumptions(problems)).filter(({ created }) =>
        Date.parse(created) >= startMs && Date.parse(created) < endMs
      ),
    };
    return { digest, problems };
  }

  /**
   * Writes a digest and replaces an earlier one of the same week. Secrets are redacted, because people may have
   * written the titles of issues by hand.
   *
   * @param digest made by {@linkcode DigestStore.collect}
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async write(digest: Digest): Promise<string> {
    const folder = `${this.#options.root}/.agentx/digests`;
    const path = `${folder}/DIGEST-${formatIsoWeek(digest)}.md`;
    sys.makeDir(folder);
    // A digest can be made again, so git ignores the folder unless a user changes this file.
    const ignore = `${folder}/.gitignore`;
    if (sys.lstat(ignore) === undefined) sys.writeNewFile(ignore, "*\n", { fsync: false });
    const text = digestMarkdown(await withoutSecrets(digest));
    const write = (lock: LockHandle) => commitFile(lock, path, text, { fsync: false });
    await this.#options.locks.withSafeLock(path, "digest", write);
    return path;
  }

  async #assumptions(problems: AgentxError[]): Promise<Assumption[]> {
    try {
      return await this.#options.assumptions();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return [];
    }
  }
}
