// One call of a hook, from what the host sent to the answer.
//
// It starts no agent, waits for nobody, and takes a lock only to write something down. The same event of
// the same session is answered once, even if two hosts run the same hook: each offer is noted under the lock
// of the session's file before it is printed, and again once it was printed.

import type { Unreached } from "../clarify/reach.ts";
import {
  type ClarificationRecord,
  isActive,
  isUnanswered,
  parseClarificationId,
} from "../clarify/schema.ts";
import { withoutSecrets } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { needsDelivery, prove, type Seen, waitingFor } from "./delivery.ts";
import { type DeliveryParts, undelivered } from "./undelivered.ts";
import {
  type Answer,
  type HookCall,
  type HookHost,
  type HostName,
  MAX_ANSWER,
  type Measure,
  type Occasion,
} from "./hosts.ts";
import type { HumanAnswers, Known } from "./human_answers.ts";
import type { Identity } from "./identity.ts";
import { notePrinted } from "./printed.ts";
import { seenNow } from "./recording.ts";
import {
  clarificationSection,
  type OpenQuestion,
  type Outgoing,
  type Section,
  type SectionOptions,
} from "./section.ts";
import { type Delivery, hasEnded, type SessionFile, type SessionFiles } from "./session_files.ts";

/** What a hook works with; rarely needed parts are loaded when they are called. */
export interface HookParts extends DeliveryParts {
  clarifications: () => ClarificationRecord[];
  /** Whether a process is running the target of a clarification. */
  isRunning: (id: string) => Promise<boolean>;
  /** Who can answer a question that is not run. */
  reachOf: (record: ClarificationRecord) => Promise<Unreached | undefined>;
  /** What the session recalls, of its first prompt if it has no issue, without secrets; empty for nothing. */
  recall: (maxCharacters: number, prompt?: string) => Promise<string>;
  /** The request for notes at the start of a session; empty if memory is off. */
  notes: () => Promise<string>;
  /** The request for notes before a session stops; empty if there is none. */
  stopNotes: (before: SessionFile) => Promise<string>;
  /** The outcomes of the session's questions to the human; undefined where nobody was asked. */
  humanAnswers: (known: Omit<Known, "files">) => Promise<HumanAnswers | undefined>;
}

export interface HookEvent {
  host: HookHost;
  /** As the host calls it. */
  name: string;
  occasion: Occasion;
  call: HookCall;
  who: Identity;
}

/** An answer, and how to note that it was written. */
export interface Prepared {
  answer: Answer;
  /** Notes that the host got all of it. */
  noteWritten(): Promise<void>;
}

/** An event that comes again within this time is the same one, sent by another entry of the configuration. */
const SAME_EVENT_MS = 10_000;

/** The share of an answer at a session's start that clarifications may take. */
const CLARIFICATIONS_SHARE = 0.5;

