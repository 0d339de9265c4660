// Determines who acts: the agent in `--as`, else the agent that the environment names, else the session of the host
// that runs the command, else a person (DESIGN section 6).

import {
  HUB,
  HUMAN,
  isAgentName,
  isRoleName,
  nameRule,
  parseAgentName,
  roleOf,
  SOME_AGENT,
} from "../base/agent_names.ts";
import { AGENT_VARIABLE, hostSession, nameInSession } from "../who/host_session.ts";
import { OWN_TERMINAL, surfaceOf, WHO_MAY_DECIDE } from "../who/surface.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import type { Io } from "./io.ts";
import { inSession } from "./person.ts";
import { usageError } from "./usage_error.ts";

/** The actor, as far as the command line and the environment show one. */
export interface ActingAgent {
  /** The evidence of an agent's session, as a clause after "since"; undefined if a person may act. */
  session: string | undefined;
  /** The session id of the host, if it shows one. */
  hostSession: string | undefined;
  /** Whether a person has typed the command at a terminal. */
  isVerified: boolean;
  /** Whether the command line or the environment names the agent or its role. */
  isNamed: boolean;
  /**
   * Returns the agent, with its session if the host shows one; `role` is the default for a session that names no agent.
   */
  name(role?: string): string;
}

/**
 * Returns who acts. Variables are hints, not proof, because a session may unset them. They still count, and no option
 * turns an agent into a human. Throws `INVALID_INPUT` if an agent claims to be another one, or the variable names no
 * agent.
 */
export function actingAgent(io: Io, as: string | undefined): ActingAgent {
  const running = runningAgent(io);
  const { env } = io;
  const { surface, agent: session } = surfaceOf(io);
  if (session === undefined) {
    const isVerified = WHO_MAY_DECIDE[surface].clarification === "yes";
    const isNamed = as !== undefined;
    return { session, hostSession: undefined, isVerified, isNamed, name: () => as ?? HUMAN };
  }
  const isOther = as !== undefined && running !== undefined && !mayBe(as, running);
  if (as === HUMAN) throw notHuman(session);
  if (isOther) {
    const why = `this runs as ${running} (${AGENT_VARIABLE}), not as ${as}`;
    throw usageError("", { field: "--as", value: as, why, hint: "Leave --as out." });
  }
  const said = as?.includes("@") ? as : running ?? as;
  const spokenFor = (role: string) => isRoleName(roleOf(role)) ? roleOf(role) : SOME_AGENT;
  return {
    session,
    hostSession: hostSession(env),
    isVerified: false,
    isNamed: said !== undefined,
    name: (role = SOME_AGENT) => nameInSession(env, said ?? spokenFor(role)),
  };
}

function notHuman(session: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot act as human: ${inSession(session)}`, {
    details: { field: "--as", value: HUMAN },
    next: OWN_TERMINAL,
  });
}

/** Whether two names can mean the same agent: a role without a session matches any session of that role. */
export function mayBe(agent: string, other: string): boolean {
  if (agent === other) return true;
  return roleOf(agent) === roleOf(other) && !(agent.includes("@") && other.includes("@"));
}

/**
 * Returns the result of `run`. If `run` refuses a decision to an agent, adds to the error why the caller is regarded as
 * an agent.
 */
export async function explainingWhy<T>({ session }: ActingAgent, run: Promise<T>): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (session === undefined || !hasCode(error, "INVALID_TRANSITION")) throw error;
    if (error.details.status !== "escalated") throw error;
    throw new AgentxError(error.code, error.summary, {
      details: error.details,
      next: `${error.next}. But ${inSession(session)}. ${OWN_TERMINAL}`,
      cause: error,
    });
  }
}

/** Returns the agent that `AGENTX_AGENT` names; throws `INVALID_INPUT` if that name may not act. */
function runningAgent(io: Io): string | undefined {
  const running = io.env(AGENT_VARIABLE);
  if (running === undefined) return undefined;
  const why = running === ""
    ? "it is empty"
    : roleOf(running) === HUMAN
    ? "a human is not an agent"
    : isAgentName(running)
    ? undefined
    : nameRule(running);
  if (why === undefined) return parseAgentName(running);
  throw unusable(running, why);
}

/** An agent in the current session. */
export interface AgentHere {
  /** Includes the worker that distinguishes the agent from others of its role, if the session shows one. */
  name: string;
  /** The session id of the host, if it shows one. */
  session: string | undefined;
}

/**
 * Like {@linkcode actingAgent}, but for an agent that no question names. It also refuses the hub. Throws
 * `INVALID_INPUT` if the variable names nobody who may act.
 */
export function agentHere(io: Io, agent: string): AgentHere {
  const running = runningAgent(io);
  if (running !== undefined && roleOf(running) === HUB) {
    throw unusable(running, "nobody acts as the hub");
  }
  return { name: nameInSession(io.env, agent), session: hostSession(io.env) };
}

function unusable(running: string, why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot use ${AGENT_VARIABLE}="${running}": ${why}`, {
    details: { field: AGENT_VARIABLE, value: running },
    next: "Set it to the agent that acts; a human unsets it",
  });
}
