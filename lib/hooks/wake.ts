// Wakes a session that has ended, so that it reads the answers that arrived after its end.
//
// A session is run only after its host has reported its end, because none of its tools runs then. Other sessions get
// answers from their own hooks. At most one run per session is under way. It is recorded under the lock of the
// session's file before it begins, and counts as given up once its processes have ended or its time is over. After
// the recording, the entries are checked again. Those that are still unread are recorded as offered before the run
// gets them. The session's recording, or its reply, proves the delivery.

import { roleOf } from "../base/agent_names.ts";
import type { AgentCall } from "../agents/agent_call.ts";
import { isStillRunning } from "../agents/leftovers.ts";
import { type ClarificationRecord, parseClarificationId } from "../clarify/schema.ts";
import { AgentxError } from "../base/errors.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { needsDelivery, prove, type Seen, type Waiting, waitingFor } from "./delivery.ts";
import { type DeliveryParts, isWithAnother, newMark, undelivered } from "./undelivered.ts";
import { MAX_ANSWER, MEASURES } from "../hosts/host.ts";
import type { Identity } from "./identity.ts";
import { seenNow } from "./recording.ts";
import { clarificationSection, type Outgoing, type Section } from "./section.ts";
import { hasEnded, type SessionFile } from "./session_files.ts";

export interface WakeParts extends DeliveryParts {
  /** Returns all clarifications that can be read, as they are now. */
  clarifications: () => ClarificationRecord[];
  identify: (file: SessionFile) => Identity;
  /** Returns why an agent cannot be run in this workspace; undefined if it can. */
  refusalOf: (role: string) => Promise<string | undefined>;
  /** Returns the time limit of an agent's run, in milliseconds. */
  limitMs: (role: string) => number;
  /**
   * Resumes a session, or runs its agent anew if it cannot be resumed. Throws `AGENT_ERROR`,
   * `UNTRUSTED`, `INTERRUPTED`.
   */
  run: (file: SessionFile, call: AgentCall) => Promise<unknown>;
}

export interface WakeReport {
  /** The id that the host gives the session. */
  session: string;
  /** The ids of the entries that wait for the session: `CLR-42-001.2`. */
  ids: string[];
  /**
   * `delivered`: the session was run and replied. `failed`: the run failed. `left`: nothing was run. `pending`: the
   * session would be run if this were not a dry run.
   */
  outcome: "delivered" | "failed" | "left" | "pending";
  /** The reason for `failed` or `left`, without a final period; null otherwise. */
  reason: string | null;
}

/** The reason why a session is not run but left to its hooks. */
export const HAS_NOT_ENDED = "its session has not ended; its hooks will deliver it";

/** A session without an event for this long may have died. */
const SILENT_MS = 30 * 60_000;

/**
 * Returns the reason why a session without an event for half an hour is not run, with advice for a person. A session
 * that is only idle looks the same, and its user would not see a turn that agentx ran. Only a person knows the
 * difference.
 */
export function whySilent({ receiver, record }: Pick<Waiting, "receiver" | "record">): string {
  const { issueNumber } = parseClarificationId(record.id);
  return "its session has had no event for half an hour, and its host has not reported its end. If it has " +
    "ended, resume it to deliver the answer; or start a session that takes over, with: " +
    `agentx here --as ${roleOf(receiver)} --issue ${issueNumber}`;
}

/** Additional time for a run, because its end may be noticed late. */
const MARGIN_MS = 30_000;

/**
 * A recording was written late if the write came this long after the end of the session. If that write is also
 * recent, the session may continue.
 */
const LATE_MS = 30_000;
const LATELY_MS = 10 * 60_000;

