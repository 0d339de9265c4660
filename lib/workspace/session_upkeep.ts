// Maintains the files of sessions: they follow issues that were renumbered, and are removed once
// their session is long over.

import type { ClarificationRecord } from "../clarify/schema.ts";
import { sys } from "../sys/mod.ts";
import { DAY_MS } from "../base/time.ts";
import { hasEnded, type SessionFile, type SessionFiles } from "../hooks/session_files.ts";

/** A session that has ended may be resumed for this long, and gets nothing twice. */
const ENDED_MS = 7 * DAY_MS;

/** The same for a session without a reported end. */
const SILENT_MS = 30 * DAY_MS;

/** The numbers that issues and clarifications have now. */
export interface Moved {
  numbers: ReadonlyMap<string, number>;
  clarifications: readonly ClarificationRecord[];
}

/** How many files were changed. */
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

/** A former id that another clarification has by now stays: it is unknown which one was meant. */
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

/** Removes the files of sessions that are long over. Throws `LOCK_TIMEOUT`, `IO_ERROR`. */
export async function pruneSessions(files: SessionFiles): Promise<void> {
  const nowMs = sys.now();
  const isOver = (file: SessionFile, modifiedMs: number) =>
    nowMs - modifiedMs > (hasEnded(file) ? ENDED_MS : SILENT_MS);
  await files.removeWhere(isOver);
}
