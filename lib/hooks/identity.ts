// Finds the role and the issue of a session. What `agentx here` set for the session comes first. Otherwise the role
// comes from its folder, the environment or the host, and the issue comes from the branch or else from the folder.
// The branch takes precedence over the folder, because a setting for a folder outlives the work that it was made for,
// while a branch changes with the work.

import { DOCUMENTED_AGENTS, isRoleName, normalizeAgentName, roleOf } from "../base/agent_names.ts";
import { HOSTS, isHost } from "../hosts/hosts.ts";
import { AGENT_VARIABLE, type Environment, hostSession, hostWorker } from "../who/host_session.ts";
import { branchOf } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";
import type { SessionFiles } from "./session_files.ts";

/** The source of a role or an issue. */
export type IdentitySource = "session" | "folder" | "environment" | "host" | "branch";

export interface Identity {
  /** The id that the host gives the session; undefined if the host does not state it. */
  session: string | undefined;
  /** The name of the session among workers of its role, such as `claude-3f2a`; undefined if it has none. */
  worker: string | undefined;
  /** Host and full id of the session, as in the status files. */
  hostSession: string | undefined;
  agent: string | null;
  issue: number | null;
  agentFrom: IdentitySource | null;
  issueFrom: IdentitySource | null;
  /** The issue set for all sessions in the folder; null if none was. */
  folderIssue: number | null;
}

export interface IdentifyOptions {
  /** The name of the host; by default it is taken from the environment. */
  host?: string;
  /** The id that the host gives the session. */
  session: string | undefined;
  /** The agent that the host names. */
  agent?: string;
  /** The folder of the workspace in the tree that the session works in. */
  tree: string;
  /** The git folder of `tree`; undefined outside of git. */
  gitFolder: string | undefined;
  env: Environment;
}

/** The issue in the name of a branch: `issue-42-cache`, `fix/issue-42`, and `agentx/42-review` for a step. */
const BRANCH = /(?:(?:^|\/)issue[-_/]?|^agentx\/)([1-9][0-9]{0,8})(?![0-9])/i;

/** Identifies a session by the files of sessions, the host and the environment. Throws `CORRUPT_STATE`, `IO_ERROR`. */
export function identify(files: SessionFiles, options: IdentifyOptions): Identity {
  const { session, tree, env } = options;
  const own = session === undefined ? undefined : files.read({ session });
  const shared = files.read({ tree });
  const roles: [IdentitySource, string | null][] = [
    ["session", own?.agent ?? null],
    ["folder", shared?.agent ?? null],
    ["environment", roleIn(env(AGENT_VARIABLE))],
    ["host", knownRole(options.agent, tree)],
  ];
  const folderIssue = shared?.issue ?? null;
  const issues: [IdentitySource, () => number | null][] = [
    ["session", () => own?.issue ?? null],
    ["branch", () => issueOfBranch(options.gitFolder)],
    ["folder", () => folderIssue],
  ];
  const role = roles.find(([, name]) => name !== null);
  const known = issues.map(([from, read]) => [from, read()] as const)
    .find(([, issue]) => issue !== null);
  const shown = sessionEnvironment(options);
  return {
    session,
    worker: hostWorker(shown),
    hostSession: hostSession(shown),
    agent: role?.[1] ?? null,
    agentFrom: role?.[0] ?? null,
    issue: known?.[1] ?? null,
    issueFrom: known?.[0] ?? null,
    folderIssue,
  };
}

/** Returns the name of a session, such as `engineer@claude-3f2a`; undefined if the session has none. */
export function sessionNameOf({ agent, worker }: Identity): string | undefined {
  return agent === null || worker === undefined ? undefined : `${agent}@${worker}`;
}

/** Returns the environment of a command that the session runs. The environment of a hook may lack the session's id. */
function sessionEnvironment(
  { host, session, env }: Pick<IdentifyOptions, "host" | "session" | "env">,
): Environment {
  const variable = host !== undefined && isHost(host) ? HOSTS[host].session?.id : undefined;
  return (name) => name === variable ? session : env(name);
}

function roleIn(name: string | undefined): string | null {
  return isRoleName(roleOf(name ?? "")) ? normalizeAgentName(roleOf(name!)) : null;
}

/**
 * Returns the role that a host's agent plays. Agents that only the host knows, such as one for searching, play no
 * role.
 */
function knownRole(name: string | undefined, tree: string): string | null {
  if (!isRoleName(name)) return null;
  const role = normalizeAgentName(name);
  const isKnown = DOCUMENTED_AGENTS.includes(role) ||
    sys.lstat(`${tree}/.github/agents/${role}.agent.md`) !== undefined;
  return isKnown ? role : null;
}

function issueOfBranch(gitFolder: string | undefined): number | null {
  if (gitFolder === undefined) return null;
  const issue = BRANCH.exec(branchOf(gitFolder) ?? "")?.[1];
  return issue === undefined ? null : Number(issue);
}
