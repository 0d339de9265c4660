// One call of a hook, from the host's input to the answer.
//
// A hook starts no agent, waits for nobody, and takes a lock only to write. One event of one session is answered
// once, even if two hosts run the same hook: each offer is recorded under the lock of the session's file before it is
// printed, and again after it was printed.

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

/** The parts that a hook opens only when it needs them. */
export interface DueParts {
  /** Whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone(session: string): boolean;
  /** Whether a process is running the target of a clarification. */
  isRunning(id: string): boolean;
  /** Returns the party that can answer a question without a run; undefined if an agent can be run. */
  reachOf(record: ClarificationRecord): Promise<Unreached | undefined>;
  /**
   * Returns a recall for the session, without secrets. A session without an issue recalls by its first prompt. Empty
   * if nothing is recalled.
   */
  recall(maxCharacters: number, prompt?: string): Promise<string>;
  /** Returns the identity of a session and the request for notes, for its start; may be empty. */
  startLine(): string;
  /** Returns the request for notes before an attended session stops; empty if there is none. */
  stopNotes(before: SessionFile): Promise<string>;
  /** Returns the undelivered outcomes of the session's questions to the human. */
  humanAnswers(known: Omit<Known, "files">): Promise<HumanAnswers | undefined>;
  /**
   * Begins a sync with other machines if the last sync was a while ago. The start of a session waits for the sync, at
   * most a second.
   */
  sync(event: HookEvent): Promise<void>;
  /** Does the work that is due at the start of a session, before the hook answers. */
  begin(event: HookEvent): Promise<void>;
  /** Keeps the recording of a session if its host will not report the end of the session. */
  keep(event: HookEvent): void;
  /** Keeps the recording of a session that has ended. */
  end(event: HookEvent): Promise<void>;
}

export interface HookParts extends DeliveryParts {
  clarifications: () => ClarificationRecord[];
  /** Whether a human's answer may be undelivered. */
  hasOutcome: () => boolean;
  env: Environment;
  /** Loads and opens the parts at the first call. */
  due: () => Promise<DueParts>;
}

export interface HookEvent {
  /** The host in the hook's command line. */
  called: HostName;
  /** The contract of the host that called the hook. */
  host: HookHost;
  /** The name of the event, as the host calls it. */
  event: string;
  occasion: Occasion;
  call: HookCall;
  who: Identity;
}

/** An answer, and a function to call once it was written. */
export interface Prepared {
  answer: Answer;
  /** Records that the host received the whole answer. */
  noteWritten(): Promise<void>;
}

/** If an event arrives again within this time, it is the same event, sent by another entry of the configuration. */
const SAME_EVENT_MS = 10_000;

/** The share of an answer at a session's start that clarifications may take. */
const CLARIFICATIONS_SHARE = 0.5;

/** The moment of a session at an event. A session without an issue recalls by its first prompt. */
type Moment = "start" | "start without issue" | "first prompt" | "later" | "stop";

/** The facts that decide the answer. */
interface Turn extends HookEvent {
  parts: HookParts;
  moment: Moment;
  before: SessionFile | undefined;
  seen: Seen;
  /** The stored deliveries, advanced by what the event proves. */
  deliveries: readonly Delivery[];
  records: readonly ClarificationRecord[];
  outgoing: readonly Outgoing[];
  options: SectionOptions;
}

/** A section of an answer. Its entries are recorded as offered, and its paths as told. */
type Said = Pick<HumanAnswers, "text"> & Partial<HumanAnswers> & { paths?: string[] };

/** The functions that return the sections of an answer. Each takes the room that it needs; `room` is the rest. */
const SECTIONS: ReadonlyArray<(turn: Turn, room: number) => Promise<Said | undefined>> = [
  async function clarifications({ outgoing, options }) {
    const planned = await sectionOf(outgoing, options);
    if (planned.entries.length > 0 || outgoing.length === 0) return planned;
    options.max = MAX_ANSWER; // one long answer takes precedence over the recall
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
 * Prepares the answer of a hook and records its offers; returns undefined if the answer is empty. Throws
 * `CORRUPT_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
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
    // If a session had ended and is resumed, it is not woken, because its hooks deliver the entries.
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

/** Returns the moment of a session at an event; undefined if the hook must not answer. */
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

/** Whether to ask a session for notes. It is asked once, and not while an entry waits for it. */
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

/** Records the answers that a tool has shown. An MCP server that knows its session has already recorded them. */
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

/**
 * The shares of the room to try, in characters. A character takes up to three bytes, so a host that counts bytes may
 * get only a third of the characters.
 */
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

/** Renders a section, and checks it for secrets if it has content. */
async function sectionOf(
  entries: readonly Outgoing[],
  options: SectionOptions,
): Promise<Section> {
  if (entries.length === 0 && options.open.length === 0) return { text: "", entries: [] };
  const section = clarificationSection(entries, options);
  return { ...section, text: await withoutSecrets(section.text) };
}

/** Records the deliveries that an event proves, without an answer. */
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

/** Whether the end of a session was recorded a moment ago. */
export function isEndKnown(call: HookCall, files: SessionFiles): boolean {
  const file = files.read({ session: call.session });
  return file !== undefined && wasHeard(file, `end:${call.turn}`, sys.now());
}

/**
 * Records the end of a session and its host, which can resume the session. The host is null if it borrows the hooks
 * of another host.
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
    // The recording is complete, so entries that it lacks never reached the session.
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

/** Returns the entries that wait for the session, without those that another process has shown or is showing to it. */
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
 * Returns the questions that a session hears about at its start: unread questions, and other open questions of the
 * session, of its issue or of its role. A session without a role hears about all open questions of its issue.
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

/** Records the event and its offers, unless another process recorded the event first. */
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
