// An agent's request to run a command, and a person's decision about it. Pure.

import type { HostProcess } from "../who/host_process.ts";

export const DECISIONS = ["once", "session", "refuse", "rule"] as const;

export type Decision = typeof DECISIONS[number];

export interface GuardRequest {
  id: string;
  session: string;
  agent: string | null;
  issue: number | null;
  /** The command, redacted. */
  command: string;
  /** The simple command that a rule could allow; null if no rule could. */
  line: string | null;
  hash: string;
  rule: string;
  reason: string;
  /** ISO-8601, UTC. */
  created: string;
  /** The process of the session's host. When it ends, the session asks no more. Absent if it is not known. */
  process?: HostProcess | undefined;
  /** Null until a person decides; `used` after a permission for one time was used. */
  decision: Decision | "used" | null;
}
