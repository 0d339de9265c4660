// Selects the waiting entries that a session must be given now. Loaded only if an entry waits.

import type { ClarificationRecord } from "../clarify/schema.ts";
import type { Seen, Waiting } from "./delivery.ts";
import type { Identity } from "./identity.ts";
import type { Outgoing } from "./section.ts";
import type { SessionFile, SessionFiles } from "./session_files.ts";

export interface DeliveryParts {
  files: SessionFiles;
  /** Whether a clarification came with the repository. Such a clarification is not delivered. */
  isForeign: (record: ClarificationRecord) => Promise<boolean>;
  /** Whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone: (session: string) => Promise<boolean>;
}

/** For this long, an entry that was offered to one session is not offered to other sessions. */
const OTHERS_MS = 10 * 60_000;

/** Selects the entries to deliver from those that wait for the session and that it has not seen. */
export async function undelivered(
  waiting: readonly Waiting[],
  { who, before, seen, parts }: {
    who: Identity;
    before: SessionFile | undefined;
    seen: Seen;
    parts: DeliveryParts;
  },
): Promise<Outgoing[]> {
  const entries: Outgoing[] = [];
  for (const each of waiting) {
    const known = before?.deliveries.find(({ id }) => id === each.id);
    if (await parts.isForeign(each.record)) continue;
    if (each.isInherited && !await parts.isGone(each.receiver)) continue;
    const isOwn = known !== undefined || each.receiver.endsWith(`@${who.worker}`);
    // If no session is named, the first session of the role gets the entry.
    if (!isOwn && isWithAnother(each.id, who.session, { seen, files: parts.files })) continue;
    const mark = known === undefined || known.isPrinted ? newMark() : known.mark;
    const isRepeated = known !== undefined && known.offers.length > 0;
    entries.push({ ...each, mark, isRepeated });
  }
  return entries;
}

/** Whether an entry was shown to another session, or was offered to it recently. */
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

/** Returns a mark that occurs only in the present offer. */
export function newMark(): string {
  return Math.random().toString(36).slice(2, 8).padEnd(6, "0");
}
