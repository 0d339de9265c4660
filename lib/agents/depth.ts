// Limits how deep agents may run each other: a long chain of agents that ask each other is a loop.

import { sys } from "../sys/mod.ts";
import { failedRun } from "./failed_run.ts";
import { DEPTH_VARIABLE } from "../who/host_session.ts";

const MAX_DEPTH = 4;

/**
 * Returns the length of the chain of agents that have run each other. Throws `AGENT_ERROR` if one more agent would make
 * the chain too long.
 */
export function checkDepth(agent: string): number {
  const depth = Number(sys.env(DEPTH_VARIABLE) ?? 0);
  if (depth < MAX_DEPTH) return depth;
  throw failedRun(agent, `agents have invoked each other ${depth} deep`);
}
