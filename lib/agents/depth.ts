/**
 * How deep agents may run each other: an agent that asks an agent that asks an agent is a loop in the end.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";
import { failedRun } from "./failed_run.ts";
import { DEPTH_VARIABLE } from "../who/host_session.ts";

const MAX_DEPTH = 4;

/**
 * @param agent who is to be run
 * @returns the length of the chain of agents that have run each other, without this one
 * @throws {AgentxError} `AGENT_ERROR` where it is too long
 */
export function checkDepth(agent: string): number {
  const depth = Number(sys.env(DEPTH_VARIABLE) ?? 0);
  if (depth < MAX_DEPTH) return depth;
  throw failedRun(agent, `agents have invoked each other ${depth} deep`);
}
