// Translates between the ledgers of this machine and the lines that machines share. A change of a ledger becomes lines
// under the lock of the ledger: the lines are on disk before the ledger names them. The id of a line follows from its
// content, so after a kill the same lines are made again under the same ids.

import { HUMAN } from "../base/agent_names.ts";
import { hashOf } from "../base/hash.ts";
import type { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import {
  type ClarificationRecord,
  isActive,
  isAskedHere,
  issueNumberOf,
  parseClarificationId,
  type ThreadEntry,
} from "../clarify/schema.ts";
import { withoutSecrets } from "../redact/border.ts";
import type { Machine } from "./claims.ts";
import { type Folded, homeOf, type SharedEntry, type SharedLine } from "./fold.ts";

/** The name that changes of ledgers give as their author. */
const AGENT = "sync";

export interface QuestionParts {
  ledger: ClarificationLedger;
  /** Returns the uid of an issue; undefined if this machine keeps no issue of the number. */
  uidOf: (issueNumber: number) => string | undefined;
  /** Returns the local number of an issue; undefined if the issue is not on this machine. */
  numberOf: (uid: string) => number | undefined;
  own: Machine;
}

/** Adds lines for the questions, answers and decisions of agents on this machine; returns whether there were any. */
export async function shareChanges(
  { ledger, uidOf, own }: QuestionParts,
  add: (lines: SharedLine[]) => void,
): Promise<boolean> {
  const { clarifications } = ledger.scan();
  const issues = new Set(clarifications.filter(isUnshared).map(({ id }) => issueNumberOf(id)));
  for (const issue of issues) {
    const records = clarifications.filter(({ id }) => issueNumberOf(id) === issue);
    const texts = new Map<string, string>();
    for (const { topic, thread } of records) {
      for (const text of [topic, ...thread.map(({ body }) => body)]) {
        texts.set(text, await withoutSecrets(text));
      }
    }
    await ledger.exchange(issue, AGENT, (now) => {
      const changed = now.filter(isUnshared);
      // Secrets were not yet removed from a text that came in a moment ago: the next sync takes that record.
      const checked = changed.filter(({ thread }) => thread.every(({ body }) => texts.has(body)));
      add(checked.flatMap((record) => linesOf(record, { own, uid: uidOf(issue) ?? null, texts })));
    });
  }
  return issues.size > 0;
}

function isUnshared(record: ClarificationRecord): boolean {
  const { shared, thread, status, foreign } = record;
  if (foreign) return false;
  if (shared === undefined) return isActive(record);
  return thread.some(({ line }) => line === undefined) ||
    isMarked(status) && status !== shared.status && isAskedHere(record);
}

function isMarked(status: string): status is "stale" | "abandoned" {
  return status === "stale" || status === "abandoned";
}

/** Makes the lines for a record's changes, and marks the changes in the record as shared. */
function linesOf(
  record: ClarificationRecord,
  { own, uid: issueUid, texts }: { own: Machine; uid: string | null; texts: Map<string, string> },
): SharedLine[] {
  const { id, from, to, topic, blocking, maxRounds, created, thread, status, staleAfter } = record;
  const shared = record.shared ??= {
    uid: `${own.id}-${hashOf(`${id} ${created}`)}`,
    status: "pending",
    marks: [],
  };
  const { uid } = shared;
  const lines: SharedLine[] = [];
  const seen = [...thread.flatMap(({ line }) => line ?? []), ...shared.marks];
  const make = (part: Pick<SharedLine, "op" | "time" | "by"> & Partial<SharedLine>) => {
    const content = JSON.stringify([uid, part, seen.length]);
    const line = { v: 1, id: `${own.id}.${hashOf(content)}`, uid, after: [...seen], ...part };
    lines.push(line);
    seen.push(line.id);
    return line.id;
  };
  for (const [index, entry] of thread.entries()) {
    if (entry.line !== undefined) continue;
    const { round, from: by, type, timestamp } = entry;
    const body = texts.get(entry.body)!;
    const said: SharedEntry = { round, from: by, type, body, timestamp };
    const isFirst = index === 0 && isAskedHere(record);
    entry.line = make({
      time: timestamp,
      by,
      ...isFirst
        ? {
          op: "ask" as const,
          asked: {
            clr: id,
            issueUid,
            from,
            to,
            topic: texts.get(topic)!,
            blocking,
            maxRounds,
            created,
          },
        }
        : { op: "say" as const },
      entry: said,
      ...type === "question" && { staleAfter },
    });
  }
  if (isMarked(status) && status !== shared.status && isAskedHere(record)) {
    const mark = make({ op: "mark", time: staleAfter, by: from, status, staleAfter });
    shared.marks.push(mark);
  }
  shared.status = status;
  return lines;
}

/** Stores a clarification as its lines define it; returns a sentence if it has to wait. */
export async function keepFolded(
  folded: Folded,
  { ledger, uidOf, numberOf, own, machines }: QuestionParts & {
    machines: ReadonlyMap<string, Machine>;
  },
): Promise<ClarificationRecord | string | undefined> {
  const { asked, uid } = folded;
  const { issueNumber: theirs } = parseClarificationId(asked.clr);
  const issue = asked.issueUid === null ? theirs : numberOf(asked.issueUid) ?? theirs;
  const uidHere = uidOf(issue);
  const home = machines.get(homeOf(uid));
  if (uidHere !== undefined && uidHere !== (asked.issueUid ?? undefined)) {
    return `${asked.clr} of ${
      home?.name ?? "this machine"
    } waits for its issue, which is not here yet`;
  }
  const topic = await withoutSecrets(asked.topic);
  const bodies = new Map<string, string>();
  for (const { line, entry } of folded.thread) {
    bodies.set(line.id, await withoutSecrets(entry.body));
  }
  return await ledger.exchange(issue, AGENT, (records, nextId) => {
    let record = records.find(({ shared }) => shared?.uid === uid);
    if (record === undefined) {
      if (home === undefined) return; // asked by this machine and deleted here: it stays deleted
      const isFree = issue === theirs && records.every(({ id }) => id !== asked.clr);
      const { from, to, blocking, maxRounds, created } = asked;
      const { status, round, staleAfter, resolvedAt } = folded;
      const id = isFree ? asked.clr : nextId();
      record = {
        id,
        from,
        to,
        topic,
        blocking,
        status,
        round,
        maxRounds,
        created,
        staleAfter,
        resolvedAt,
        thread: [],
        shared: { uid, machine: home.name, status, marks: [] },
      };
      records.push(record);
    }
    // The record was changed a moment ago: the next sync first makes lines of that change.
    if (record.thread.some(({ line }) => line === undefined)) {
      return `${record.id} is being changed here`;
    }
    keepIn(record, folded, { own, machines, bodies });
    return structuredClone(record);
  });
}

function keepIn(
  record: ClarificationRecord,
  { status, round, staleAfter, resolvedAt, thread, marks }: Folded,
  { own, machines, bodies }: {
    own: Machine;
    machines: ReadonlyMap<string, Machine>;
    bodies: ReadonlyMap<string, string>;
  },
): void {
  const before = new Map(record.thread.map((entry) => [entry.line, entry]));
  const entries = thread.map(({ line, machine, entry }): ThreadEntry => {
    const known = before.get(line.id);
    if (known !== undefined) return known;
    const writer = machine === own.id ? undefined : machines.get(machine);
    return {
      round: entry.round,
      from: entry.from,
      type: entry.type,
      body: bodies.get(line.id)!,
      timestamp: entry.timestamp,
      line: line.id,
      // Nobody on this machine saw the person decide on the other machine.
      ...entry.from === HUMAN && { verified: false },
      ...writer && { machine: writer.name },
      ...writer && entry.from === HUMAN && { login: writer.login },
    };
  });
  if (record.round !== round && record.retriedAt) record.retriedAt = null;
  Object.assign(record, { status, round, staleAfter, resolvedAt, thread: entries });
  record.shared = { ...record.shared!, status, marks };
}
