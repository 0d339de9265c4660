// Which of the waiting entries a session must be given now. Loaded only if something waits.

import type { ClarificationRecord } from "../clarify/schema.ts";
import type { Seen, Waiting } from "./delivery.ts";
import type { Identity } from "./identity.ts";
import type { Outgoing } from "./section.ts";
import type { SessionFile, SessionFiles } from "./session_files.ts";

/** The parts that a delivery needs. */
export interface DeliveryParts {
  files: SessionFiles;
  /** Whether a clarification came with the repository: such a one is not delivered. */
  isForeign: (record: ClarificationRecord) => Promise<boolean>;
  /** Whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone: (session: string) => Promise<boolean>;
}

/** How long an entry that was offered to one session is kept from others. */
const OTHERS_MS = 10 * 60_000;

/** Picks the entries to deliver, from those that wait for the session and that it has not seen. */
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
    // If no session is named, the first one of the role gets it.
    if (!isOwn && isWithAnother(each.id, who.session, { seen, files: parts.files })) continue;
    const mark = known === undefined || known.isPrinted ? newMark() : known.mark;
    const isRepeated = known !== undefined && known.offers.length > 0;
    entries.push({ ...each, mark, isRepeated });
  }
  return entries;
}

/** Whether another session was shown an entry, or is about to be. */
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

/** A mark that occurs only in the offer that is made now. */
export function newMark(): string {
  return Math.random().toString(36).slice(2, 8).padEnd(6, "0");
}
