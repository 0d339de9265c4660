// Names of agents: their pattern, their aliases, and the worker after an `@`. Pure.
//
// This file checks how a name is written. The scope checks whether such an agent exists.

import { AgentxError } from "./errors.ts";
import { quote } from "./quote.ts";

/** The name of a person, as an actor and as the author of an entry. */
export const HUMAN = "human";

/** The name of the hub as an actor and as the author of an entry; no agent and no person may act under it. */
export const HUB = "agent-x";

/** The name of an agent if its session does not name its role. */
export const SOME_AGENT = "agent";

/** Short names that people write, each with the role that it means (DESIGN section 6). */
export const AGENT_ALIASES: ReadonlyMap<string, string> = new Map([
  ["pm", "product-manager"],
  ["ux", "ux-designer"],
  ["devops", "devops-engineer"],
]);

/** The agents that the documents know, from upstream to downstream (DESIGN section 6). */
export const DOCUMENTED_AGENTS: readonly string[] = [
  "requirements-engineer",
  "product-manager",
  "investigator",
  "ux-designer",
  "architect",
  "data-scientist",
  "engineer",
  "reviewer",
  "devops-engineer",
  "tester",
  "customer-coach",
  "agent-x",
];

const ROLE = /^[a-z][a-z0-9-]{0,39}$/;

/**
 * Matches a worker: a number, or parts of letters and digits with at least one letter. Each worker has only one
 * spelling.
 */
const WORKER = /^(?:[1-9][0-9]{0,3}|(?=.{1,24}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*)$/;

/**
 * Names that cannot be used as file names or object keys: device names on some systems, and a property of every object.
 */
const UNUSABLE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|constructor)$/;

/** Whether a value has the form of a role name, aliases included. Types of workflows have the same form. */
export function isRoleName(value: unknown): value is string {
  return typeof value === "string" && ROLE.test(value) && !UNUSABLE.test(value);
}

/** Whether a value has the form of an agent name, with or without a worker. */
export function isAgentName(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const [role, worker, ...rest] = value.split("@");
  const isFit = worker === undefined || WORKER.test(worker) && role !== HUMAN;
  return isRoleName(role) && isFit && rest.length === 0;
}

/** Returns why a name is invalid, with an example of a valid one. */
export function nameRule(value: unknown): string {
  const [role, worker] = String(value).split("@");
  if (role === HUMAN) return 'only agents have sessions; a human is just "human"';
  if (worker === undefined || !isRoleName(role)) {
    return 'a role is lowercase letters, digits and "-", such as architect';
  }
  return 'a session is at most 24 lowercase letters and digits after the "@", with "-" between ' +
    `them, such as ${role}@claude-3f2a or ${role}@2`;
}

/**
 * Checks a name from outside, such as `pm` or `engineer@2`, and replaces its alias. Throws `INVALID_INPUT` if it does
 * not have the form of a name.
 */
export function parseAgentName(value: unknown): string {
  if (isAgentName(value)) return normalizeAgentName(value);
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot use ${quote(value)} as an agent: ${nameRule(value)}`,
    { details: { field: "agent", value }, next: "Correct it and try again" },
  );
}

/** Replaces an alias with its role: `product-manager@2` for `pm@2`. */
export function normalizeAgentName(name: string): string {
  const role = roleOf(name);
  return (AGENT_ALIASES.get(role) ?? role) + name.slice(role.length);
}

/** Whether a name includes the session of a role: true for `engineer@2`, false for `engineer`. */
export function isSessionName(name: string): boolean {
  return name.includes("@") && isAgentName(name);
}

/** Returns the role of a name: `engineer` for `engineer@2`. Only the role determines the scope. */
export function roleOf(name: string): string {
  return name.split("@", 1)[0];
}
