// Where a decision comes from, and what may be decided there (DESIGN section 6).
//
// A hint against accidents, and no barrier: the processes of one user cannot be told apart for certain.

import { sys } from "../sys/mod.ts";
import {
  type Environment,
  isSessionVariable,
  SESSION_HOSTS,
  sessionVariable,
} from "./host_session.ts";

/** Where somebody decides. */
export type Surface =
  | "terminal"
  | "unread terminal"
  | "board"
  | "editor"
  | "agent"
  | "ci"
  | "form"
  | "pipe";

/** The advice where an agent may not decide. */
export const OWN_TERMINAL = "Run it in your own terminal, one that no agent has started";

export type DecisionKind = "clarification" | "gate" | "security" | "trust";

/**
 * Whether this place may decide: `word` after a typed word, `unverified` with a note that nobody was seen to decide,
 * `as agent` with the weight of an agent's words, `variable` by a content that `AGENTX_TRUST` names.
 */
export type Ruling = "yes" | "word" | "unverified" | "as agent" | "variable" | "no";

/** The rights to decide, by surface; `docs/security.md` shows them. */
export const WHO_MAY_DECIDE: Readonly<Record<Surface, Readonly<Record<DecisionKind, Ruling>>>> = {
  // No variable of a host here or in an ancestor.
  "terminal": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // Not even the parent shell can be read: macOS, hidepid.
  "unread terminal": { clarification: "yes", gate: "yes", security: "word", trust: "word" },
  // A board that a person at a terminal started; from anywhere else it decides as that place does.
  "board": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // A click in a trusted window of an editor that no agent started.
  "editor": { clarification: "yes", gate: "yes", security: "yes", trust: "yes" },
  // In the session of an agent, or below one of its processes.
  "agent": { clarification: "as agent", gate: "no", security: "no", trust: "no" },
  "ci": { clarification: "unverified", gate: "no", security: "no", trust: "variable" },
  // A form that an MCP client shows to its user.
  "form": { clarification: "unverified", gate: "unverified", security: "no", trust: "no" },
  // A script, or an orphan without a terminal.
  "pipe": { clarification: "unverified", gate: "unverified", security: "no", trust: "no" },
};

/** A program's view of its surroundings. */
interface Seen {
  readonly env: Environment;
  /** Which streams are a terminal. */
  readonly isTerminal: Readonly<Record<"stdin" | "stderr", boolean>>;
  /** The place where a board was started, or the person or agent that started an editor. */
  readonly startedAt?: FoundSurface;
}

/**
 * A surface, and what shows that it is an agent's.
 *
 * @internal
 */
export interface FoundSurface {
  surface: Exclude<Surface, "form">;
  /** As it follows "since"; undefined where nothing shows an agent. */
  agent: string | undefined;
}

/** Finds out where this runs. */
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

/** Like {@linkcode rulingOn}, by the streams and variables of this process. */
export function rulingHere(decision: DecisionKind): Ruling {
  const isTerminal = { stdin: sys.isTerminal("stdin"), stderr: sys.isTerminal("stderr") };
  return rulingOn(decision, { env: (name) => sys.env(name), isTerminal });
}

/** How Claude Code says how it was started: `cli` is at a terminal, `sdk-cli` with `-p`. */
const ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT";

/**
 * Whether a person is at the session that calls a hook. Only Claude Code 2.1.197 and 2.1.330 show it, and
 * a script in a session inherits what shows it: unknown is no.
 */
export function isAttended(env: Environment): boolean {
  if (env(ENTRYPOINT) !== "cli" || isCi(env)) return false;
  const host = sys.ancestors().find(({ programs }) => programs.some(isHost));
  return host?.variables !== undefined &&
    !host.variables.some((name) => name === ENTRYPOINT || isSessionVariable(name));
}

/** A host changes its variables for its children, but not for itself. */
function isHost(program: string): boolean {
  const name = program.slice(program.lastIndexOf("/") + 1).replace(/\.[cm]?js$/, "");
  return SESSION_HOSTS.some((host) => host.name === name);
}

/** Jenkins, Azure Pipelines and TeamCity do not set `CI`. */
function isCi(env: Environment): boolean {
  return env("CI") === "true" ||
    ["JENKINS_URL", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => env(name) !== undefined);
}
