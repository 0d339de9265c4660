/**
 * Who is at open questions, as text for a terminal. Pure.
 *
 * @module
 */

import { isTime } from "../../checks.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { isoTime } from "../../time.ts";
import type { OpenRun, RunState } from "../runs.ts";
import { retryState } from "../overdue.ts";
import type { ClarificationRecord } from "../schema.ts";
import { agentLabel } from "./agent_label.ts";
import { columns } from "./threads.ts";

/** Of an open question that waits for somebody to take it up. */
export const NOBODY_ON_IT = "nobody is on it";

/** So many questions that nobody is on get a line each. */
const MAX_UNTOUCHED = 5;

/**
 * Whether somebody is at the open questions among some clarifications.
 *
 * @param records clarifications
 * @param runs what can be seen of them
 * @param view where they are shown, and the time to which is counted, epoch milliseconds
 * @returns a line for each, after an empty one; many that nobody is on share one
 */
export function renderRuns(
  records: readonly ClarificationRecord[],
  runs: readonly OpenRun[],
  { style, width, nowMs }: RenderView & { nowMs: number },
): string[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const isPlain = ({ state, clarificationId }: RunState) =>
    state === "nobody" && byId.get(clarificationId)?.status === "pending";
  const untouched = runs.filter(isPlain);
  const isMany = untouched.length > MAX_UNTOUCHED;
  const lines = runs.filter((run) => !(isMany && isPlain(run)))
    .map((run) => runLine(byId.get(run.clarificationId)!, run, nowMs));
  if (isMany) {
    const next = untouched.some(({ canRun }) => canRun)
      ? "run one with: agentx clarify retry ID"
      : 'answer one with: agentx clarify answer ID "..."';
    lines.push(
      `nobody is on ${untouched.length} ${lines.length > 0 ? "more" : "of them"}; ${next}`,
    );
  }
  if (lines.length === 0) return [];
  return ["", ...lines.map((line) => style.dim(`  ${terminalLine(line, columns(width) - 2)}`))];
}

/**
 * Who is at an open question.
 *
 * @param run what can be seen of it
 * @param nowMs the time to which is counted, epoch milliseconds
 * @returns a clause
 */
export function describeRun(
  { state, by, pid, since, lastSeen }: RunState,
  nowMs: number,
): string {
  if (state === "nobody" || lastSeen === null) return NOBODY_ON_IT;
  const process = `process ${pid ?? "?"}${by === null ? "" : ` of ${agentLabel(by)}`}`;
  if (state === "running") {
    return `${process} is on it${since === null ? "" : ` since ${formatClock(since)}`}`;
  }
  return `${process} was on it, ${describeSeen({ lastSeen }, nowMs)}`;
}

function runLine(
  { id, status, retriedAt }: ClarificationRecord,
  run: OpenRun,
  nowMs: number,
): string {
  const { state, canRun } = run;
  if (state !== "nobody") return `${id}: ${describeRun(run, nowMs)}`;
  if (status === "pending") {
    const next = canRun ? `run it: agentx clarify retry` : "answer it: agentx clarify answer";
    return `${id}: ${NOBODY_ON_IT}; ${next} ${id}`;
  }
  if (!retriedAt || !canRun) return `${id} is stale: ${retryState({ id }, canRun)}`;
  return `${id} is stale, its retry was cut off: agentx clarify retry ${id}`;
}

/** `10:00:07`, UTC. */
function formatClock(timestamp: string): string {
  return isTime(timestamp) ? isoTime(timestamp).slice(11, 19) : "?";
}

/**
 * When a run that may be over was seen.
 *
 * @param run what can be seen of it
 * @param nowMs the time to which is counted, epoch milliseconds
 * @returns such as `last seen 12 s ago`
 */
export function describeSeen({ lastSeen }: Pick<RunState, "lastSeen">, nowMs: number): string {
  const ms = nowMs - Date.parse(lastSeen ?? "");
  return `last seen ${Math.max(0, Math.round(ms / 1_000))} s ago`;
}
