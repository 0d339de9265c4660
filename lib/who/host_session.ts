// Finds the agent's session around this process by the environment. The variables are hints, not proof: a session can
// unset them. Pure.

import { isAgentName, parseAgentName, roleOf } from "../base/agent_names.ts";
import type { SessionVariables } from "../hosts/host.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../hosts/hosts.ts";

interface SessionHost extends SessionVariables {
  name: HostName;
}

/** The hosts that show their sessions to what their agents run, in the order of the table. */
export const SESSION_HOSTS: readonly SessionHost[] = HOST_NAMES.flatMap((name) => {
  const { session } = HOSTS[name];
  return session === undefined ? [] : [{ name, ...session }];
});

/** The agent behind a child that runs `agentx`. */
export const AGENT_VARIABLE = "AGENTX_AGENT";

/** The length of the chain of agents that have invoked each other. */
export const DEPTH_VARIABLE = "AGENTX_DEPTH";

/** `agentx mcp` sets this for itself: agents call its tools. */
export const MCP_VARIABLE = "AGENTX_MCP";

const SESSION_VARIABLES: readonly string[] = [
  AGENT_VARIABLE,
  DEPTH_VARIABLE,
  MCP_VARIABLE,
  ...SESSION_HOSTS.flatMap(({ variables }) => variables),
];

/** A real id has 36 characters; an id set by hand may have any number. */
const MAX_SESSION = 200;

export type Environment = (name: string) => string | undefined;

/**
 * The variable that shows that this is the session of an agent, whatever its value; undefined if none.
 */
export function sessionVariable(env: Environment): string | undefined {
  return SESSION_VARIABLES.find((name) => env(name) !== undefined);
}

/** Whether a variable names the session of a process: another agent's child must not get it. */
export function isSessionVariable(name: string): boolean {
  return SESSION_VARIABLES.includes(name);
}

/**
 * Names the session by its host and the last four digits of its id, as in `claude-3f2a`. These are
 * random in every kind of UUID; of an id that ends otherwise, four digits stand for all of it. A
 * host inside another's session has the other's variables too: then both are in the name.
 */
export function hostWorker(env: Environment): string | undefined {
  const parts = sessionIds(env).map(([name, id]) => `${name}-${fourDigits(id)}`);
  return parts.length === 0 ? undefined : parts.slice(0, 2).join("-");
}

/**
 * Adds the worker of this session to a name without one, as in `engineer@claude-3f2a`. The worker comes
 * from `AGENTX_AGENT` if that names this role, and otherwise from the host.
 */
export function nameInSession(env: Environment, agent: string): string {
  if (agent.includes("@")) return agent;
  const running = env(AGENT_VARIABLE);
  if (running?.includes("@") && isAgentName(running)) {
    const name = parseAgentName(running);
    if (roleOf(name) === agent) return name;
  }
  const worker = hostWorker(env);
  return worker === undefined ? agent : `${agent}@${worker}`;
}

/** Distinguishes sessions that have the same name: hosts and whole ids, 200 characters at most. */
export function hostSession(env: Environment): string | undefined {
  const ids = sessionIds(env).map(([name, id]) => `${name}:${id}`);
  return ids.length === 0 ? undefined : ids.join(" ").slice(-MAX_SESSION);
}

/**
 * The whole id by which hooks know the session. Where hosts run in each other, the last in the
 * table.
 */
export function hostSessionId(env: Environment): string | undefined {
  const ids = SESSION_HOSTS.flatMap(({ id }) => id === null ? [] : env(id) ?? []);
  return ids.filter((id) => id.trim() !== "").at(-1);
}

function sessionIds(env: Environment): [host: string, id: string][] {
  return SESSION_HOSTS.flatMap(({ name, id: variable }): [string, string][] => {
    const id = (variable === null ? "" : env(variable) ?? "").toLowerCase();
    return id.trim() === "" ? [] : [[name, id]];
  });
}

function fourDigits(id: string): string {
  if (/[0-9a-f]{4}$/.test(id)) return id.slice(-4);
  let hash = 0x811c9dc5; // FNV-1a, which is short and waits for nothing
  for (const unit of id) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  return (hash >>> 16 ^ hash & 0xffff).toString(16).padStart(4, "0");
}
