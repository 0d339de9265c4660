/**
 * What becomes of the files of sessions in the long run: they follow issues that got another number, and go
 * once their session is long over.
 *
 * @module
 */

import type { ClarificationRecord } from "../../clarify/schema.ts";
import { sys } from "../../sys/mod.ts";
import { DAY_MS } from "../../time.ts";
import { hasEnded, type SessionFile, type SessionFiles } from "./session_files.ts";

/** A session that has ended may be resumed for so long, and hears nothing twice. */
const ENDED_MS = 7 * DAY_MS;

/** One that never said that it ended. */
const SILENT_MS = 30 * DAY_MS;

/** Where issues and clarifications are now. */
export interface Moved {
  /** The number that each issue has, by its `uid`. */
  numbers: ReadonlyMap<string, number>;
  /** All clarifications. */
  clarifications: readonly ClarificationRecord[];
}

/**
 * @param files those of all sessions
 * @param moved where issues and clarifications are now
 * @returns how many files have changed
 * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function renumberSessions(files: SessionFiles, moved: Moved): Promise<number> {
  const ids = new Map(
    moved.clarifications.flatMap(({ id, formerIds = [] }) =>
      formerIds.map((former) => [former, id] as const)
    ),
  );
  const own = new Set(moved.clarifications.map(({ id }) => id));
  let count = 0;
  for (const { key, file } of files.all()) {
    if (!renumber(structuredClone(file), moved, { ids, own })) continue;
    await files.update(key, (file) => void renumber(file, moved, { ids, own }));
    count++;
  }
  return count;
}

/** A former id that another clarification has by now stays: whose it was cannot be told. */
function renumber(
  file: SessionFile,
  { numbers }: Moved,
  { ids, own }: { ids: ReadonlyMap<string, string>; own: ReadonlySet<string> },
): boolean {
  const issue = file.issueUid === undefined ? undefined : numbers.get(file.issueUid);
  let isChanged = false;
  if (issue !== undefined && issue !== file.issue) {
    file.issue = issue;
    isChanged = true;
  }
  for (const delivery of file.deliveries) {
    const [clarification, entry] = delivery.id.split(".");
    const id = own.has(clarification) ? undefined : ids.get(clarification);
    if (id === undefined) continue;
    delivery.id = `${id}.${entry}`;
    isChanged = true;
  }
  return isChanged;
}

/**
 * Removes the files of sessions that are long over.
 *
 * @param files those of all sessions
 * @throws {AgentxError} `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function pruneSessions(files: SessionFiles): Promise<void> {
  const nowMs = sys.now();
  const isOver = (file: SessionFile, modifiedMs: number) =>
    nowMs - modifiedMs > (hasEnded(file) ? ENDED_MS : SILENT_MS);
  await files.removeWhere(isOver);
}
