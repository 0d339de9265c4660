// Finds out where a decision comes from, and what may be decided there (DESIGN section 6).
//
// This protects against accidents only: the processes of one user cannot be told apart reliably.

import { sys } from "../sys/mod.ts";
import {
  type Environment,
  isSessionVariable,
  SESSION_HOSTS,
  sessionVariable,
} from "./host_session.ts";

/** The place where a decision is made. */
export type Surface =
  | "terminal"
  | "unread terminal"
  | "board"
  | "editor"
  | "agent"
  | "ci"
  | "form"
  | "pipe";

/** The advice for an agent that may not decide. */
export const OWN_TERMINAL = "Run it in your own terminal, one that no agent has started";

export type DecisionKind = "clarification" | "gate" | "security" | "trust";

/**
 * Whether a surface may decide. `word`: after the person types a word. `unverified`: with a note that no person was
 * seen to decide. `as agent`: with the weight of an agent's statement. `variable`: if `AGENTX_TRUST` names the
 * content.
 */
export type Ruling = "yes" | "word" | "unverified" | "as agent" | "variable" | "no";

/** Which surface may decide what. `docs/security.md` shows this table. */
export const WHO_MAY_DECIDE: Readonly<Record<Surface, Readonly<Record<DecisionKind, Ruling>>>> = {
  // No variable of a host is set here or in an ancestor.
  "terminal": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // Not even the parent shell can be inspected: macOS, hidepid.
  "unread terminal": { clarification: "yes", gate: "yes", security: "word", trust: "word" },
  // A board that a person started at a terminal. A board started elsewhere has the rights of that place.
  "board": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // A click in a trusted window of an editor that no agent started.
  "editor": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // The session of an agent, or a process below one of its processes.
  "agent": { clarification: "as agent", gate: "no", security: "no", trust: "no" },
  "ci": { clarification: "unverified", gate: "no", security: "no", trust: "variable" },
  // A form that an MCP client shows to its user.
  "form": { clarification: "unverified", gate: "unverified", security: "no", trust: "no" },
  // A script, or an orphan without a terminal.
  "pipe": { clarification: "unverified", gate: "unverified", security: "no", trust: "no" },
};

/** The environment of a program, as far as decisions depend on it. */
interface Seen {
  readonly env: Environment;
  /** Which of the streams are terminals. */
  readonly isTerminal: Readonly<Record<"stdin" | "stderr", boolean>>;
  /** The surface where a board was started, or that started an editor. */
  readonly startedAt?: FoundSurface;
}

/**
 * A surface, and the evidence if it is an agent's.
 *
 * @internal
 */
export interface FoundSurface {
  surface: Exclude<Surface, "form">;
  /** The evidence of an agent, worded to follow "since"; undefined if there is none. */
  agent: string | undefined;
}

/** Finds the surface that this program runs on. */
export function surfaceOf({ env, isTerminal, startedAt }: Seen): FoundSurface {
  if (startedAt !== undefined) {
    return startedAt.surface === "terminal" ? { ...startedAt, surface: "board" } : startedAt;
  }
  const variable = sessionVariable(env);
  if (variable !== undefined) return { surface: "agent", agent: `${variable} is set` };
  const ancestors = sys.ancestors();
  for (const { pid, programs, variables = [] } of ancestors) {
    const process = `process ${pid} (${programs[0]}), which started it,`;
    const found = sessionVariable((name) => variables.includes(name) ? "" : undefined);
    if (found !== undefined) return { surface: "agent", agent: `${process} has ${found}` };
    if (programs.some(isHost)) return { surface: "agent", agent: `${process} is an agent's` };
  }
  if (isTerminal.stdin && isTerminal.stderr) {
    const isRead = ancestors[0]?.variables !== undefined;
    return { surface: isRead ? "terminal" : "unread terminal", agent: undefined };
  }
  return { surface: isCi(env) ? "ci" : "pipe", agent: undefined };
}

export function rulingOn(decision: DecisionKind, seen: Seen): Ruling {
  return WHO_MAY_DECIDE[surfaceOf(seen).surface][decision];
}

/** Like {@linkcode rulingOn}, with the streams and variables of this process. */
export function rulingHere(decision: DecisionKind): Ruling {
  const isTerminal = { stdin: sys.isTerminal("stdin"), stderr: sys.isTerminal("stderr") };
  return rulingOn(decision, { env: (name) => sys.env(name), isTerminal });
}

/** The variable that tells how Claude Code was started: `cli` at a terminal, `sdk-cli` with `-p`. */
const ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT";

/**
 * Returns whether a person is present at the session that calls a hook. Only Claude Code shows this (seen in 2.1.197
 * and 2.1.330), and a script in a session inherits the variable. If it is unknown, the result is false.
 */
export function isAttended(env: Environment): boolean {
  if (env(ENTRYPOINT) !== "cli" || isCi(env)) return false;
  const host = sys.ancestors().find(({ programs }) => programs.some(isHost));
  return host?.variables !== undefined &&
    !host.variables.some((name) => name === ENTRYPOINT || isSessionVariable(name));
}

/**
 * Returns whether a program is a host, by its name: a host sets its variables for its children, but not for itself.
 */
function isHost(program: string): boolean {
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");
  return SESSION_HOSTS.some((host) => host.name === name);
}

/** Returns whether this is a CI job. Jenkins, Azure Pipelines and TeamCity do not set `CI`. */
function isCi(env: Environment): boolean {
  return env("CI") === "true" ||
    ["JENKINS_URL", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => env(name) !== undefined);
}
