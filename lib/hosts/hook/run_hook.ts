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
import { isDue, prove, type Recording, type Waiting, waitingFor } from "./delivery.ts";
import type { Answer, HookCall, HookHost, Occasion } from "./hosts.ts";
import type { HumanAnswers } from "./human_answers.ts";
import type { Identity } from "./identity.ts";
import { recordingAt } from "./recording.ts";
import type { Section, Told } from "./section.ts";
import type { Delivery, Offer, SessionFile, SessionFiles } from "./session_files.ts";

/** What a hook works with; what is seldom needed is loaded when it is called. */
export interface HookParts {
  files: SessionFiles;
  /** Gives all clarifications that can be read. */
  clarifications: () => ClarificationRecord[];
  /** Tells whether a clarification came with the repository: it is not told. */
  isForeign: (record: ClarificationRecord) => Promise<boolean>;
  /** Tells whether a session, such as `engineer@claude-3f2a`, has ended. */
  isGone: (session: string) => Promise<boolean>;
  /** Tells whether a process is running the target of a clarification. */
  isRunning: (id: string) => Promise<boolean>;
  /** Gives what the session recalls at its start, without secrets; empty where there is nothing. */
  recall: (maxCharacters: number) => Promise<string>;
  /** Gives what a session without an issue is told at its start; empty for any other. */
  unbound: () => Promise<string>;
  /** Gives what came of the questions of the session to the human; undefined where nobody was asked. */
  humanAnswers: () => Promise<HumanAnswers | undefined>;
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

/** What another session was offered is its own for so long. */
const OTHERS_MS = 10 * 60_000;

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
  const before = files.read(key);
  const seen = { ...view(call), event: eventKey };
  const hasProof = before !== undefined && prove(structuredClone(before.deliveries), seen);
  const isHeard = before !== undefined && wasHeard(before, eventKey, seen.nowMs);
  const mayTell = !isHeard && !call.isSubagent && host.hears.includes(occasion) &&
    !(occasion === "stop" && call.isContinued);
  const records = mayTell ? parts.clarifications() : [];
  const due = await dueFor(records, { event, before, seen, parts });
  const open: ClarificationRecord[] = [];
  for (const record of occasion === "start" ? openOf(records, who, due) : []) {
    if (!await parts.isForeign(record)) open.push(record);
  }
  const share = occasion === "start" ? CLARIFICATIONS_SHARE : 1;
  const maxCharacters = Math.floor(host.maxCharacters * share);
  const planned = await sectionOf(due, { open, maxCharacters });
  const human = mayTell && occasion !== "stop" ? await parts.humanAnswers() : undefined;
  const answers = human?.text ?? "";
  const room = roomBeside(planned.text + answers, host.maxCharacters);
  const isStart = mayTell && occasion === "start";
  const recall = isStart ? await parts.recall(room) : "";
  const unbound = isStart ? await parts.unbound() : "";
  if ([planned.text, recall, unbound, answers].every((part) => part === "")) {
    if (hasProof) await files.update(key, (file) => void prove(file.deliveries, seen));
    return undefined;
  }
  const noted = await files.update(key, (file) => note(file, { planned: planned.told, seen }));
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
      if (answers !== "") await human?.putOut();
      if (told.length === 0) return;
      await files.update(key, ({ deliveries }) => {
        for (const offer of deliveries.flatMap(({ offers }) => offers)) {
          if (isOwn(offer, seen)) offer.putOut = true;
        }
      });
    },
  };
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
  const seen = { ...view(call), event: `${occasion}:${call.turn}` };
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
 * Notes that a session has ended.
 *
 * @param call what the host sent
 * @param files what is known of sessions
 */
export async function noteEnd(call: HookCall, files: SessionFiles): Promise<void> {
  const seen = { ...view(call), event: `end:${call.turn}` };
  await files.update({ session: call.session }, (file) => note(file, { planned: [], seen }));
}

/** What can be seen at an event. */
interface Seen {
  event: string;
  at: string;
  nowMs: number;
  pid: number;
  recording: Recording;
  isAlive: (offer: Offer) => boolean;
}

function view({ transcript }: HookCall): Omit<Seen, "event"> {
  const nowMs = sys.now();
  return {
    at: new Date(nowMs).toISOString(),
    nowMs,
    pid: sys.pid,
    recording: recordingAt(transcript),
    isAlive({ pid, start }) {
      const now = sys.processStart(pid);
      return now === undefined || start === null || now === start;
    },
  };
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
    .filter(({ kind, record }) => occasion !== "stop" || kind === "answer" && record.blocking);
  const told: Told[] = [];
  for (const each of waiting) {
    const known = before?.deliveries.find(({ id }) => id === each.id);
    if (!isDue(known, seen) || await parts.isForeign(each.record)) continue;
    if (each.isInherited && !await parts.isGone(each.receiver)) continue;
    if (each.kind === "question" && await parts.isRunning(each.record.id)) continue;
    if (known === undefined && isWithAnother(each, who, { seen, files: parts.files })) continue;
    const mark = known === undefined || known.isPrinted ? newMark() : known.mark;
    told.push({ ...each, mark, isRepeated: known !== undefined });
  }
  return told;
}

/** Where no session is named, the first one of the role is told. */
function isWithAnother(
  { id, receiver }: Waiting,
  { worker, session }: Identity,
  { seen, files }: { seen: Seen; files: SessionFiles },
): boolean {
  if (receiver.endsWith(`@${worker}`)) return false;
  return files.readAll().filter((file) => file.session !== session)
    .flatMap(({ deliveries }) => deliveries.filter((delivery) => delivery.id === id))
    .some(({ shownAt, offers }) =>
      shownAt !== null || seen.nowMs - Date.parse(offers.at(-1)?.at ?? "") < OTHERS_MS
    );
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
  { planned, seen }: { planned: readonly Told[]; seen: Seen },
): void {
  prove(file.deliveries, seen);
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

function newMark(): string {
  return Math.random().toString(36).slice(2, 8).padEnd(6, "0");
}
