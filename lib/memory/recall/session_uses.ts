/**
 * What recalls were worth to the latest sessions: local state, as the counts of recalls are.
 *
 * @module
 */

import { isObject } from "../../checks.ts";
import { JsonFile } from "../../lock/json_file.ts";
import type { FileLockManager } from "../../lock/mod.ts";
import type { SessionUse } from "./displacement.ts";

interface UsesFile {
  version: 1;
  sessions: SessionUse[];
}

/** Older ones are dropped. */
const MAX_SESSIONS = 1_000;

/** Owner of `.agentx/state/memory-uses.json`. */
export class SessionUses {
  readonly #file: JsonFile<UsesFile>;

  /**
   * Names the file, which need not exist.
   *
   * @param path the file
   * @param locks of this process
   */
  constructor(path: string, locks: FileLockManager) {
    this.#file = new JsonFile<UsesFile>(path, locks, { problemWith, fsync: false, kind: "state" });
  }

  /**
   * Lists the sessions.
   *
   * @returns the latest thousand, the oldest first
   * @throws {AgentxError} `CORRUPT_STATE`, `IO_ERROR`
   */
  read(): SessionUse[] {
    return this.#file.read()?.sessions ?? [];
  }

  /**
   * Notes a session, in the place of what was noted of it before.
   *
   * @param use figures of the session
   * @throws {AgentxError} `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
   */
  async note(use: SessionUse): Promise<void> {
    await this.#file.update("memory", (file = { version: 1, sessions: [] }) => {
      const others = file.sessions.filter(({ sessionId }) => sessionId !== use.sessionId);
      file.sessions = [...others, use].slice(-MAX_SESSIONS);
      return file;
    });
  }
}

function problemWith(value: unknown): string | undefined {
  const { version, sessions } = (value ?? {}) as Partial<UsesFile>;
  if (version !== 1) return `version must be 1, not ${JSON.stringify(version)}`;
  return Array.isArray(sessions) && sessions.every(isUse) ? undefined : "sessions must be a list";
}

function isUse(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { sessionId, timestamp, recalled, recalledTokens, used, displacedTokens } = value;
  return typeof sessionId === "string" && typeof timestamp === "string" &&
    [recalled, recalledTokens, used, displacedTokens].every(Number.isSafeInteger);
}
