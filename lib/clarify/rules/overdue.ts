// Clarifications whose question waited too long, or whose asker moved on without an answer. Pure.

import type { Reach } from "../reach.ts";
import {
  type ClarificationRecord,
  issueNumberOf,
  isUnanswered,
  type ThreadEntry,
} from "../schema.ts";
import type { AgentBase } from "../status/status_file.ts";

/** Whether its question has waited longer than it may. */
export function isOverdue(record: ClarificationRecord, nowMs: number): boolean {
  return isUnanswered(record) && nowMs > Date.parse(record.staleAfter);
}

/** Whether the asker took up another issue after it had asked. */
export function hasMovedOn(record: ClarificationRecord, base: AgentBase | undefined): boolean {
  if (base === undefined || base.issue === null || base.since === null) return false;
  const { id, formerIds = [] } = record;
  const asked = questionsOf(record).at(-1)?.timestamp ?? record.created;
  const issues = [id, ...formerIds].map((id) => issueNumberOf(id));
  return base.status === "working" && base.since > asked && !issues.includes(base.issue);
}

/** The questions of its thread, in the order of asking. */
export function questionsOf({ thread }: ClarificationRecord): ThreadEntry[] {
  return thread.filter(({ type }) => type === "question");
}

/** What a stale clarification waits for, in a few words. */
export function retryState(
  { id, retriedAt }: Pick<ClarificationRecord, "id" | "retriedAt">,
  reach: Reach,
): string {
  if (reach.by !== "run") return `answer it with: agentx answer ${id}`;
  return retriedAt
    ? `its one retry began at ${retriedAt}`
    : `one retry is left: agentx clarify run ${id}`;
}
