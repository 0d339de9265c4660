// The interface through which the queue sees claims of several machines that share a workspace.

import type { Issue } from "../issue/issue.ts";

/** A claim of another machine. */
export interface ClaimElsewhere {
  agent: string;
  /** Name of the machine. */
  machine: string;
  /** ISO-8601, UTC. */
  until: string;
}

/** A claim of an agent on this machine. */
export interface LocalClaim {
  issue: Pick<Issue, "number" | "uid">;
  agent: string;
  /** Milliseconds since the epoch. */
  untilMs: number;
}

/** Decides which machine gets a claim. On one machine, the lock of the issues decides. */
export interface MachineClaims {
  /** Reads the claims from the remote. @throws {AgentxError} `SYNC_ERROR` */
  refresh(): Promise<void>;
  /** Returns the last known claims of other machines, by the uid of the issue. */
  elsewhere(): ReadonlyMap<string, ClaimElsewhere>;
  /**
   * Claims an issue for this machine.
   *
   * @returns the claim of another machine that has the issue; undefined if this machine has it now
   * @throws {AgentxError} `SYNC_ERROR`
   */
  take(claim: LocalClaim): Promise<ClaimElsewhere | undefined>;
  /** Records a claim without asking the other machines. */
  takeHere(claim: LocalClaim): Promise<void>;
  /**
   * Tells the other machines that an agent released an issue. If the remote cannot be reached, the next sync tells
   * them.
   */
  giveBack(claim: Pick<LocalClaim, "issue" | "agent">): Promise<void>;
}
