/**
 * One call of a hook, from what the host sent to what it is answered.
 *
 * It starts no agent, waits for nobody, and takes a lock only where it has something to note. The same
 * event of the same session is answered once, also where two hosts run the same hook: what is put out
 * is noted before, under the lock of the session's file, and again once it was put out.
 *
 * @module
 */

import { type ClarificationRecord, isActive, parseClarificationId } from "../../clarify/schema.ts";
import { sys } from "../../sys/mod.ts";
import { isDue, prove, type Seen, waitingFor } from "./delivery.ts";
import type { DueParts } from "./due.ts";
import type { Answer, HookCall, HookHost, HostName, Occasion } from "./hosts.ts";
import type { HumanAnswers, Known } from "./human_answers.ts";
import type { Identity } from "./identity.ts";
import { seenNow } from "./recording.ts";
import type { Section, Told } from "./section.ts";
import { type Delivery, hasEnded, type SessionFile, type SessionFiles } from "./session_files.ts";

/** What a hook works with; what is seldom needed is loaded when it is called. */
export interface HookParts extends DueParts {
  /** Gives all clarifications that can be read. */
  clarifications: () => ClarificationRecord[];
  /** Gives what the session recalls at its start, without secrets; empty where there is nothing. */
  recall: (maxCharacters: number) => Promise<string>;
  /** Gives what a session without an issue is told at its start; empty for any other. */
  unbound: () => Promise<string>;
  /** Gives what came of the questions of the session to the human; undefined where nobody was asked. */
  humanAnswers: (known: Omit<Known, "files">) => Promise<HumanAnswers | undefined>;
}

/** An event of a session. */
export interface HookEvent {
  host: HookHost;
  /** As the host calls it. */
  name: string;
  occasion: Occasion;
  call: HookCall;
  who: Identity;
}

/** What is put out, and how to note that it was. */
export interface Prepared {
  answer: Answer;
  /** Notes that all of it was written. */
  putOut(): Promise<void>;
}

/** An event that comes again so soon is the same one, told by another entry of the configuration. */
const SAME_EVENT_MS = 10_000;

/** Of the room for a recall, in characters. */
const ROOM_STEP = 1_000;

/** Of the room for a session's start, so much at most is for clarifications. */
const CLARIFICATIONS_SHARE = 0.5;

/**
 * Prepares the answer of a hook; what it puts out is noted by then.
 *
 * @param event what happened in which session
 * @param parts what it works with
 * @returns the answer; undefined where there is nothing to say
 * @throws {AgentxError} `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`
 */
