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
import type { Environment } from "../who/host_session.ts";
import { isAttended } from "../who/surface.ts";
import { needsDelivery, prove, type Seen, waitingFor } from "./delivery.ts";
import { type DeliveryParts, undelivered } from "./undelivered.ts";
import { type HookHost, MAX_ANSWER, type Measure, MEASURES, type Occasion } from "../hosts/host.ts";
import type { HostName } from "../hosts/hosts.ts";
import type { Answer, HookCall } from "./hook_call.ts";
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
import { noteTold, sharedNote } from "./shared_files.ts";
import { type Delivery, hasEnded, type SessionFile, type SessionFiles } from "./session_files.ts";

/** The parts that a hook opens once something is due. */
export interface DueParts {
  /** Whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone(session: string): boolean;
  /** Whether a process is running the target of a clarification. */
  isRunning(id: string): boolean;
  /** Finds the party that can answer a question without a run. */
  reachOf(record: ClarificationRecord): Promise<Unreached | undefined>;
  /** Recalls for the session, by its first prompt if it has no issue, without secrets; empty for nothing. */
  recall(maxCharacters: number, prompt?: string): Promise<string>;
  /** The identity of a session, and the request for notes, at its start; may be empty. */
  startLine(): string;
  /** The request for notes before an attended session stops; empty if there is none. */
  stopNotes(before: SessionFile): Promise<string>;
  /** The outcomes of the session's questions to the human. */
  humanAnswers(known: Omit<Known, "files">): Promise<HumanAnswers | undefined>;
  /** Begins a sync with other machines, if the last one was a while ago; the start of a session waits a second for it. */
  sync(event: HookEvent): Promise<void>;
  /** Does the work that is due at the start of a session, before its answer. */
  begin(event: HookEvent): Promise<void>;
  /** Keeps the recording of a session if its host will not report the end. */
  keep(event: HookEvent): void;
  /** Keeps the recording of a session that has ended. */
  end(event: HookEvent): Promise<void>;
}

/** The parts that a hook works with. */
export interface HookParts extends DeliveryParts {
  clarifications: () => ClarificationRecord[];
  /** Whether a human's answer may be undelivered. */
  hasOutcome: () => boolean;
  env: Environment;
  /** Loaded and opened at the first call. */
  due: () => Promise<DueParts>;
}