/**
 * Prepares the answer of a hook, and notes what it offers; undefined where there is nothing to say.
 * Throws `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
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
  const mayDeliver = !isHeard && !call.isSubagent && host.hears.includes(occasion) &&
    !(occasion === "stop" && (call.isContinued || call.isBrokenOff));
  const records = mayDeliver ? parts.clarifications() : [];
  const outgoing = await outgoingFor(records, { event, before, seen, parts });
  const open: OpenQuestion[] = [];
  if (occasion === "start") {
    open.push(...outgoing.map(({ record }) => ({ record, isUnread: true })));
    for (const record of openOf(records, who, outgoing)) {
      if (await parts.isForeign(record)) continue;
      const reach = isUnanswered(record) ? await parts.reachOf(record) : undefined;
      open.push({ record, reach, isUnread: false });
    }
  }
  const share = occasion === "start" ? CLARIFICATIONS_SHARE : 1;
  const { sizeOf } = host;
  const options = { open, max: Math.floor(MAX_ANSWER * share), sizeOf };
  let planned = await sectionOf(outgoing, options);
  if (planned.entries.length < Math.min(1, outgoing.length)) {
    options.max = MAX_ANSWER; // one long answer comes before the recall
    planned = await sectionOf(outgoing, options);
  }
  const human = mayDeliver && occasion !== "stop"
    ? await parts.humanAnswers({ deliveries, seen })
    : undefined;
  const { text: answers, entries: answered } = human ?? { text: "", entries: [] };
  const isStart = mayDeliver && occasion === "start";
  const awaitsPrompt = isStart && who.issue === null && host.hears.includes("prompt");
  const isFirstPrompt = mayDeliver && occasion === "prompt" && who.issue === null &&
    before?.awaitsPrompt === true;
  const notes = isStart
    ? await parts.notes()
    : mayDeliver && occasion === "stop" && mayAsk(before, records, event)
    ? await parts.stopNotes(before)
    : "";
  const room = MAX_ANSWER - sizeOf(`${planned.text}\n${answers}\n${notes}\n`);
  const recall = isStart && !awaitsPrompt || isFirstPrompt
    ? await recallWithin(room, isFirstPrompt ? call.prompt : undefined, { sizeOf, parts })
    : "";
  const noteHeard = (file: SessionFile, planned: readonly Pick<Outgoing, "id" | "mark">[]) => {
    note(file, { planned, seen, from: event });
    if (isStart || isFirstPrompt) file.awaitsPrompt = awaitsPrompt;
  };
  if ([planned.text, recall, notes, answers].every((part) => part === "")) {
    // A session that ended and is back is not woken: its hooks deliver to it.
    const isBack = hasEnded(before) && (occasion === "start" || occasion === "prompt");
    if (hasProof || isBack || isFirstPrompt) {
      await files.update(key, (file) => noteHeard(file, []));
    }
    return undefined;
  }
  const noted = await files.update(
    key,
    (file) => {
      noteHeard(file, [...planned.entries, ...answered]);
      if (occasion === "stop" && notes !== "") file.askedAt ??= seen.at;
    },
  );
  if (!isOwn(noted.heard.at(-1), seen)) return undefined; // another process was first
  const entries = planned.entries.filter(({ id }) =>
    isOwn(noted.deliveries.find((delivery) => delivery.id === id)?.offers.at(-1), seen)
  );
  const { text } = await sectionOf(entries, options);
  const context = [recall, text, answers, notes].filter((part) => part !== "").join("\n");
  if (context === "" || occasion === "stop" && entries.length === 0 && notes === "") {
    return undefined;
  }
  return {
    answer: occasion === "stop" ? { block: context } : { context },
    async noteWritten() {
      if (entries.length + answered.length === 0) return;
      await files.update(key, ({ deliveries }) => {
        for (const offer of deliveries.flatMap(({ offers }) => offers)) {
          if (isOwn(offer, seen)) offer.putOut = true;
        }
      });
    },
  };
}

/** A session is asked once, and not where an answer waits for it. */
function mayAsk(
  before: SessionFile | undefined,
  records: readonly ClarificationRecord[],
  { who }: HookEvent,
): before is SessionFile {
  if (before === undefined || before.askedAt !== undefined) return false;
  const isShown = (id: string) =>
    before.deliveries.some((delivery) => delivery.id === id && delivery.shownAt !== null);
  return waitingFor(records, who, sys.now()).every(({ id }) => isShown(id));
}

/** An MCP server that knew the session has noted this itself. */
async function noteGiven(
  { call: { session, given }, who }: HookEvent,
  { files, clarifications }: HookParts,
): Promise<void> {
  const known = files.read({ session })?.deliveries ?? [];
  for (const { id, isInherited, record } of waitingFor(clarifications(), who, sys.now())) {
    const isNoted = isInherited || known.some((delivery) => delivery.id === id);
    if (given.includes(record.id) && !isNoted) await notePrinted(record, session, files);
  }
}

/** A character takes up to three bytes, so a host that counts bytes may get a third of the characters. */
const CHARACTER_SHARES = [1, 1 / 2, 1 / 3];

