/**
 * Who acts: `--as`, else the agent in whose name the program runs, else a person (DESIGN section 6).
 *
 * @module
 */

import * as z from "zod/mini";
import { isAgentName, parseAgentName, roleOf } from "../agent_names.ts";
import { AGENT_VARIABLE, hostWorker } from "../agents/host_session.ts";
import { HUMAN } from "../clarify/transitions.ts";
import { AgentxError } from "../errors.ts";
import { argument } from "./arguments.ts";
import type { Io } from "./io.ts";
import { must } from "./inputs.ts";
import { misuse } from "./misuse.ts";

/**
 * @param description one sentence without a final period
 * @returns a schema for an agent's name such as `architect`, `pm` or `engineer@2`
 */
export function agentName(description: string): z.ZodMiniType<string, string> {
  const name = z.string().check(
    z.refine(isAgentName, must("be the name of an agent such as architect")),
  );
  return argument(z.pipe(name, z.transform((name: string) => parseAgentName(name))), description, {
    placeholder: "AGENT",
    completes: "agent",
  });
}

/** The flag `--as`. */
export const asAgent: z.ZodMiniOptional<z.ZodMiniType<string, string>> = z.optional(
  agentName("Who acts, or human; left out, the agent that runs this, else human"),
);

/**
 * The variable is a hint and not a proof: what runs an agent sets it, and the agent may unset it. But
 * what it says counts, and nothing that is set makes a person of an agent.
 *
 * @param io for the environment
 * @param as the value of `--as`
 * @returns an agent or `human`
 * @throws {AgentxError} `INVALID_INPUT` if an agent says it is somebody else, or the variable names
 *   nobody
 */
export function actingAgent(io: Io, as: string | undefined): string {
  const running = io.env(AGENT_VARIABLE);
  if (running === undefined) return as ?? HUMAN;
  if (running === "" || roleOf(running) === HUMAN) {
    const why = running === "" ? "it is empty" : "a human is not an agent";
    throw new AgentxError("INVALID_INPUT", `Cannot use ${AGENT_VARIABLE}="${running}": ${why}`, {
      details: { field: AGENT_VARIABLE, value: running },
      next: "Set it to the agent that acts; a human unsets it",
    });
  }
  const agent = parseAgentName(running);
  if (as === undefined || as === agent) return agent;
  throw misuse("act", { field: "--as", value: as, why: `this runs as ${agent}, not as ${as}` });
}

/**
 * Completes the name of an agent by the session that this runs in, so that two of one role are told
 * apart.
 *
 * @param io for the environment
 * @param agent with or without a worker
 * @returns such as `engineer@claude-3f2a`; the same name where it says its worker, or no host shows one
 */
export function nameInSession(io: Io, agent: string): string {
  const worker = hostWorker((name) => io.env(name));
  return agent.includes("@") || worker === undefined ? agent : `${agent}@${worker}`;
}
