// Finds out from the environment whether this process runs inside an agent's session, and in which one.
// The variables are hints, not proof: a session can unset them. Pure.

import { isAgentName, parseAgentName, roleOf } from "../base/agent_names.ts";

/** A program in which agents work. */
interface Host {
  /** Its name in the names of workers. */
  name: string;
  /** Variables that it sets for the commands of its agents, in the order of the search. */
  variables: readonly string[];
  /** The variable that tells one session from another; null if there is none. */
  sessionId: string | null;
}

/**
 * Observed in the environment of a command that the agent ran, with the version that is named. A
 * setting that a person exports in their own shell, such as CODEX_HOME, does not belong here.
 */
export const HOSTS: readonly Host[] = [
  { // Claude Code 2.1.197; its hooks get the same
    name: "claude",
    variables: ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"],
    sessionId: "CLAUDE_CODE_SESSION_ID",
  },
  { // Codex 0.169.0; both ids are the same
    name: "codex",
    variables: ["CODEX_CI", "CODEX_SESSION_ID", "CODEX_THREAD_ID"],
    sessionId: "CODEX_SESSION_ID",
  },
  { // Gemini CLI 0.61.0
    name: "gemini",
    variables: ["GEMINI_CLI"],
    sessionId: null,
  },
  { // GitHub Copilot CLI 1.0.102
    name: "copilot",
    variables: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
    sessionId: "COPILOT_AGENT_SESSION_ID",
  },
  { // opencode 1.18.33
    name: "opencode",
    variables: ["OPENCODE"],
    sessionId: null,
  },
];

/** The agent on whose behalf a child runs `agentx`. */
export const AGENT_VARIABLE = "AGENTX_AGENT";

/** The length of the chain of agents that have invoked each other. */
export const DEPTH_VARIABLE = "AGENTX_DEPTH";

/** What `agentx mcp` sets for itself: agents call its tools. */
export const MCP_VARIABLE = "AGENTX_MCP";

const SESSION_VARIABLES: readonly string[] = [
  AGENT_VARIABLE,
  DEPTH_VARIABLE,
  MCP_VARIABLE,
  ...HOSTS.flatMap(({ variables }) => variables),
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

/** Whether a variable tells in whose session a process runs: another agent's child must not get it. */
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
 * Adds the worker of this session to a name without one, as in `engineer@claude-3f2a`: as
 * `AGENTX_AGENT` says it of that role, or else as its host does.
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
  const ids = HOSTS.flatMap(({ sessionId }) => sessionId === null ? [] : env(sessionId) ?? []);
  return ids.filter((id) => id.trim() !== "").at(-1);
}

function sessionIds(env: Environment): [host: string, id: string][] {
  return HOSTS.flatMap(({ name, sessionId }): [string, string][] => {
    const id = (sessionId === null ? "" : env(sessionId) ?? "").toLowerCase();
    return id.trim() === "" ? [] : [[name, id]];
  });
}

function fourDigits(id: string): string {
  if (/[0-9a-f]{4}$/.test(id)) return id.slice(-4);
  let hash = 0x811c9dc5; // FNV-1a, which is short and waits for nothing
  for (const unit of id) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193) >>> 0;
  return (hash >>> 16 ^ hash & 0xffff).toString(16).padStart(4, "0");
}
