/**
 * Waking a session that has ended, so that it reads the answers which arrived since.
 *
 * Only one that its host said has ended is given a turn: no tool of it is running then. Any other is told by
 * its own hooks. One run is under way per session at most: it is noted under the lock of the session's file
 * before it begins, and counts as given up once its processes are gone or its time is over. Whether something is
 * unread still is looked at once more then, and what is told is noted as offered before the run gets it. Proven
 * it is by the recording, or by the answer of the session.
 *
 * @module
 */

import { roleOf } from "../../agent_names.ts";
import type { AgentCall } from "../../agents/agent_call.ts";
import { isRunGoingOn } from "../../agents/leftovers.ts";
import { type ClarificationRecord, parseClarificationId } from "../../clarify/schema.ts";
import { AgentxError } from "../../errors.ts";
import { withoutSecrets } from "../../redact/border.ts";
import { sys } from "../../sys/mod.ts";
import { isDue, prove, type Seen, type Waiting, waitingFor } from "./delivery.ts";
import { type DueParts, isWithAnother, newMark, toTell } from "./due.ts";
import type { Identity } from "./identity.ts";
import { seenNow } from "./recording.ts";
import { clarificationSection, type Told } from "./section.ts";
import { hasEnded, type SessionFile } from "./session_files.ts";

/** What it takes to wake a session. */
export interface WakeParts extends Omit<DueParts, "isRunning"> {
  /** Gives all clarifications that can be read, as they are now. */
  clarifications: () => ClarificationRecord[];
  /** Tells who a session is. */
  identify: (file: SessionFile) => Identity;
  /** Tells why an agent may not be run here; undefined where it may. */
  refusalOf: (role: string) => Promise<string | undefined>;
  /** How long a run of an agent may take at most, in milliseconds. */
  limitMs: (role: string) => number;
  /**
   * Goes on with a session, or where that cannot be, runs its agent anew.
   *
   * @throws {AgentxError} `AGENT_ERROR`, `UNTRUSTED`, `INTERRUPTED`
   */
  run: (file: SessionFile, call: AgentCall) => Promise<unknown>;
}

/** What came of one session. */
export interface WakeReport {
  /** As its host names it. */
  session: string;
  /** Of what waits for it: `CLR-42-001.2`. */
  ids: string[];
  /**
   * `told`: it was run, and answered. `failed`: the run failed. `left`: nothing was run. `due`: it would be
   * run, were this not only a look.
   */
  outcome: "told" | "failed" | "left" | "due";
  /** Why it failed or was left, without a final period; null otherwise. */
  reason: string | null;
}

/** A prompt on standard input could be longer; more than this is left for the next time. */
const MAX_CHARACTERS = 9_000;

/** Why a session is left to its hooks. */
export const HAS_NOT_ENDED = "its session has not ended; its hooks will tell it";

/** One of which nothing was seen for so long may have died. */
const SILENT_MS = 60 * 60_000;

/**
 * A session that is only idle looks the same, and a turn beside it would part from what its user sees: only a
 * person knows which it is.
 *
 * @param waiting for a session of which nothing was seen for an hour
 * @returns why it gets no turn, and what a person can do
 */
export function whySilent({ receiver, record }: Pick<Waiting, "receiver" | "record">): string {
  const { issueNumber } = parseClarificationId(record.id);
  return "nothing was seen of its session for an hour, and it never said that it has ended. If it has, resume " +
    "it, and it is told at its start; or start another one that takes over, with: " +
    `agentx here --as ${roleOf(receiver)} --issue ${issueNumber}`;
}

/** Whoever looks for its process may be slow to see it end. */
const MARGIN_MS = 30_000;

/** A recording that was written after its session's end, and lately, is that of one that goes on. */
const LATE_MS = 30_000;
const LATELY_MS = 10 * 60_000;

/**
 * @param file what is known of a session
 * @param parts what it takes
 * @param how whether to look only, and what ends the run
 * @returns what came of it; undefined where nothing waits for it
 * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`, `INTERRUPTED`
 */
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
  const report = (outcome: WakeReport["outcome"], reason: string | null = null, told = planned) =>
    ({ session, ids: told.map(({ id }) => id), outcome, reason }) as const;
  const role = roleOf(planned[0].receiver);
  const seen = look(file, event);
  let held = heldUp(file, seen) ?? await parts.refusalOf(role);
  if (held === HAS_NOT_ENDED && isSilent(file, seen) && await parts.isGone(planned[0].receiver)) {
    held = whySilent(planned[0]);
  }
  if (held !== undefined) return report("left", held);
  if (isDryRun) return report("due");

  const wake = begin(event, parts.limitMs(role));
  const woken = await parts.files.update({ session }, (file) => noteWake(file, planned, wake));
  if (woken.wake?.event !== event) {
    const now = heldUp(woken, look(file, event));
    return report("left", now ?? "another process has told it");
  }
  let told: Told[] = [];
  let failure: AgentxError | undefined;
  try {
    const section = await offer(session, { who, wake, parts });
    told = section.told;
    if (told.length === 0) return report("left", "it was read meanwhile");
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
  if (failure === undefined) return report("told", null, told);
  if (failure.code === "AGENT_ERROR" || failure.code === "UNTRUSTED") {
    return report("failed", failure.summary, told);
  }
  throw failure;
}

