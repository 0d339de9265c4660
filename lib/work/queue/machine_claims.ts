// Claims of a workspace that several machines share, as the queue sees them.

import type { Issue } from "../issue/issue.ts";

/** A claim of another machine. */
export interface ClaimElsewhere {
  agent: string;
  /** The name of the machine. */
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

/** Decides between machines. Within one, the lock of the issues does. */
export interface MachineClaims {
  /** Reads the claims at the remote. @throws {AgentxError} `SYNC_ERROR` */
  refresh(): Promise<void>;
  /** The claims of other machines as they were heard of last, by the uid of the issue. */
  elsewhere(): ReadonlyMap<string, ClaimElsewhere>;
  /**
   * Takes an issue for this machine.
   *
   * @returns the claim of another machine; undefined if this machine has it now
   * @throws {AgentxError} `SYNC_ERROR`
   */
  take(claim: LocalClaim): Promise<ClaimElsewhere | undefined>;
  /** Notes that an issue was claimed without asking the others. */
  takeHere(claim: LocalClaim): Promise<void>;
  /** Tells the others that an agent gave an issue back; if they cannot be reached, the next sync does. */
  giveBack(claim: Pick<LocalClaim, "issue" | "agent">): Promise<void>;
}
