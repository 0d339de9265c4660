// Finds requests of the gate that wait for a human.

import { type Assumption, contradicting } from "../gate/assumption.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { riskLevel } from "../gate/request.ts";

/** The part of a workspace that gives access to the gate. */
export interface WithGate {
  gate(): Promise<HumanGate>;
}

/**
 * Lists the questions that wait for a human, oldest first. While the quota applies, there is at most one. Expired
 * questions are ended first. Throws `CORRUPT_STATE`, `NEWER_STATE`, `UNTRUSTED`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function openRequests(workspace: WithGate): Promise<GateInteraction[]> {
  return (await (await workspace.gate()).list()).filter(({ status }) => status === "pending");
}

/**
 * Lists the high-risk assumptions that no human has judged, and confirmed assumptions that contradict each other, oldest
 * first. Throws the errors of {@linkcode openRequests}.
 */
export async function unconfirmedRisks(workspace: WithGate): Promise<Assumption[]> {
  const gate = await workspace.gate();
  await gate.list();
  const all = gate.assumptions.list();
  return all.filter((one) =>
    contradicting(one, all).length > 0 ||
    one.status === "open" && riskLevel(one.risk_if_wrong) === "high"
  );
}

/**
 * Lists the assumptions about an issue that no human has judged, oldest first. Throws `CORRUPT_STATE`, `UNTRUSTED`.
 */
export async function unconfirmedOn({ gate }: WithGate, issue: number): Promise<Assumption[]> {
  return (await gate()).assumptions.list().filter((one) =>
    one.issue === issue && one.status === "open"
  );
}
