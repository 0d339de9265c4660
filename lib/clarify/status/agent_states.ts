// Describes the work of every agent, issue by issue, with its start. The facts come from the status file, the ledger,
// the runs of questions, and the claims. Pure.

import { type Overlay, workOf } from "./effective_status.ts";
import type { OpenRun } from "../reach.ts";
import { type ClarificationRecord, lastEntry } from "../schema.ts";
import { agentsOf, type AgentStatus, type AgentStatusFile } from "./status_file.ts";

/** The word for an agent that reported work, with no evidence for it. */
export const LAST_SEEN = "last seen";

/** The output for a session, or for a role that works without a session. */
export interface AgentState extends AgentStatus {
  agent: string;
  /** Whether the session has ended, or seems to have ended. */
  gone: boolean;
  /** ISO-8601, UTC: when the work of the status began; null if unknown. */
  since: string | null;
  /** The work of the agent, issue by issue, beginning with that of its status. */
  work: AgentWork[];
  run: AgentWork["run"];
  hasEvidence: boolean;
}

/** An agent's work on one issue, and its start. */
export type AgentWork = Overlay & Pick<AgentState, "since"> & {
  /** The run of the question that the agent is asked; null if it is asked nothing. */
  run: OpenRun | null;
  /** Whether there is evidence that the agent works: its process, its session's last half hour, or a lease. */
  hasEvidence: boolean;
};

/** Facts from outside the status file. */
interface Known {
  records: readonly ClarificationRecord[];
  /** The clarifications that still wait for an agent or a human, the oldest first. */
  open: readonly ClarificationRecord[];
  runs: readonly OpenRun[];
  isGone: (agent: string) => boolean;
  /**
   * Returns the numbers of an agent's open issues, each with the time of the claim; null if a person assigned the
   * issue.
   */
  claimedBy: (agent: string) => ReadonlyMap<number, string | null>;
  /** Returns the issues that a current lease gives to an agent. */
  leasedBy: (agent: string) => number[];
  /** Whether the agent's process runs, or its session spoke a short while ago. */
  isAtWork: (agent: string) => boolean;
}

/** Returns the state of every session, and of each role that also works without a session. */
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

/**
 * Returns when the work of a status began; null if unknown. The ledger takes precedence over the status file, because
 * that file also changes for other reasons.
 */
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