/** What can be seen of a session: nothing happens in it of which its host tells. */
function look(file: SessionFile | undefined, event: string): Seen {
  return { ...seenNow(event, file?.transcript ?? undefined), isOver: hasEnded(file) };
}

/** Why it gets no turn now. */
function heldUp(file: SessionFile, { recording, nowMs, isAlive }: Seen): string | undefined {
  const { wake } = file;
  if (wake && nowMs < Date.parse(wake.until) && (isAlive(wake) || isRunGoingOn(wake.event))) {
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

/** What a killed run has told is read in the recording. */
async function proveNow(file: SessionFile, event: string, { files }: WakeParts): Promise<void> {
  const seen = { ...look(file, event), event: null };
  if (!prove(structuredClone(file.deliveries), seen)) return;
  await files.update({ session: file.session! }, (file) => void prove(file.deliveries, seen));
}

/** The answers that the session has not seen, nor another one in its place. */
async function unread(
  session: string,
  { who, event, parts }: { who: Identity; event: string; parts: WakeParts },
): Promise<Told[]> {
  const { files } = parts;
  const before = files.read({ session });
  const seen = look(before, event);
  const waiting = waitingFor(parts.clarifications(), who, seen.nowMs)
    .filter(({ kind }) => kind === "answer")
    .filter(({ id }) => isDue(before?.deliveries.find((known) => known.id === id), seen))
    .filter(({ id }) => !isWithAnother(id, session, { seen, files }));
  const isRunning = () => Promise.resolve(false); // what has an answer is not run
  const told = await toTell(waiting, { who, before, seen, parts: { ...parts, isRunning } });
  return told.filter(({ receiver }) => roleOf(receiver) === roleOf(told[0].receiver));
}

type Begun = NonNullable<SessionFile["wake"]>;

function begin(event: string, limitMs: number): Begun {
  const nowMs = sys.now();
  const at = new Date(nowMs).toISOString();
  const until = new Date(nowMs + limitMs + MARGIN_MS).toISOString();
  return { event, at, until, pid: sys.pid, start: sys.processSpace()?.start ?? null };
}

/** Notes that a run begins, unless another process was first. */
function noteWake(file: SessionFile, planned: readonly Told[], wake: Begun): void {
  const seen = look(file, wake.event);
  prove(file.deliveries, { ...seen, event: null });
  if (heldUp(file, seen) !== undefined) return;
  for (const { id, mark } of planned) {
    const known = file.deliveries.find((delivery) => delivery.id === id);
    if (!isDue(known, seen)) continue;
    if (known === undefined) {
      const none = { offers: [], shownAt: null, proof: null };
      file.deliveries.push({ id, mark, wokenAt: wake.at, ...none });
    } else known.wokenAt = wake.at;
    file.wake = wake;
  }
}

/** The last look: what is unread still is noted as offered. */
async function offer(
  session: string,
  { who, wake, parts }: { who: Identity; wake: Begun; parts: WakeParts },
): Promise<{ text: string; told: Told[] }> {
  const still = await unread(session, { who, event: wake.event, parts });
  const fits = clarificationSection(still, { open: [], maxCharacters: MAX_CHARACTERS });
  const { event, pid, start, until } = wake;
  const at = new Date(sys.now()).toISOString();
  const offered = await parts.files.update({ session }, (file) => {
    if (file.wake?.event !== event || !hasEnded(file)) return;
    const seen = look(file, event);
    for (const { id, mark } of fits.told) {
      const known = file.deliveries.find((delivery) => delivery.id === id);
      if (known === undefined || !isDue(known, seen)) continue;
      known.mark = mark;
      delete known.isPrinted;
      known.offers.push({ at, event, pid, start, putOut: false, until });
    }
  });
  const told = fits.told.filter(({ id }) =>
    offered.deliveries.find((delivery) => delivery.id === id)?.offers.at(-1)?.event === event
  );
  const { text } = clarificationSection(told, { open: [], maxCharacters: MAX_CHARACTERS });
  return { text: await withoutSecrets(text), told };
}

/** Whoever reads it need not be the session itself. */
function promptOf(agent: string, section: string): string {
  return `What ${agent} asked was answered after its session had ended.\n\n${section}`;
}

/** Its answer proves that a session was shown what it answered; one that failed may not have been. */
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
