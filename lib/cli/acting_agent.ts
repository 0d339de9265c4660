// Who acts: `--as`, else the agent that the environment names, else the session of the host that
// runs it, else a person (DESIGN section 6).

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
  /** The evidence of an agent's session, as a clause after "since"; undefined where a person may act. */
  session: string | undefined;
  /** The session as its host names it, where one shows an id. */
  hostSession: string | undefined;
  /** Whether a person has typed it at a terminal. */
  isVerified: boolean;
  /** Whether the agent or its role is named. */
  isNamed: boolean;
  /** The agent, with its session where a host shows one; `role` is for a session that says none. */
  name(role?: string): string;
}

/**
 * Variables are hints, not proof: a session may unset them. Still they count, and no option turns
 * an agent into a human. Throws `INVALID_INPUT` if an agent says it is somebody else, or the
 * variable names nobody.
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

/** Whether the two can be one: a role says less than one session of it. */
export function mayBe(agent: string, other: string): boolean {
  if (agent === other) return true;
  return roleOf(agent) === roleOf(other) && !(agent.includes("@") && other.includes("@"));
}

/** Explains to an agent that may not decide why it is taken for an agent. */
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

/** The agent that `AGENTX_AGENT` names; throws `INVALID_INPUT` where that may not act. */
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

/** An agent in the session that this runs in. */
export interface AgentHere {
  /** With the worker that distinguishes it from others of its role, where the session shows one. */
  name: string;
  /** The session as its host names it, where one shows an id. */
  session: string | undefined;
}

/**
 * Like {@linkcode actingAgent}, where no question names the agent: the hub is refused as well. Throws
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
