// Finds the requests of the gate that wait for a human.

import { type Assumption, contradicting } from "../gate/assumption.ts";
import type { HumanGate } from "../gate/gate.ts";
import type { GateInteraction } from "../gate/interaction.ts";
import { riskLevel } from "../gate/request.ts";

/** A part of a workspace. */
export interface WithGate {
  gate(): Promise<HumanGate>;
}

/**
 * Lists the questions that wait for a human, the oldest first; one at most, while the quota holds. First ends those
 * that are out of time. Throws `CORRUPT_STATE`, `NEWER_STATE`, `UNTRUSTED`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function openRequests(workspace: WithGate): Promise<GateInteraction[]> {
  return (await (await workspace.gate()).list()).filter(({ status }) => status === "pending");
}

/**
 * Lists the assumptions of high risk that no human has judged, and confirmed ones that contradict
 * each other, the oldest first. Throws the errors of {@linkcode openRequests}.
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

/** Assumptions of agents about an issue that no human has judged, the oldest first. Throws `CORRUPT_STATE`, `UNTRUSTED`. */
export async function unconfirmedOn({ gate }: WithGate, issue: number): Promise<Assumption[]> {
  return (await gate()).assumptions.list().filter((one) =>
    one.issue === issue && one.status === "open"
  );
}
