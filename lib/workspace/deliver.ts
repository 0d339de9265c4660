// Delivers messages to agents that are not reached in any other way: runs the targets of open questions that no
// process is running, and resumes ended sessions to give them the answers to their questions.

import { roleOf } from "../base/agent_names.ts";
import { Runner } from "../clarify/hub/runner.ts";
import { type ClarificationRecord, isLookedAfter } from "../clarify/schema.ts";
import { allWaiting, waitingFor } from "../hooks/delivery.ts";
import { deliveryOf, type DeliveryReport } from "../hooks/delivery_report.ts";
import {
  HAS_NOT_ENDED,
  type WakeParts,
  type WakeReport,
  wakeSession,
  whySilent,
} from "../hooks/wake.ts";
import { sys } from "../sys/mod.ts";
import type { Workspace } from "./open.ts";
import { wakeParts } from "./wake_parts.ts";

/** The action for an entry of a thread. */
export interface Done {
  /**
   * `woken`: the session was run, and answered. `run`: the target was run. `failed`: that run failed. `due`: a dry
   * run, which would otherwise have acted. `none`: nothing was done.
   */
  action: "woken" | "run" | "failed" | "due" | "none";
  /** Why the run failed or why nothing was done, without a final period; null otherwise. */
  reason: string | null;
}

/** The delivery of an entry that waits or waited until now, with the action for the entry. */
export type DoneReport = DeliveryReport & Done;

const ACTIONS: Readonly<Record<WakeReport["outcome"], Done["action"]>> = {
  delivered: "woken",
  failed: "failed",
  left: "none",
  pending: "due",
};

/**
 * Delivers waiting entries, the oldest clarification of each issue first, and reports each entry. With `isDryRun`,
 * nothing is delivered.
 */
export async function deliver(
  workspace: Workspace,
  { isDryRun, signal }: { isDryRun: boolean; signal: AbortSignal },
): Promise<DoneReport[]> {
  const read = () => workspace.ledger.scan().clarifications;
  const { sessions, parts } = wakeParts(workspace);
  const { refusalOf } = parts;
  const done = await runTargets(workspace, { refusalOf, isDryRun, signal });
  for (const file of sessions) {
    const waiting = waitingFor(read(), parts.identify(file), sys.now());
    if (!waiting.some(({ kind }) => kind === "answer")) continue;
    const report = await wakeSession(file, parts, { isDryRun, signal });
    for (const id of report?.ids ?? []) {
      const { outcome, reason } = report as WakeReport;
      if (outcome !== "left" || !done.has(id)) done.set(id, { action: ACTIONS[outcome], reason });
    }
  }
  const known = parts.files.readAll();
  const isGone = (session: string) => workspace.status.isGone(session);
  return allWaiting(read(), sys.now()).flatMap(({ record }): DoneReport[] => {
    const report = deliveryOf(record, known);
    if (report === undefined) return [];
    const what = done.get(report.id) ?? doneFor(record, done);
    const isSettled = report.state === "shown" && what === undefined;
    return isSettled ? [] : [{ ...report, ...(what ?? leftAlone(report, record, isGone)) }];
  });
}

/**
 * Returns the report for an entry that was left alone. A session at work gets the entry through its hooks, so it
 * needs no run.
 */
function leftAlone(
  { kind, receiver }: DeliveryReport,
  record: ClarificationRecord,
  isGone: (session: string) => boolean,
): Done {
  const isNamed = kind === "answer" && receiver.includes("@");
  const reason = isGone(receiver) ? whySilent({ receiver, record }) : HAS_NOT_ENDED;
  return { action: "none", reason: isNamed ? reason : null };
}

/** Returns the action for a record's question. After a run, the answer waits instead, as the next entry. */
function doneFor({ id, thread }: ClarificationRecord, done: ReadonlyMap<string, Done>) {
  return done.get(`${id}.${thread.length - 1}`);
}

/** Runs the targets of open questions once, as `serve` does. */
async function runTargets(
  workspace: Workspace,
  { refusalOf, isDryRun, signal }: Pick<WakeParts, "refusalOf"> & {
    isDryRun: boolean;
    signal: AbortSignal;
  },
): Promise<Map<string, Done>> {
  const { ledger, runs } = workspace;
  const done = new Map<string, Done>();
  const roles = new Set<string>();
  for (
    const { id, kind, receiver, record } of allWaiting(ledger.scan().clarifications, sys.now())
  ) {
    if (kind !== "question" || !isLookedAfter(record)) continue;
    const role = roleOf(receiver);
    if (runs.isServed(role) || runs.look(record.id).state !== "nobody") continue;
    const reason = await refusalOf(role) ?? null;
    done.set(id, { action: reason !== null ? "none" : isDryRun ? "due" : "run", reason });
    if (reason === null) roles.add(role);
  }
  if (isDryRun || roles.size === 0) return done;
  const canRun = (role: string) => roles.has(role);
  const runner = new Runner({ ...workspace, role: undefined, canRun, signal });
  runner.look();
  do await runner.end(); while (runner.look().length > 0);
  await runner.end();
  for (const { id, kind } of allWaiting(ledger.scan().clarifications, sys.now())) {
    const isOpen = kind === "question" && done.get(id)?.action === "run";
    if (isOpen) done.set(id, { action: "failed", reason: "its target was run but gave no answer" });
  }
  return done;
}
