// Derives the effective status of each agent: its open clarifications override its base (DESIGN section 4). Pure.

import { HUMAN } from "../../base/agent_names.ts";
import { isoTime } from "../../base/time.ts";
import {
  askerOf,
  type ClarificationRecord,
  isAskedHere,
  issueNumberOf,
  isUnanswered,
  STATES,
} from "../schema.ts";
import {
  type AgentBase,
  agentsOf,
  type AgentStatus,
  type AgentStatusFile,
  type AgentStatusName,
  baseOf,
  isForgotten,
  type RoleStatus,
  rowOf,
} from "./status_file.ts";

const KEYS = ["status", "issue", "clarificationId", "waitingOn", "respondingTo"] as const;

/** If a role has several sessions, the one that most needs help decides its status. */
const URGENCY: readonly AgentStatusName[] = [
  "blocked-clarification",
  "clarifying",
  "stuck",
  "working",
  "done",
  "idle",
];

/** A status without the facts that it was derived from. */
export type Overlay = Omit<AgentStatus, "lastActivity" | "base" | "session" | "process">;

/** Returns the effective status of one agent; `open` has all open clarifications, oldest first. */
export function overlay(
  agent: string,
  base: Pick<AgentBase, "status" | "issue">,
  open: readonly ClarificationRecord[],
): Overlay {
  const blocking = open.find((record) =>
    record.blocking && STATES[record.status].waitsFor !== "requester" &&
    askerOf(record) === agent && isAskedHere(record)
  );
  if (blocking !== undefined) {
    return {
      status: "blocked-clarification",
      issue: issueNumberOf(blocking.id),
      clarificationId: blocking.id,
      waitingOn: STATES[blocking.status].waitsFor === "human" ? HUMAN : blocking.to,
      respondingTo: null,
    };
  }
  const asked = open.find((record) => record.to === agent && isUnanswered(record));
  if (asked !== undefined) {
    return {
      status: "clarifying",
      issue: issueNumberOf(asked.id),
      clarificationId: asked.id,
      waitingOn: null,
      respondingTo: askerOf(asked),
    };
  }
  const { status, issue } = base;
  return { status, issue, clarificationId: null, waitingOn: null, respondingTo: null };
}

/** Returns the work of one agent, issue by issue: its effective status first, then its status on each further issue. */
export function workOf(
  agent: string,
  base: Pick<AgentBase, "status" | "issue">,
  { open, claimed }: { open: readonly ClarificationRecord[]; claimed: readonly number[] },
): Overlay[] {
  const first = overlay(agent, base, open);
  const own = open.filter((record) =>
    askerOf(record) === agent || record.to === agent && isUnanswered(record)
  );
  const issues = new Set([...own.map(({ id }) => issueNumberOf(id)), ...claimed]);
  if (base.status === "working" && base.issue !== null) issues.add(base.issue);
  if (first.issue !== null) issues.delete(first.issue);
  const others = Array.from(issues, (issue) => {
    const onIt = base.issue === issue ? base : { status: "working", issue } as const;
    return overlay(agent, onIt, own.filter((record) => issueNumberOf(record.id) === issue));
  });
  return [first, ...others];
}

/**
 * Derives the statuses from the open clarifications and the bases, with a row for each role. Sessions that are silent
 * and have neither a clarification nor an issue are left out. `holders` are the agents that have an issue; null if
 * unknown.
 */
export function deriveStatus(
  file: AgentStatusFile,
  { open, holders, nowMs }: {
    open: readonly ClarificationRecord[];
    holders: ReadonlySet<string> | null;
    nowMs: number;
  },
): AgentStatusFile {
  const known = agentsOf(file);
  const involved = new Set(open.flatMap((record) => [
    ...isAskedHere(record) ? [askerOf(record)] : [],
    record.to,
  ]));
  const now = isoTime(nowMs);
  const sessions = new Map<string, [name: string, entry: AgentStatus][]>();
  for (const name of new Set([...known.keys(), ...involved])) {
    const role = rowOf(name);
    const ofRole = sessions.get(role) ?? [];
    sessions.set(role, ofRole);
    if (role === name) continue;
    const before = known.get(name);
    const isNeeded = involved.has(name) || (holders?.has(name) ?? true);
    if (!isNeeded && before !== undefined && isForgotten(before, nowMs)) continue;
    ofRole.push([name, dated(before, effective(name, before, open), now)]);
  }
  const rows = Array.from(sessions, ([role, ofRole]): [string, RoleStatus] => {
    const before = known.get(role);
    const own = effective(role, before, open);
    const all = [own, ...ofRole.map(([, entry]) => entry)].sort(byUrgency(open));
    const together = Object.fromEntries(KEYS.map((key) => [key, all[0][key]])) as Overlay;
    const row = dated(before, { ...before, ...together, base: own.base }, now);
    return [role, ofRole.length === 0 ? row : { ...row, sessions: Object.fromEntries(ofRole) }];
  });
  return Object.fromEntries(rows); // no assignment: a name may be "__proto__"
}

function effective(
  name: string,
  before: AgentStatus | undefined,
  open: readonly ClarificationRecord[],
): Omit<AgentStatus, "lastActivity"> {
  const base = baseOf(before);
  return { ...before, ...overlay(name, base, open), base };
}

/** Dates an entry: one with the same values as before keeps its time, any other gets the current time. */
function dated<E extends Omit<AgentStatus, "lastActivity">>(
  before: AgentStatus | undefined,
  entry: E,
  now: string,
): E & { lastActivity: string } {
  const isSame = before?.lastActivity !== undefined &&
    KEYS.every((key) => before[key] === entry[key]);
  return { ...entry, lastActivity: isSame ? before.lastActivity : now };
}

/**
 * Returns the order of entries by urgency: by status, then the oldest clarification first, then the work that began
 * last.
 */
function byUrgency(open: readonly ClarificationRecord[]) {
  const age = new Map(open.map(({ id }, index) => [id, index]));
  const rank = ({ status, clarificationId, base }: Omit<AgentStatus, "lastActivity">) =>
    [
      URGENCY.indexOf(status),
      age.get(clarificationId ?? "") ?? 0,
      -(Date.parse(base.since ?? "") || 0),
    ] as const;
  return (a: Omit<AgentStatus, "lastActivity">, b: Omit<AgentStatus, "lastActivity">) => {
    const [left, right] = [rank(a), rank(b)];
    return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
  };
}
