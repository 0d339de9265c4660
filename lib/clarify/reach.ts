// Finds the party that answers for a role here, and the process at work on a question. Pure.

import { isTime } from "../base/checks.ts";
import { isoTime } from "../base/time.ts";
import { agentLabel } from "../text/agent_label.ts";
import type { ClarificationRecord } from "./schema.ts";

/** The party that answers the questions to a role. */
export type Reach =
  | { by: "run" } // an agent is run for them
  | { by: "session"; agent: string } // no agent can be run, and a session at work receives them by its hooks
  | { by: "machine"; machine: string } // another machine serves the role
  | ({ by: "nobody" } & NotRun);

/** The party that answers where no agent can be run. */
export type Unreached = Exclude<Reach, { by: "run" }>;

/** Why no agent can be run for a role. */
export interface NotRun {
  /** Whether it is set how the role is run: then only consent is missing. */
  isConfigured: boolean;
  /** A clause that names the role. */
  reason: string;
  /** The command of a person that changes it. */
  next: string;
}

/** Which process is running something. */
export interface RunState {
  clarificationId: string;
  /** `unseen`: it may be over, which cannot be seen yet. */
  state: "running" | "unseen" | "nobody";
  /** For whom it is run: the requester, or `serve`; null if that is not known. */
  by: string | null;
  /** Process id; null if that is not known. */
  pid: number | null;
  /** ISO-8601, UTC: when the run began; null if that is not known. */
  since: string | null;
  /** ISO-8601, UTC: the last sign of life; null if no process is running it. */
  lastSeen: string | null;
}

/** Which process is running an open question. */
export interface OpenRun extends RunState {
  /** The party that answers it here. */
  reach: Reach;
  /** Whether the agent's reply is on disk, though no process has put it into the ledger. */
  hasReply: boolean;
}

/** The reason of an open question that waits to be run. */
const NOT_RUNNING = "no process is running it";

/** For a question with an answer that came after the process of its run had ended. */
export const REPLY_HERE = "its reply is here";

/** Names the party that answers instead of a run, as a clause. */
export function describeReach(reach: Unreached): string {
  if (reach.by === "machine") return `agentx serve on ${reach.machine} answers it`;
  return reach.by === "session"
    ? `${reach.agent} is at work and receives it by its hooks`
    : `nobody answers: ${reach.reason}`;
}

/** A person's next steps, a line each; `id` is that of the question, or `ID` for any of several. */
export function waysOut(reach: Unreached, id: string): string[] {
  const answer = `answer it: agentx answer ${id} "..."`;
  if (reach.by !== "nobody") return [answer];
  return [answer, `or ${reach.isConfigured ? "agree to it" : "configure it"}: ${reach.next}`];
}

/** Says in a few words why a stale clarification waits. */
export function retryState(
  { id, retriedAt }: Pick<ClarificationRecord, "id" | "retriedAt">,
  reach: Reach,
): string {
  if (reach.by !== "run") return `answer it with: agentx answer ${id}`;
  return retriedAt
    ? `its one retry began at ${retriedAt}`
    : `one retry is left: agentx clarify run ${id}`;
}

/** Describes the run at an open question. */
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

/** `10:00:07`, UTC. */
function formatClock(timestamp: string): string {
  return isTime(timestamp) ? isoTime(timestamp).slice(11, 19) : "?";
}

/** When a run that may be over was seen, such as `last seen 12 s ago`. */
export function describeSeen({ lastSeen }: Pick<RunState, "lastSeen">, nowMs: number): string {
  const ms = nowMs - Date.parse(lastSeen ?? "");
  return `last seen ${Math.max(0, Math.round(ms / 1_000))} s ago`;
}
