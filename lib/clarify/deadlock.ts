// A question that closes a circle of agents who wait for each other: the rule of the monitor (DESIGN
// section 6) applies as soon as it is written, not at the next check.

import { roleOf } from "../base/agent_names.ts";
import type { HubParts } from "./hub_parts.ts";
import { askerOf, type ClarificationRecord, isLookedAfter, isUnanswered } from "./schema.ts";
import type { Deadlock } from "./wait_graph.ts";

/**
 * Escalates what breaks the deadlock that a question closes; undefined where there is none.
 * Processes that close one at the same time come to the same choice, and one of them makes it.
 * Throws `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function breakDeadlock(
  asked: ClarificationRecord,
  parts: HubParts,
): Promise<Deadlock | undefined> {
  if (!asked.blocking || asked.foreign) return undefined;
  const others = parts.ledger.scan().clarifications
    .filter((record) => isLookedAfter(record) && record.id !== asked.id);
  if (!others.some((record) => waitsFor(record, asked))) return undefined;
  const [{ findDeadlocks }, { Remedies }] = await Promise.all([
    import("./findings.ts"),
    import("./remedies.ts"),
  ]);
  // As it was written, since another process may have escalated it for the same circle by now.
  const found = findDeadlocks([...others, asked]);
  const own = [...found].filter(([, { cycle }]) => cycle.includes(asked.id));
  const reachOf = (agent: string) => parts.runs.reach(agent);
  await new Remedies({ ...parts, reachOf }).breakDeadlocks(new Map(own));
  return own.at(0)?.[1];
}

/** Mostly nobody waits for the asker, and there is no circle. */
function waitsFor(record: ClarificationRecord, asked: ClarificationRecord): boolean {
  return record.blocking && isUnanswered(record) && roleOf(record.to) === roleOf(askerOf(asked));
}