export async function prepareAnswer(
  event: HookEvent,
  parts: HookParts,
): Promise<Prepared | undefined> {
  const { call, host, occasion, who } = event;
  const { files } = parts;
  const key = { session: call.session };
  const eventKey = `${occasion}:${call.turn}`;
  if (call.given.length > 0) await noteGiven(event, parts);
  const before = files.read(key);
  const seen = seenNow(eventKey, call.transcript);
  const deliveries = before === undefined ? [] : structuredClone(before.deliveries);
  const hasProof = prove(deliveries, seen);
  const isHeard = before !== undefined && wasHeard(before, eventKey, seen.nowMs);
  const mayTell = !isHeard && !call.isSubagent && host.hears.includes(occasion) &&
    !(occasion === "stop" && (call.isContinued || call.isBrokenOff));
  const records = mayTell ? parts.clarifications() : [];
  const due = await dueFor(records, { event, before, seen, parts });
  const open: ClarificationRecord[] = [];
  for (const record of occasion === "start" ? openOf(records, who, due) : []) {
    if (!await parts.isForeign(record)) open.push(record);
  }
  const share = occasion === "start" ? CLARIFICATIONS_SHARE : 1;
  const maxCharacters = Math.floor(host.maxCharacters * share);
  const planned = await sectionOf(due, { open, maxCharacters });
  const human = mayTell && occasion !== "stop"
    ? await parts.humanAnswers({ deliveries, seen })
    : undefined;
  const { text: answers, told: answered } = human ?? { text: "", told: [] };
  const room = roomBeside(planned.text + answers, host.maxCharacters);
  const isStart = mayTell && occasion === "start";
  const recall = isStart ? await parts.recall(room) : "";
  const unbound = isStart ? await parts.unbound() : "";
  if ([planned.text, recall, unbound, answers].every((part) => part === "")) {
    // One that has ended and goes on is not woken: its hooks tell it.
    const isBack = hasEnded(before) && (occasion === "start" || occasion === "prompt");
    if (hasProof || isBack) {
      await files.update(key, (file) => note(file, { planned: [], seen, from: event }));
    }
    return undefined;
  }
  const noted = await files.update(
    key,
    (file) => note(file, { planned: [...planned.told, ...answered], seen, from: event }),
  );
  if (!isOwn(noted.heard.at(-1), seen)) return undefined; // another process was first
  const told = planned.told.filter(({ id }) =>
    isOwn(noted.deliveries.find((delivery) => delivery.id === id)?.offers.at(-1), seen)
  );
  const { text } = await sectionOf(told, { open, maxCharacters });
  const context = [recall, text, answers, unbound].filter((part) => part !== "").join("\n");
  if (context === "" || occasion === "stop" && told.length === 0) return undefined;
  return {
    answer: occasion === "stop" ? { block: context } : { context },
    async putOut() {
      if (told.length + answered.length === 0) return;
      await files.update(key, ({ deliveries }) => {
        for (const offer of deliveries.flatMap(({ offers }) => offers)) {
          if (isOwn(offer, seen)) offer.putOut = true;
        }
      });
    },
  };
}

/** Where the server of the tool knew the session, it has noted that itself. */
async function noteGiven(
  { call: { session, given }, who }: HookEvent,
  { files, clarifications }: HookParts,
): Promise<void> {
  const known = files.read({ session })?.deliveries ?? [];
  const { notePrinted } = await import("./printed.ts");
  for (const { id, isInherited, record } of waitingFor(clarifications(), who, sys.now())) {
    const isNoted = isInherited || known.some((delivery) => delivery.id === id);
    if (given.includes(record.id) && !isNoted) await notePrinted(record, session, files);
  }
}

/** In steps, since what is recalled is kept by its room. */
function roomBeside(text: string, maxCharacters: number): number {
  if (text === "") return maxCharacters;
  return Math.floor((maxCharacters - text.length - 1) / ROOM_STEP) * ROOM_STEP;
}

/** What writes it is loaded only where there is something to write. */
async function sectionOf(
  told: readonly Told[],
  options: { open: readonly ClarificationRecord[]; maxCharacters: number },
): Promise<Section> {
  if (told.length === 0 && options.open.length === 0) return { text: "", told: [] };
  const [{ clarificationSection }, { withoutSecrets }] = await Promise.all([
    import("./section.ts"),
    import("../../redact/border.ts"),
  ]);
  const section = clarificationSection(told, options);
  return { ...section, text: await withoutSecrets(section.text) };
}

/**
 * Notes, without an answer, what an event proves.
 *
 * @param call what the host sent
 * @param occasion when
 * @param files what is known of sessions
 */
export async function noteProof(
  call: HookCall,
  occasion: Occasion,
  files: SessionFiles,
): Promise<void> {
  const key = { session: call.session };
  const before = files.read(key);
  const seen = seenNow(`${occasion}:${call.turn}`, call.transcript, call.recording);
  if (before === undefined || !prove(structuredClone(before.deliveries), seen)) return;
  await files.update(key, (file) => void prove(file.deliveries, seen));
}

/**
 * @param call what the host sent at the end of a session
 * @param files what is known of sessions
 * @returns whether that was noted a moment ago
 */
