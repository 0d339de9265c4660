/**
 * What of all that waits for a session is to be told to it now: loaded only where something waits.
 *
 * @module
 */

import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { Seen, Waiting } from "./delivery.ts";
import type { Identity } from "./identity.ts";
import type { Told } from "./section.ts";
import type { SessionFile, SessionFiles } from "./session_files.ts";

/** What decides it. */
export interface DueParts {
  files: SessionFiles;
  /** Tells whether a clarification came with the repository: it is not told. */
  isForeign: (record: ClarificationRecord) => Promise<boolean>;
  /** Tells whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone: (session: string) => Promise<boolean>;
  /** Tells whether a process is running the target of a clarification. */
  isRunning: (id: string) => Promise<boolean>;
}

/** What another session was offered is its own for so long. */
const OTHERS_MS = 10 * 60_000;

/**
 * @param waiting for the session, and not shown to it
 * @param of whom, what is known of the session, what can be seen, and what else decides it
 * @returns what is to be told
 */
export async function toTell(
  waiting: readonly Waiting[],
  { who, before, seen, parts }: {
    who: Identity;
    before: SessionFile | undefined;
    seen: Seen;
    parts: DueParts;
  },
): Promise<Told[]> {
  const told: Told[] = [];
  for (const each of waiting) {
    const known = before?.deliveries.find(({ id }) => id === each.id);
    if (await parts.isForeign(each.record)) continue;
    if (each.isInherited && !await parts.isGone(each.receiver)) continue;
    if (each.kind === "question" && await parts.isRunning(each.record.id)) continue;
    const isOwn = known !== undefined || each.receiver.endsWith(`@${who.worker}`);
    // Where no session is named, the first one of the role is told.
    if (!isOwn && isWithAnother(each.id, who.session, { seen, files: parts.files })) continue;
    const mark = known === undefined || known.isPrinted ? newMark() : known.mark;
    const isRepeated = known !== undefined && known.offers.length > 0;
    told.push({ ...each, mark, isRepeated });
  }
  return told;
}

/**
 * @param id of an entry
 * @param session that is left out
 * @param how what can be seen, and what is known of sessions
 * @returns whether another session was shown it, or is about to be
 */
export function isWithAnother(
  id: string,
  session: string | undefined,
  { seen, files }: { seen: Seen; files: SessionFiles },
): boolean {
  return files.readAll().filter((file) => file.session !== session)
    .flatMap(({ deliveries }) => deliveries.filter((delivery) => delivery.id === id))
    .some(({ shownAt, offers, wokenAt }) =>
      shownAt !== null ||
      seen.nowMs - Date.parse(offers.at(-1)?.at ?? wokenAt ?? "") < OTHERS_MS
    );
}

/** @returns what stands in nothing else than in what is put out now */
export function newMark(): string {
  return Math.random().toString(36).slice(2, 8).padEnd(6, "0");
}
