// Finds the agent session around this process from environment variables. The variables are hints and not proof,
// because a session can unset them. Pure.

import { isAgentName, parseAgentName, roleOf } from "../base/agent_names.ts";
import type { SessionVariables } from "../hosts/host.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../hosts/hosts.ts";

interface SessionHost extends SessionVariables {
  name: HostName;
}

/** The hosts that set session variables for the commands of their agents, in the order of the table. */
export const SESSION_HOSTS: readonly SessionHost[] = HOST_NAMES.flatMap((name) => {
  const { session } = HOSTS[name];
  return session === undefined ? [] : [{ name, ...session }];
});

/** The variable with the name of the agent that started this process. */
export const AGENT_VARIABLE = "AGENTX_AGENT";

/** The length of the chain of agents that have invoked each other. */
export const DEPTH_VARIABLE = "AGENTX_DEPTH";

/** `agentx mcp` sets this variable for itself, because agents call its tools. */
export const MCP_VARIABLE = "AGENTX_MCP";

const SESSION_VARIABLES: readonly string[] = [
  AGENT_VARIABLE,
  DEPTH_VARIABLE,
  MCP_VARIABLE,
  ...SESSION_HOSTS.flatMap(({ variables }) => variables),
];

/** Maximum length of a session id. A real id has 36 characters, but an id that was set by hand may be longer. */
const MAX_SESSION = 200;

export type Environment = (name: string) => string | undefined;

/** Returns the variable that shows that this is an agent's session, whatever its value; undefined if none is set. */
export function sessionVariable(env: Environment): string | undefined {
  return SESSION_VARIABLES.find((name) => env(name) !== undefined);
}

/** Returns whether a variable names a session. Such variables must not be passed on to a child for another agent. */
export function isSessionVariable(name: string): boolean {
  return SESSION_VARIABLES.includes(name);
}

/**
 * Names the session by its host and the last four hex digits of its id, as in `claude-3f2a`. These digits are random
 * in every kind of UUID. If an id has no such digits, four digits of its hash are used. A host inside another host's
 * session also has the other host's variables, so the name contains both.
 */
export function hostWorker(env: Environment): string | undefined {
  const parts = sessionIds(env).map(([name, id]) => `${name}-${fourDigits(id)}`);
  return parts.length === 0 ? undefined : parts.slice(0, 2).join("-");
}

/**
 * Adds the worker of this session to an agent name without one, as in `engineer@claude-3f2a`. The worker comes from
 * `AGENTX_AGENT` if that variable names the same role, and otherwise from the host.
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

/**
 * Returns a text that distinguishes sessions with the same name: the hosts and complete ids, at most 200 characters.
 */
export function hostSession(env: Environment): string | undefined {
  const ids = sessionIds(env).map(([name, id]) => `${name}:${id}`);
  return ids.length === 0 ? undefined : ids.join(" ").slice(-MAX_SESSION);
}

/**
 * Returns the complete session id, as hooks know it. If hosts run inside each other, returns the id of the last one
 * in the table.
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
  let hash = 0x811c9dc5; // FNV-1a: short and synchronous
  for (const unit of id) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  return (hash >>> 16 ^ hash & 0xffff).toString(16).padStart(4, "0");
}
