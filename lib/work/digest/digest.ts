/**
 * The digest of a week: what was closed, asked and assumed (PRD US-7.1, DESIGN section 4). Owner of
 * `.agentx/digests/`; everything else it only reads, and a file that cannot be read is left out and
 * told of.
 *
 * @module
 */

import type { ClarificationLedger } from "../../clarify/ledger.ts";
import { clarificationStats } from "../../clarify/stats.ts";
import { AgentxError } from "../../base/errors.ts";
import { cameWithRepository } from "../../gate/refusals.ts";
import { type FileLockManager, JsonFile } from "../../lock/mod.ts";
import { commitFile } from "../../lock/commit.ts";
import type { LockHandle } from "../../lock/held_lock.ts";
import { type SessionUse, summariseUses } from "../../memory/recall/displacement.ts";
import { SessionUses } from "../../memory/recall/session_uses.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { DAY_MS, dayOf } from "../../base/time.ts";
import { timesOf } from "../issue/history.ts";
import type { IssueStore } from "../issue/issue_store.ts";
import { boundsOf, formatIsoWeek, type IsoWeek } from "./iso_week.ts";
import { digestMarkdown } from "./markdown.ts";
import type { Assumption, ClosedIssue, Digest } from "./schema.ts";

/** A digest, and what is missing in it. */
export interface CollectedDigest {
  /** Without what could not be read. */
  digest: Digest;
  /** One `CORRUPT_STATE` or `IO_ERROR` per file that was left out. */
  problems: AgentxError[];
}

/** Options of {@linkcode DigestStore}. */
export interface DigestStoreOptions {
  /** The folder `.agentx`. */
  home: string;
  /** The clarifications. */
  ledger: ClarificationLedger;
  /** The issues. */
  issues: IssueStore;
  /** The locks of this process. */
  locks: FileLockManager;
  /**
   * Tells whether git tracks a file: then it came with the repository, and nothing in it was assumed here.
   */
  isTracked?: (path: string) => boolean;
}

/** Makes and keeps the digests of a workspace. */
export class DigestStore {
  readonly #options: DigestStoreOptions;

  /** Names the sources; nothing is read yet. */
  constructor(options: DigestStoreOptions) {
    this.#options = options;
  }

  /**
   * Collects what happened in a week.
   *
   * @param week a week, which may not be over yet
   * @returns the digest, and the files that could not be read
   */
  collect(week: IsoWeek): CollectedDigest {
    const { startMs, endMs } = boundsOf(week);
    const isInWeek = (time: string) => Date.parse(time) >= startMs && Date.parse(time) < endMs;
    const { clarifications: records, problems } = this.#options.ledger.scan();
    const { byNumber, problems: issueProblems } = this.#options.issues.view();
    const closedIssues = Array.from(byNumber.values()).flatMap((known): ClosedIssue[] => {
      const { number, title } = known.issue;
      const { closed, cycleMs, statusMs } = timesOf(known);
      if (closed === null || !isInWeek(closed)) return [];
      return [{ number, title, closed, cycleMs, statusMs }];
    });
    problems.push(...issueProblems);
    const digest: Digest = {
      ...week,
      from: dayOf(startMs),
      to: dayOf(endMs - DAY_MS),
      closedIssues,
      clarifications: clarificationStats(records.filter(({ created }) => isInWeek(created))),
      assumptions: this.#assumptions(problems).filter(({ created }) => isInWeek(created)),
      memory: summariseUses(this.#uses(problems).filter(({ timestamp }) => isInWeek(timestamp))),
    };
    return { digest, problems };
  }

  /**
   * Writes a digest, in the place of an earlier one of the same week. The secrets of what it quotes are
   * cut: titles of issues may be written by hand.
   *
   * @param digest made by {@linkcode DigestStore.collect}
   * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
   */
  async write(digest: Digest): Promise<string> {
    const folder = `${this.#options.home}/digests`;
    const path = `${folder}/DIGEST-${formatIsoWeek(digest)}.md`;
    sys.makeDir(folder);
    // It follows from what is there: unless a user changes this, git ignores it.
    const ignore = `${folder}/.gitignore`;
    if (sys.lstat(ignore) === undefined) sys.writeNewFile(ignore, "*\n", { fsync: false });
    const text = digestMarkdown(await withoutSecrets(digest));
    const write = (lock: LockHandle) => commitFile(lock, path, text, { fsync: false });
    await this.#options.locks.withSafeLock(path, "digest", write);
    return path;
  }

  /** A list, or the key `assumptions_made` of the original. */
  #assumptions(problems: AgentxError[]): Assumption[] {
    const { home, isTracked = () => false } = this.#options;
    const path = `${home}/state/assumptions.json`;
    const file = this.#read(path, problems);
    if (file !== undefined && isTracked(path)) {
      problems.push(cameWithRepository(path));
      return [];
    }
    const list = Array.isArray(file) ? file : file?.assumptions ?? file?.assumptions_made;
    const assumptions = (Array.isArray(list) ? list : []).map((entry): Assumption => ({
      decision: textIn(entry, "decision") ?? "",
      created: textIn(entry, "created") ?? "",
      agent: textIn(entry, "agent"),
      issue: Number.isSafeInteger(entry?.issue) ? entry.issue : null,
      confidence: textIn(entry, "confidence"),
      riskIfWrong: textIn(entry, "risk_if_wrong"),
      status: textIn(entry, "status"),
    }));
    return assumptions.sort((a, b) => Date.parse(a.created) - Date.parse(b.created));
  }

  #uses(problems: AgentxError[]): SessionUse[] {
    const { home, locks } = this.#options;
    try {
      return new SessionUses(`${home}/state/memory-uses.json`, locks).read();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return [];
    }
  }

  // deno-lint-ignore no-explicit-any -- it belongs to others: each key is looked at where it is used
  #read(path: string, problems: AgentxError[]): any {
    try {
      return new JsonFile(path, this.#options.locks, { kind: "state" }).read();
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push(error);
      return undefined;
    }
  }
}

function textIn(value: Record<string, unknown> | null | undefined, key: string): string | null {
  const text = value?.[key];
  return typeof text === "string" ? text : null;
}
