// What every agent is doing, issue by issue, and since when: put together from the status file, the
// ledger, the runs of questions, and the claims. Pure.

import { type Overlay, workOf } from "./effective_status.ts";
import type { OpenRun } from "../reach.ts";
import { type ClarificationRecord, lastEntry } from "../schema.ts";
import { agentsOf, type AgentStatus, type AgentStatusFile } from "./status_file.ts";

/** The word for an agent that only claimed to work. */
export const LAST_SEEN = "last seen";

/** A session, or a role that works without one, in the output. */
export interface AgentState extends AgentStatus {
  agent: string;
  /** Whether its session has ended, or seems to have. */
  gone: boolean;
  /** ISO-8601, UTC: when it began what its status says; null where that is not known. */
  since: string | null;
  /** Its work issue by issue; the first is that of its status. */
  work: AgentWork[];
  run: AgentWork["run"];
  hasEvidence: boolean;
}

/** An agent's work on one issue, and its start. */
export type AgentWork = Overlay & Pick<AgentState, "since"> & {
  /** The run of the question that it is asked; null where it is asked nothing. */
  run: OpenRun | null;
  /** Whether something shows that it works: its process, its session's last half hour, or a lease. */
  hasEvidence: boolean;
};

/** Facts from outside the status file. */
interface Known {
  records: readonly ClarificationRecord[];
  /** The open ones, the oldest first. */
  open: readonly ClarificationRecord[];
  runs: readonly OpenRun[];
  isGone: (agent: string) => boolean;
  /** The numbers of an agent's open issues, each with the time of the claim; null where a person assigned it. */
  claimedBy: (agent: string) => ReadonlyMap<number, string | null>;
  /** The issues that a current lease gives to an agent. */
  leasedBy: (agent: string) => number[];
  /** Whether its process runs, or its session spoke a short while ago. */
  isAtWork: (agent: string) => boolean;
}

/** Every session, and each role that is more than its sessions. */
export function agentStates(
  file: AgentStatusFile,
  { records, open, runs, isGone, claimedBy, leasedBy, isAtWork }: Known,
): AgentState[] {
  const runById = new Map(runs.map((run) => [run.clarificationId, run]));
  const hasSessions = (name: string) => Object.hasOwn(file, name) && file[name].sessions;
  return Array.from(agentsOf(file), ([agent, entry]): AgentState => {
    const gone = entry.base.since !== null && isGone(agent);
    const base = gone ? { ...entry.base, status: "done" } as const : entry.base;
    const claims = gone ? new Map<number, string | null>() : claimedBy(agent);
    const [first, ...others] = workOf(agent, base, { open, claimed: [...claims.keys()] })
      .map((work): AgentWork => {
        const run = work.status === "clarifying" && runById.get(work.clarificationId!) || null;
        const runsSince = run?.state === "running" ? run.since : null;
        const hasEvidence = work.status !== "working" || isAtWork(agent) ||
          leasedBy(agent).includes(work.issue ?? 0);
        const claimed = claims.get(work.issue ?? 0) ?? null;
        const since = runsSince ?? sinceOf(work, entry, records) ?? claimed;
        return { ...work, since, run, hasEvidence };
      });
    return { ...entry, ...first, agent, gone, work: [first, ...others] };
  })
    .filter(({ agent, status, base }) =>
      !hasSessions(agent) || status !== "idle" || base.since !== null
    )
    .sort((a, b) => a.agent < b.agent ? -1 : 1);
}

/** The ledger knows better than the status file, which changes for other reasons too. */
function sinceOf(
  { status, issue, clarificationId }: Overlay,
  { base, lastActivity }: AgentStatus,
  records: readonly ClarificationRecord[],
): string | null {
  const record = records.find(({ id }) => id === clarificationId);
  const question = record && lastEntry(record, "question");
  const since = status === "clarifying" ? question?.timestamp : record?.created;
  const isBase = (status === base.status || status === "done") && issue === base.issue;
  const time = since ?? (isBase ? base.since ?? lastActivity : "");
  return Number.isNaN(Date.parse(time)) ? null : time;
}
