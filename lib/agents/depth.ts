// How deep agents may run each other: an agent that asks an agent that asks an agent is a loop in the end.

import { sys } from "../sys/mod.ts";
import { failedRun } from "./failed_run.ts";
import { DEPTH_VARIABLE } from "../who/host_session.ts";

const MAX_DEPTH = 4;

/**
 * The length of the chain of agents that have run each other; throws `AGENT_ERROR` where another
 * one makes it too long.
 */
export function checkDepth(agent: string): number {
  const depth = Number(sys.env(DEPTH_VARIABLE) ?? 0);
  if (depth < MAX_DEPTH) return depth;
  throw failedRun(agent, `agents have invoked each other ${depth} deep`);
}