/** Wakes a session and returns the outcome; undefined if nothing waits for the session. */
export async function wakeSession(
  file: SessionFile,
  parts: WakeParts,
  { isDryRun = false, signal }: { isDryRun?: boolean; signal?: AbortSignal } = {},
): Promise<WakeReport | undefined> {
  const { session = "" } = file;
  const event = `wake-${newMark()}`;
  const who = parts.identify(file);
  await proveNow(file, event, parts);
  const planned = await unread(session, { who, event, parts });
  if (planned.length === 0) return undefined;
  const report = (
    outcome: WakeReport["outcome"],
    reason: string | null = null,
    entries = planned,
  ) => ({ session, ids: entries.map(({ id }) => id), outcome, reason }) as const;
  const role = roleOf(planned[0].receiver);
  const seen = look(file, event);
  let why = whyNotNow(file, seen) ?? await parts.refusalOf(role);
  if (why === HAS_NOT_ENDED && isSilent(file, seen) && await parts.isGone(planned[0].receiver)) {
    why = whySilent(planned[0]);
  }
  if (why !== undefined) return report("left", why);
  if (isDryRun) return report("pending");

  const wake = begin(event, parts.limitMs(role));
  const woken = await parts.files.update({ session }, (file) => noteWake(file, planned, wake));
  if (woken.wake?.event !== event) {
    const now = whyNotNow(woken, look(file, event));
    return report("left", now ?? "another process has delivered it");
  }
  let entries: Outgoing[] = [];
  let failure: AgentxError | undefined;
  try {
    const section = await offer(session, { who, wake, parts });
    entries = section.entries;
    if (entries.length === 0) return report("left", "it was read meanwhile");
    const agent = planned[0].receiver;
    const before = { runner: file.host ?? "", session };
    await parts.run(woken, {
      agent,
      prompt: promptOf(agent, section.text),
      signal,
      before,
      run: event,
    });
  } catch (error) {
    if (!(error instanceof AgentxError)) throw error;
    failure = error;
  } finally {
    await parts.files.update({ session }, (file) => end(file, event, failure === undefined));
  }
  if (failure === undefined) return report("delivered", null, entries);
  if (failure.code === "AGENT_ERROR" || failure.code === "UNTRUSTED") {
    return report("failed", failure.summary, entries);
  }
  throw failure;
}

function look(file: SessionFile | undefined, event: string): Seen {
  return { ...seenNow(event, file?.transcript ?? undefined), isOver: hasEnded(file) };
}

/** Returns the reason not to run the session now; undefined if it can be run. */
function whyNotNow(file: SessionFile, { recording, nowMs, isAlive }: Seen): string | undefined {
  const { wake } = file;
  if (wake && nowMs < Date.parse(wake.until) && (isAlive(wake) || isStillRunning(wake.event))) {
    return `process ${wake.pid} has been waking it since ${wake.at}`;
  }
  if (!hasEnded(file)) return HAS_NOT_ENDED;
  const endedMs = Date.parse(file.heard.at(-1)!.at);
  const isGoingOn = recording.isThere && recording.modifiedMs - endedMs > LATE_MS &&
    nowMs - recording.modifiedMs < LATELY_MS;
  return isGoingOn ? "its recording has grown since it ended: it may be working again" : undefined;
}

function isSilent({ heard }: SessionFile, { recording, nowMs }: Seen): boolean {
  const heardMs = Date.parse(heard.at(-1)?.at ?? "") || 0;
  return nowMs - Math.max(heardMs, recording.modifiedMs) > SILENT_MS;
}

/** Records the deliveries of a killed run that the recording proves. */
async function proveNow(file: SessionFile, event: string, { files }: WakeParts): Promise<void> {
  const seen = { ...look(file, event), event: null };
  if (!prove(structuredClone(file.deliveries), seen)) return;
  await files.update({ session: file.session! }, (file) => void prove(file.deliveries, seen));
}

