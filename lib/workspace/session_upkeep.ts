// Maintains session files: updates the numbers of renumbered issues, and removes files of sessions that ended long
// ago.

import type { ClarificationRecord } from "../clarify/schema.ts";
import { sys } from "../sys/mod.ts";
import { DAY_MS } from "../base/time.ts";
import { hasEnded, type SessionFile, type SessionFiles } from "../hooks/session_files.ts";

/** How long the file of an ended session is kept, so that a resumed session gets no delivery twice. */
const ENDED_MS = 7 * DAY_MS;

/** How long the file of a session is kept if its end was never reported. */
const SILENT_MS = 30 * DAY_MS;

/** The current numbers of issues, by uid, and the current clarifications. */
export interface Moved {
  numbers: ReadonlyMap<string, number>;
  clarifications: readonly ClarificationRecord[];
}

/** Updates the session files after issues were renumbered, and returns the number of changed files. */
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

/**
 * Updates one file in place, and returns whether it changed. A former id that another clarification now has stays,
 * because it is unclear which of the two was meant.
 */
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

/** Removes the files of sessions that ended long ago. Throws `LOCK_TIMEOUT`, `IO_ERROR`. */
export async function pruneSessions(files: SessionFiles): Promise<void> {
  const nowMs = sys.now();
  const isOver = (file: SessionFile, modifiedMs: number) =>
    nowMs - modifiedMs > (hasEnded(file) ? ENDED_MS : SILENT_MS);
  await files.removeWhere(isOver);
}