export function isEndKnown(call: HookCall, files: SessionFiles): boolean {
  const file = files.read({ session: call.session });
  return file !== undefined && wasHeard(file, `end:${call.turn}`, sys.now());
}

/**
 * Notes that a session has ended, and by what it can be gone on with.
 *
 * @param call what the host sent
 * @param host that sent it; null where it borrows the hooks of another one
 * @param files what is known of sessions
 */
export async function noteEnd(
  call: HookCall,
  host: HostName | null,
  files: SessionFiles,
): Promise<void> {
  const seen = seenNow(`end:${call.turn}`, call.transcript, call.recording);
  await files.update({ session: call.session }, (file) => {
    note(file, { planned: [], seen, from: { call } });
    file.host = host;
    if (call.recording === undefined) return;
    // It is whole: what it lacks did not reach the session any more.
    for (const { offers } of file.deliveries.filter(({ shownAt }) => shownAt === null)) {
      for (const offer of offers) Object.assign(offer, { putOut: false, until: seen.at });
    }
  });
}

function wasHeard({ heard }: SessionFile, event: string, nowMs: number): boolean {
  return heard.some((each) => each.event === event && nowMs - Date.parse(each.at) < SAME_EVENT_MS);
}

function isOwn(
  noted: { event: string; at: string; pid: number } | undefined,
  { event, at, pid }: Seen,
): boolean {
  return noted?.event === event && noted.at === at && noted.pid === pid;
}

/** What waits for the session and was not shown to it, nor is about to be. */
async function dueFor(
  records: readonly ClarificationRecord[],
  { event: { occasion, who }, before, seen, parts }: {
    event: HookEvent;
    before: SessionFile | undefined;
    seen: Seen;
    parts: HookParts;
  },
): Promise<Told[]> {
  const waiting = waitingFor(records, who, seen.nowMs)
    .filter(({ kind, record }) => occasion !== "stop" || kind === "answer" && record.blocking)
    .filter(({ id }) => isDue(before?.deliveries.find((known) => known.id === id), seen));
  if (waiting.length === 0) return [];
  const { toTell } = await import("./due.ts");
  return await toTell(waiting, { who, before, seen, parts });
}

/** What else is open of the session's own, or of its issue in its role. */
function openOf(
  records: readonly ClarificationRecord[],
  { worker, agent, issue }: Identity,
  due: readonly Told[],
): ClarificationRecord[] {
  const isOurs = (name: string) => {
    const [role, named] = name.split("@");
    return named !== undefined && named === worker || role === agent;
  };
  return records.filter((record) =>
    isActive(record) &&
    (issue === null || parseClarificationId(record.id).issueNumber === issue) &&
    (isOurs(record.from) || isOurs(record.to)) &&
    !due.some(({ record: { id } }) => id === record.id)
  );
}

/** Notes the event and what it is about to be answered, unless another process was first. */
function note(
  file: SessionFile,
  { planned, seen, from: { call } }: {
    planned: readonly Pick<Told, "id" | "mark">[];
    seen: Seen;
    from: Pick<HookEvent, "call">;
  },
): void {
  prove(file.deliveries, seen);
  file.cwd = call.cwd ?? null;
  file.transcript = call.transcript ?? null;
  if (wasHeard(file, seen.event, seen.nowMs)) {
    return;
  }
  const { event, at, pid } = seen;
  const start = sys.processSpace()?.start ?? null;
  file.heard.push({ event, at, pid });
  for (const { id, mark } of planned) {
    let delivery: Delivery | undefined = file.deliveries.find((known) => known.id === id);
    if (!isDue(delivery, seen)) continue;
    if (delivery === undefined) {
      delivery = { id, mark, offers: [], shownAt: null, proof: null };
      file.deliveries.push(delivery);
    }
    delivery.mark = mark;
    delete delivery.isPrinted;
    delivery.offers.push({ at, event, pid, start, putOut: false });
  }
}
