// Checks who may act on a clarification: its requester, its target, and always the hub and a human. Pure.

import { HUB, HUMAN, isSessionName, roleOf } from "../../base/agent_names.ts";
import { invalidTransition } from "./invalid_transition.ts";
import { askerOf, type ClarificationRecord } from "../schema.ts";

export interface Actor {
  /** An agent, `human`, or `agent-x`. */
  by: string;
  /** Whether a session is gone; any session of its role may then act for it. */
  isGone?: (session: string) => boolean;
}

/**
 * Checks that the actor may act as the requester: the session that asked last; or any session of its role, if the
 * record names no session or that session is gone.
 */
export function checkRequester(record: ClarificationRecord, action: string, actor: Actor): void {
  if (!isRequester(record, actor)) refuseUnlessFree(record, action, actor);
}

/** Checks that the actor may answer: the target, or any worker of its role. */
export function checkAnswerer(record: ClarificationRecord, action: string, actor: Actor): void {
  if (!isTarget(record, actor)) refuseUnlessFree(record, action, actor, record.to);
}

/** Checks that the actor is the target or may act as the requester. */
export function checkParty(record: ClarificationRecord, action: string, actor: Actor): void {
  if (!isTarget(record, actor)) checkRequester(record, action, actor);
}

/** Whether the actor is an agent of the requester's role. */
export function isOfRole({ from }: ClarificationRecord, by: string): boolean {
  return roleOf(by) === roleOf(from);
}

function isRequester(record: ClarificationRecord, { by, isGone = () => false }: Actor): boolean {
  const asker = askerOf(record);
  if (by === asker) return true;
  if (!isOfRole(record, by)) return false;
  return !isSessionName(record.from) || !isSessionName(asker) || isGone(asker);
}

function isTarget({ to }: ClarificationRecord, { by }: Actor): boolean {
  return by === to || roleOf(by) === to;
}

function refuseUnlessFree(
  record: ClarificationRecord,
  action: string,
  { by }: Actor,
  target?: string,
): void {
  if (by === HUB || by === HUMAN) return;
  const who = target ?? askerOf(record);
  const isOtherSession = target === undefined && isOfRole(record, by);
  const until = isOtherSession
    ? ", until its session has ended or was silent for half an hour"
    : "";
  const why = `it is for ${who} or a human, not for ${by}`;
  throw invalidTransition(record, action, why, `Leave it to ${who}${until}`);
}
