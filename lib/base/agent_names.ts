// Names of agents: their pattern, their aliases, and the worker behind an `@`. Pure.
//
// Says how a name is written, not whether such an agent exists: that is the scope's question.

import { AgentxError } from "./errors.ts";
import { quote } from "./quote.ts";

/** The name of a person, as an actor and as the author of an entry. */
export const HUMAN = "human";

/** The hub itself, as an actor and as the writer of an entry: nobody else acts as it. */
export const HUB = "agent-x";

/** The agent of a session that does not say its role. */
export const SOME_AGENT = "agent";

/** Short names that people write, with the agent each one means (DESIGN section 6). */
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

/** A number, or parts with a letter somewhere: each worker has one spelling. */
const WORKER = /^(?:[1-9][0-9]{0,3}|(?=.{1,24}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*)$/;

/** Names become names of files and keys of objects: a device on some systems, a part of each object. */
const UNUSABLE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|constructor)$/;

/**
 * Whether a value is written like a role, alias included. Types of workflows are written the same
 * way.
 */
export function isRoleName(value: unknown): value is string {
  return typeof value === "string" && ROLE.test(value) && !UNUSABLE.test(value);
}

/** Whether a value is written like the name of an agent, with or without a worker. */
export function isAgentName(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const [role, worker, ...rest] = value.split("@");
  const isFit = worker === undefined || WORKER.test(worker) && role !== HUMAN;
  return isRoleName(role) && isFit && rest.length === 0;
}

/** Describes the problem of a name, with an example. */
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
 * Checks a name from outside, such as `pm` or `engineer@2`, and replaces its alias. Throws
 * `INVALID_INPUT` if it is not written like a name.
 */
export function parseAgentName(value: unknown): string {
  if (isAgentName(value)) return normalizeAgentName(value);
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot use ${quote(value)} as an agent: ${nameRule(value)}`,
    { details: { field: "agent", value }, next: "Correct it and try again" },
  );
}

/** Replaces an alias by its role: `product-manager@2` for `pm@2`. */
export function normalizeAgentName(name: string): string {
  const role = roleOf(name);
  return (AGENT_ALIASES.get(role) ?? role) + name.slice(role.length);
}

/** Whether a name says which session of a role is meant: `engineer@2` does, `engineer` does not. */
export function isSessionName(name: string): boolean {
  return name.includes("@") && isAgentName(name);
}

/** The role of a name, which alone decides scope: `engineer` for `engineer@2`. */
export function roleOf(name: string): string {
  return name.split("@", 1)[0];
}
