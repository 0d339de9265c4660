/**
 * Names of agents: their pattern, their aliases, and the worker behind an `@`. Pure.
 *
 * Says how a name is written, not whether such an agent exists: that is the scope's question.
 *
 * @module
 */

import { AgentxError } from "./errors.ts";
import { quote } from "./quote.ts";

/** The name of a person, as an actor and as the author of an entry. */
export const HUMAN = "human";

/** The hub itself, as an actor and as the writer of an entry: nobody else acts as it. */
export const HUB = "agent-x";

/** Short names that people write, with the agent each one means (DESIGN section 6). */
export const AGENT_ALIASES: ReadonlyMap<string, string> = new Map([
  ["pm", "product-manager"],
  ["ux", "ux-designer"],
  ["devops", "devops-engineer"],
]);

/** The agents that the documents know, from upstream to downstream (DESIGN section 6). */
export const DOCUMENTED_AGENTS: readonly string[] = [
  "product-manager",
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
 * Tells whether a value is written like the role of an agent, an alias included. The types of
 * workflows are written in the same way.
 *
 * @returns true for a name such as `architect` or `pm`; false where it carries a worker
 */
export function isRoleName(value: unknown): value is string {
  return typeof value === "string" && ROLE.test(value) && !UNUSABLE.test(value);
}

/**
 * Tells whether a value is written like the name of an agent, with or without a worker.
 *
 * @returns true for a name such as `architect`, `pm`, `engineer@2` or `engineer@claude-3f2a`
 */
export function isAgentName(value: unknown): value is string {
  if (typeof value !== "string") return false;
  const [role, worker, ...rest] = value.split("@");
  const isFit = worker === undefined || WORKER.test(worker) && role !== HUMAN;
  return isRoleName(role) && isFit && rest.length === 0;
}

/**
 * Says how the name of an agent is written.
 *
 * @param value what is not the name of an agent
 * @returns what is not so in it, with an example
 */
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
 * Checks a name that came from outside and spells it out.
 *
 * @param value a name such as `pm`, `engineer` or `engineer@2`
 * @returns the name without alias
 * @throws {AgentxError} INVALID_INPUT if it is not written like a name
 */
export function parseAgentName(value: unknown): string {
  if (isAgentName(value)) return normalizeAgentName(value);
  throw new AgentxError(
    "INVALID_INPUT",
    `Cannot use ${quote(value)} as an agent: ${nameRule(value)}`,
    { details: { field: "agent", value }, next: "Correct it and try again" },
  );
}

/**
 * Replaces an alias by the name it stands for.
 *
 * @param name a name, with or without a worker
 * @returns the same agent without alias: `product-manager@2` for `pm@2`
 */
export function normalizeAgentName(name: string): string {
  const role = roleOf(name);
  return (AGENT_ALIASES.get(role) ?? role) + name.slice(role.length);
}

/**
 * Tells whether a name says which session of a role is meant.
 *
 * @returns true for `engineer@2`; false for `engineer`, and for what is not a name
 */
export function isSessionName(name: string): boolean {
  return name.includes("@") && isAgentName(name);
}

/**
 * Cuts the worker off a name.
 *
 * @param name a name such as `engineer@2`
 * @returns the role, which alone decides scope: `engineer`
 */
export function roleOf(name: string): string {
  return name.split("@", 1)[0];
}
