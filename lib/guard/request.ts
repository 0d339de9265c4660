// An agent's request to run a command, and a person's decision about it. Pure.

import type { HostProcess } from "../who/host_process.ts";

export const DECISIONS = ["once", "session", "refuse", "rule"] as const;

export type Decision = typeof DECISIONS[number];

export interface GuardRequest {
  id: string;
  session: string;
  agent: string | null;
  issue: number | null;
  /** Redacted. */
  command: string;
  /** The simple command that a rule could allow; null where none can. */
  line: string | null;
  hash: string;
  rule: string;
  reason: string;
  /** ISO-8601, UTC. */
  created: string;
  /** The process of the session's host, after which no session asks again; absent where it is unknown. */
  process?: HostProcess | undefined;
  /** Null while nobody decided; `used` once a permission for one time was. */
  decision: Decision | "used" | null;
}