export interface HookEvent {
  /** The host that is named on the command line. */
  called: HostName;
  /** The contract of the host that called. */
  host: HookHost;
  /** As the host calls it. */
  event: string;
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

/** When in its session a hook may say something; a session without an issue recalls by its first prompt. */
type Moment = "start" | "start without issue" | "first prompt" | "later" | "stop";

/** The facts that decide an answer. */
interface Turn extends HookEvent {
  parts: HookParts;
  moment: Moment;
  before: SessionFile | undefined;
  seen: Seen;
  /** The deliveries as stored, updated with what the event proves. */
  deliveries: readonly Delivery[];
  records: readonly ClarificationRecord[];
  outgoing: readonly Outgoing[];
  options: SectionOptions;
}

/** A section of an answer; its entries are noted as offered, and its paths as told. */
type Said = Pick<HumanAnswers, "text"> & Partial<HumanAnswers> & { paths?: string[] };

/** The sections of an answer: the first one takes the room it needs, and `room` is left for the next. */
const SECTIONS: ReadonlyArray<(turn: Turn, room: number) => Promise<Said | undefined>> = [
  async function clarifications({ outgoing, options }) {
    const planned = await sectionOf(outgoing, options);
    if (planned.entries.length > 0 || outgoing.length === 0) return planned;
    options.max = MAX_ANSWER; // one long answer comes before the recall
    return await sectionOf(outgoing, options);
  },
  async function answers({ moment, parts, deliveries, seen }) {
    if (moment === "stop" || !parts.hasOutcome()) return undefined;
    return await (await parts.due()).humanAnswers({ deliveries, seen });
  },
  async function notes({ moment, parts, before, records, who }) {
    if (moment.startsWith("start")) return { text: (await parts.due()).startLine() };
    const isAsked = moment === "stop" && mayAsk(before, records, who) && isAttended(parts.env);
    return isAsked ? { text: await (await parts.due()).stopNotes(before) } : undefined;
  },
  function others({ moment, occasion, call, before, parts, seen }) {
    const isDue = moment !== "stop" && (occasion !== "tool" || call.changed.length > 0);
    return Promise.resolve(isDue ? sharedNote(before, parts.files, seen.nowMs) : undefined);
  },
  async function recall({ moment, parts, call, options: { sizeOf } }, room) {
    if (moment !== "start" && moment !== "first prompt") return undefined;
    const prompt = moment === "start" ? undefined : call.prompt;
    return { text: await recallWithin(room, prompt, { sizeOf, parts }) };
  },
];

/**
 * Prepares the answer of a hook, and notes its offers; undefined if there is nothing to say. Throws `CORRUPT_STATE`,
 * `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function prepareAnswer(
  event: HookEvent,
  parts: HookParts,
): Promise<Prepared | undefined> {
  const { call, host, occasion } = event;
  const { files } = parts;
  const key = { session: call.session };
  if (call.given.length > 0) await noteGiven(event, parts);
  const before = files.read(key);
  const seen = seenNow(`${occasion}:${call.turn}`, call.transcript);
  const deliveries = before === undefined ? [] : structuredClone(before.deliveries);
  const hasProof = prove(deliveries, seen);
  const moment = momentOf(event, before, seen);
  const records = moment === undefined ? [] : parts.clarifications();
  const outgoing = await outgoingFor(records, { event, before, seen, parts });
  const open = occasion === "start" ? await openOf(records, event.who, { outgoing, parts }) : [];
  const sizeOf = MEASURES[host.unit];
  const share = occasion === "start" ? CLARIFICATIONS_SHARE : 1;
  const options = { open, max: Math.floor(MAX_ANSWER * share), sizeOf };
  const turn = { ...event, parts, before, seen, deliveries, records, outgoing, options };
  const said: Required<Said>[] = [];
  let room = MAX_ANSWER;
  for (const section of SECTIONS) {
    const { text = "", entries = [], paths = [] } =
      moment && await section({ ...turn, moment }, room) || {};
    said.push({ text, entries, paths });
    room -= sizeOf(`${text}\n`);
  }
  const noteHeard = (file: SessionFile, planned: HumanAnswers["entries"]) => {
    note(file, { planned, seen, from: event });
    if (moment !== undefined && moment !== "later" && moment !== "stop") {
      file.awaitsPrompt = moment === "start without issue";
    }
  };
  if (said.every(({ text }) => text === "")) {
    // A session that ended and is back is not woken: its hooks deliver to it.
    const isBack = hasEnded(before) && (occasion === "start" || occasion === "prompt");
    if (hasProof || isBack || moment === "first prompt") {
      await files.update(key, (file) => noteHeard(file, []));
    }
    return undefined;
  }
  const [clarifications, answers, notes, others, recall] = said;
  const noted = await files.update(
    key,
    (file) => {
      noteHeard(file, [...clarifications.entries, ...answers.entries]);
      noteTold(file, others.paths);
      if (occasion === "stop" && notes.text !== "") file.askedAt ??= seen.at;
    },
  );
  if (!isOwn(noted.heard.at(-1), seen)) return undefined; // another process was first
  const isPlanned = (id: string) => clarifications.entries.some((entry) => entry.id === id);
  const entries = outgoing.filter(({ id }) =>
    isPlanned(id) &&
    isOwn(noted.deliveries.find((delivery) => delivery.id === id)?.offers.at(-1), seen)
  );
  const { text } = await sectionOf(entries, options);
  const context = [recall.text, text, answers.text, others.text, notes.text]
    .filter((part) => part !== "").join("\n");
  if (context === "" || occasion === "stop" && entries.length === 0 && notes.text === "") {
    return undefined;
  }
  return {
    answer: occasion === "stop" ? { block: context } : { context },
    async noteWritten() {
      if (entries.length + answers.entries.length === 0) return;
      await files.update(key, ({ deliveries }) => {
        for (const offer of deliveries.flatMap(({ offers }) => offers)) {
          if (isOwn(offer, seen)) offer.putOut = true;
        }
      });
    },
  };
}

/** Undefined where nothing may be said. */
function momentOf(
  { call, host, occasion, who }: HookEvent,
  before: SessionFile | undefined,
  { event, nowMs }: Seen,
): Moment | undefined {
  const isHeard = before !== undefined && wasHeard(before, event, nowMs);
  if (isHeard || call.isSubagent || !host.hears.includes(occasion)) return undefined;
  if (occasion === "stop") {
    return call.isContinued || call.isBrokenOff || call.isWaiting ? undefined : "stop";
  }
  if (occasion === "start") {
    return who.issue === null && host.hears.includes("prompt") ? "start without issue" : "start";
  }
  const isFirst = occasion === "prompt" && who.issue === null && before?.awaitsPrompt === true;
  return isFirst ? "first prompt" : "later";
}

/** A session is asked once, and not where an answer waits for it. */
function mayAsk(
  before: SessionFile | undefined,
  records: readonly ClarificationRecord[],
  who: Identity,
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
    const text = await (await parts.due()).recall(Math.floor(room * share), prompt);
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
    // The recording is complete: entries missing from it never reached the session.
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
    const isRun = each.kind === "question" &&
      (await parts.due()).isRunning(each.record.id);
    if (!isRun) outgoing.push(each);
  }
  return outgoing;
}

/**
 * The questions that a session hears of at its start: unread ones, and other open ones of its own, its issue or its
 * role; without a role, all open ones of its issue.
 */
async function openOf(
  records: readonly ClarificationRecord[],
  { worker, agent, issue }: Identity,
  { outgoing, parts }: { outgoing: readonly Outgoing[]; parts: HookParts },
): Promise<OpenQuestion[]> {
  const isAnyRole = agent === null && issue !== null;
  const isOurs = (name: string) => {
    const [role, named] = name.split("@");
    return named !== undefined && named === worker || role === agent;
  };
  const open: OpenQuestion[] = outgoing.map(({ record }) => ({ record, isUnread: true }));
  for (const record of records) {
    const isOther = isActive(record) &&
      (issue === null || parseClarificationId(record.id).issueNumber === issue) &&
      (isAnyRole || isOurs(record.from) || isOurs(record.to)) &&
      !outgoing.some(({ record: { id } }) => id === record.id);
    if (!isOther || await parts.isForeign(record)) continue;
    const reach = isUnanswered(record) ? await (await parts.due()).reachOf(record) : undefined;
    open.push({ record, reach, isUnread: false });
  }
  return open;
}

/** Notes the event and its offers, unless another process was first. */
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
