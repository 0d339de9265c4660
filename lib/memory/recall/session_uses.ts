// Records how useful recalls were to the latest sessions. This is local state, as the counts of recalls are.

import { isObject } from "../../base/checks.ts";
import { JsonList } from "../../lock/json_list.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import { sys } from "../../sys/mod.ts";
import type { Transcript } from "../../transcripts/transcript.ts";
import type { SourceTree } from "../anchors/anchors.ts";
import { type Observation, shortIdOf } from "../schema.ts";
import type { SessionUse } from "./displacement.ts";

/** Maximum number of observations to read from a session; further ones are ignored. */
const MAX_RECALLED = 500;

/** Maximum number of sessions to keep; older ones are dropped. */
const MAX_SESSIONS = 1_000;

/** Owner of `.agentx/state/memory-uses.json`. */
export class SessionUses {
  readonly #sessions: JsonList<SessionUse>;

  /** Stores the path; the file need not exist. */
  constructor(path: string, locks: FileLockManager) {
    const options = { key: "sessions", isItem: isUse, max: MAX_SESSIONS, fsync: false };
    this.#sessions = new JsonList(path, locks, options);
  }

  /**
   * Lists the sessions.
   *
   * @returns the latest thousand, the oldest first
   * @throws {AgentxError} `CORRUPT_STATE`, `IO_ERROR`
   */
  read(): SessionUse[] {
    return this.#sessions.read();
  }

  /**
   * Records a session; replaces its earlier record.
   *
   * @throws {AgentxError} `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async note(use: SessionUse): Promise<void> {
    await this.#sessions.update("memory", (sessions) => [
      ...sessions.filter(({ sessionId }) => sessionId !== use.sessionId),
      use,
    ]);
  }

  /**
   * Records how useful a recall was to a captured session; records nothing if the session had no recall.
   *
   * @param known returns the recalled observations, and the files that need not be read again
   * @throws {AgentxError} `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async noteSession(
    transcript: Transcript,
    session: Pick<SessionUse, "sessionId" | "agent" | "issueNumber">,
    { getByIssue, treeOf }: {
      getByIssue: (issue: number) => Promise<Observation[]>;
      treeOf: (use: "recall") => SourceTree | undefined | Promise<SourceTree | undefined>;
    },
  ): Promise<void> {
    const { displacementOf, recalledIn } = await import("./displacement.ts");
    const names = recalledIn(transcript).slice(0, MAX_RECALLED);
    const keyOf = (issue: number, shortId: string) => `${issue} ${shortId}`;
    const keys = new Set(names.map(({ issueNumber, shortId }) => keyOf(issueNumber, shortId)));
    const issues = new Set(names.map(({ issueNumber }) => issueNumber));
    const read = await Promise.all(Array.from(issues, (issue) => getByIssue(issue)));
    const given = read.flat().filter(({ id, issueNumber }) =>
      keys.has(keyOf(issueNumber, shortIdOf(id)))
    );
    if (given.length === 0) return;
    const tree = await treeOf("recall");
    const figures = displacementOf(transcript, given, (path) => tree?.read(path));
    await this.note({ ...session, timestamp: new Date(sys.now()).toISOString(), ...figures });
  }
}

function isUse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { sessionId, timestamp, recalled, recalledTokens, used, displacedTokens } = value;
  return typeof sessionId === "string" && typeof timestamp === "string" &&
    [recalled, recalledTokens, used, displacedTokens].every(Number.isSafeInteger);
}