/** Returns the answers that neither this session nor a session that took over has seen. */
async function unread(
  session: string,
  { who, event, parts }: { who: Identity; event: string; parts: WakeParts },
): Promise<Outgoing[]> {
  const { files } = parts;
  const before = files.read({ session });
  const seen = look(before, event);
  const waiting = waitingFor(parts.clarifications(), who, seen.nowMs)
    .filter(({ kind }) => kind === "answer")
    .filter(({ id }) => needsDelivery(before?.deliveries.find((known) => known.id === id), seen))
    .filter(({ id }) => !isWithAnother(id, session, { seen, files }));
  const entries = await undelivered(waiting, { who, before, seen, parts });
  return entries.filter(({ receiver }) => roleOf(receiver) === roleOf(entries[0].receiver));
}

type Begun = NonNullable<SessionFile["wake"]>;

function begin(event: string, limitMs: number): Begun {
  const nowMs = sys.now();
  const at = new Date(nowMs).toISOString();
  const until = new Date(nowMs + limitMs + MARGIN_MS).toISOString();
  return { event, at, until, pid: sys.pid, start: sys.processSpace()?.start ?? null };
}

/** Records that a run begins, unless another process was first. */
function noteWake(file: SessionFile, planned: readonly Outgoing[], wake: Begun): void {
  const seen = look(file, wake.event);
  prove(file.deliveries, { ...seen, event: null });
  if (whyNotNow(file, seen) !== undefined) return;
  for (const { id, mark } of planned) {
    const known = file.deliveries.find((delivery) => delivery.id === id);
    if (!needsDelivery(known, seen)) continue;
    if (known === undefined) {
      const none = { offers: [], shownAt: null, proof: null };
      file.deliveries.push({ id, mark, wokenAt: wake.at, ...none });
    } else known.wokenAt = wake.at;
    file.wake = wake;
  }
}

/** The limits of a prompt. It has no recall and no open questions, so the entries may take the whole room. */
const WHOLE = { open: [], max: MAX_ANSWER, sizeOf: MEASURES.characters };

/** Checks again which entries are unread, and records them as offered. */
async function offer(
  session: string,
  { who, wake, parts }: { who: Identity; wake: Begun; parts: WakeParts },
): Promise<Section> {
  const still = await unread(session, { who, event: wake.event, parts });
  const fits = clarificationSection(still, WHOLE);
  const { event, pid, start, until } = wake;
  const at = new Date(sys.now()).toISOString();
  const offered = await parts.files.update({ session }, (file) => {
    if (file.wake?.event !== event || !hasEnded(file)) return;
    const seen = look(file, event);
    for (const { id, mark } of fits.entries) {
      const known = file.deliveries.find((delivery) => delivery.id === id);
      if (known === undefined || !needsDelivery(known, seen)) continue;
      known.mark = mark;
      delete known.isPrinted;
      known.offers.push({ at, event, pid, start, putOut: false, until });
    }
  });
  const entries = fits.entries.filter(({ id }) =>
    offered.deliveries.find((delivery) => delivery.id === id)?.offers.at(-1)?.event === event
  );
  const { text } = clarificationSection(entries, WHOLE);
  return { text: await withoutSecrets(text), entries };
}

/**
 * Returns the prompt. It names the asker, because the reading session may be another session than the one that asked.
 */
function promptOf(agent: string, section: string): string {
  return `A question of ${agent} was answered after its session had ended.\n\n${section}`;
}

/** Records the end of a run. A reply proves that the session was shown the entries; a failed run proves nothing. */
function end(file: SessionFile, event: string, hasAnswered: boolean): void {
  const seen = look(file, event);
  const own = file.deliveries.flatMap((delivery) =>
    delivery.offers.filter((offer) => offer.event === event).map((offer) => ({ delivery, offer }))
  );
  for (const { offer } of own) {
    if (hasAnswered) offer.putOut = true;
    else offer.until = seen.at;
  }
  prove(file.deliveries, { ...seen, event: null });
  for (const { delivery } of own) {
    if (!hasAnswered || delivery.shownAt !== null) continue;
    Object.assign(delivery, { shownAt: seen.at, proof: "later event" });
  }
  if (file.wake?.event === event) file.wake = null;
  if (hasEnded(file)) file.heard.push({ event: `end:${event}`, at: seen.at, pid: seen.pid });
}
