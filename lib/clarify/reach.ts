// The party that answers for a role here, and the process that runs a question. Pure.

import { isTime } from "../base/checks.ts";
import { isoTime } from "../base/time.ts";
import { agentLabel } from "../text/agent_label.ts";
import type { ClarificationRecord } from "./schema.ts";

/** The party that answers the questions to a role. */
export type Reach =
  | { by: "run" } // an agent is run for each question
  // No agent can be run, and a session at work receives the questions by its hooks.
  | { by: "session"; agent: string }
  | { by: "machine"; machine: string } // another machine serves the role
  | ({ by: "nobody" } & NotRun);

/** The party that answers if no agent can be run. */
export type Unreached = Exclude<Reach, { by: "run" }>;

/** Why no agent can be run for a role. */
export interface NotRun {
  /** Whether a setting tells how to run the role; then only consent is missing. */
  isConfigured: boolean;
  /** The reason, as a clause that names the role. */
  reason: string;
  /** The command by which a person can change that. */
  next: string;
}

/** The process that is running a question or a runner. */
export interface RunState {
  clarificationId: string;
  /** `unseen`: the run may be over, but this cannot be told yet. */
  state: "running" | "unseen" | "nobody";
  /** The party that the run is for: the requester, or `serve`; null if unknown. */
  by: string | null;
  /** Process id; null if unknown. */
  pid: number | null;
  /** ISO-8601, UTC: when the run began; null if unknown. */
  since: string | null;
  /** ISO-8601, UTC: the last sign of life; null if no process is running the question. */
  lastSeen: string | null;
}

/** The run of an open question, if there is one, and the party that answers the question. */
export interface OpenRun extends RunState {
  /** The party that answers the question here. */
  reach: Reach;
  /** Whether the agent's reply is on disk, but no process has put it into the ledger yet. */
  hasReply: boolean;
}

/** The reason why an open question waits to be run. */
const NOT_RUNNING = "no process is running it";

/** The state of a question with a reply that arrived after the process of its run had ended. */
export const REPLY_HERE = "its reply is here";

/** Names the party that answers instead of a run, as a clause. */
export function describeReach(reach: Unreached): string {
  if (reach.by === "machine") return `agentx serve on ${reach.machine} answers it`;
  return reach.by === "session"
    ? `${reach.agent} is at work and receives it by its hooks`
    : `nobody answers: ${reach.reason}`;
}

/** Returns a person's next steps, one a line; `id` is the id of the question, or `ID` for any of several. */
export function waysOut(reach: Unreached, id: string): string[] {
  const answer = `answer it: agentx answer ${id} "..."`;
  if (reach.by !== "nobody") return [answer];
  return [answer, `or ${reach.isConfigured ? "agree to it" : "configure it"}: ${reach.next}`];
}

/** Returns, in a few words, why a stale clarification waits, or what to do about it. */
export function retryState(
  { id, retriedAt }: Pick<ClarificationRecord, "id" | "retriedAt">,
  reach: Reach,
): string {
  if (reach.by !== "run") return `answer it with: agentx answer ${id}`;
  return retriedAt
    ? `its one retry began at ${retriedAt}`
    : `one retry is left: agentx clarify run ${id}`;
}

/** Describes the run of an open question. */
export function describeRun(
  { state, by, pid, since, lastSeen }: RunState,
  nowMs: number,
): string {
  if (state === "nobody" || lastSeen === null) return NOT_RUNNING;
  const process = `process ${pid ?? "?"}${by === null ? "" : ` of ${agentLabel(by)}`}`;
  if (state === "running") {
    return `${process} is running it${since === null ? "" : ` since ${formatClock(since)}`}`;
  }
  return `${process} was running it, ${describeSeen({ lastSeen }, nowMs)}`;
}

/** Formats a time like `10:00:07`, in UTC. */
function formatClock(timestamp: string): string {
  return isTime(timestamp) ? isoTime(timestamp).slice(11, 19) : "?";
}

/** Describes when a run that may be over was last seen, such as `last seen 12 s ago`. */
export function describeSeen({ lastSeen }: Pick<RunState, "lastSeen">, nowMs: number): string {
  const ms = nowMs - Date.parse(lastSeen ?? "");
  return `last seen ${Math.max(0, Math.round(ms / 1_000))} s ago`;
}
