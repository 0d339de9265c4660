// What an agent asked to run, and how a person decides. Pure.

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
  /** Null while nobody decided; `used` once a permission for one time was. */
  decision: Decision | "used" | null;
}