async function recallWithin(
  room: number,
  prompt: string | undefined,
  { sizeOf, parts }: { sizeOf: Measure; parts: HookParts },
): Promise<string> {
  for (const share of CHARACTER_SHARES) {
    const text = await parts.recall(Math.floor(room * share), prompt);
    if (sizeOf(text) <= room) return text;
  }
  return "";
}

/** The renderer is loaded only if there is something to render. */
async function sectionOf(
  entries: readonly Outgoing[],
  options: SectionOptions,
): Promise<Section> {
  if (entries.length === 0 && options.open.length === 0) return { text: "", entries: [] };
  const section = clarificationSection(entries, options);
  return { ...section, text: await withoutSecrets(section.text) };
}

/** Notes which deliveries an event proves, without an answer. */
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

/** Whether the end of a session was noted a moment ago. */
export function isEndKnown(call: HookCall, files: SessionFiles): boolean {
  const file = files.read({ session: call.session });
  return file !== undefined && wasHeard(file, `end:${call.turn}`, sys.now());
}

/**
 * Notes that a session has ended, and its host, which can resume it; null where that borrows the
 * hooks of another one.
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
    // The recording is complete: what it lacks never reached the session.
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

/**
 * The entries that wait for the session, except those that another process shows it, or has shown
 * it.
 */
async function outgoingFor(
  records: readonly ClarificationRecord[],
  { event: { occasion, who }, before, seen, parts }: {
    event: HookEvent;
    before: SessionFile | undefined;
    seen: Seen;
    parts: HookParts;
  },
): Promise<Outgoing[]> {
  const waiting = waitingFor(records, who, seen.nowMs)
    .filter(({ kind, record }) => occasion !== "stop" || kind === "answer" && record.blocking)
    .filter(({ id }) => needsDelivery(before?.deliveries.find((known) => known.id === id), seen));
  if (waiting.length === 0) return [];
  const outgoing: Outgoing[] = [];
  for (const each of await undelivered(waiting, { who, before, seen, parts })) {
    const isRun = each.kind === "question" && await parts.isRunning(each.record.id);
    if (!isRun) outgoing.push(each);
  }
  return outgoing;
}

/** The other open clarifications of the session, or of its issue and role. */
function openOf(
  records: readonly ClarificationRecord[],
  { worker, agent, issue }: Identity,
  outgoing: readonly Outgoing[],
): ClarificationRecord[] {
  const isOurs = (name: string) => {
    const [role, named] = name.split("@");
    return named !== undefined && named === worker || role === agent;
  };
  return records.filter((record) =>
    isActive(record) &&
    (issue === null || parseClarificationId(record.id).issueNumber === issue) &&
    (isOurs(record.from) || isOurs(record.to)) &&
    !outgoing.some(({ record: { id } }) => id === record.id)
  );
}

/** Notes the event and what is offered at it, unless another process was first. */
function note(
  file: SessionFile,
  { planned, seen, from: { call } }: {
    planned: readonly Pick<Outgoing, "id" | "mark">[];
    seen: Seen;
    from: Pick<HookEvent, "call">;
  },
): void {
  prove(file.deliveries, seen);
  file.cwd = call.cwd ?? null;
  file.transcript = call.transcript ?? null;
  file.began ??= seen.at;
  if (wasHeard(file, seen.event, seen.nowMs)) {
    return;
  }
  const { event, at, pid } = seen;
  const start = sys.processSpace()?.start ?? null;
  file.heard.push({ event, at, pid });
  for (const { id, mark } of planned) {
    let delivery: Delivery | undefined = file.deliveries.find((known) => known.id === id);
    if (!needsDelivery(delivery, seen)) continue;
    if (delivery === undefined) {
      delivery = { id, mark, offers: [], shownAt: null, proof: null };
      file.deliveries.push(delivery);
    }
    delivery.mark = mark;
    delete delivery.isPrinted;
    delivery.offers.push({ at, event, pid, start, putOut: false });
  }
}
