/**
 * Names of agents as people read them. Pure.
 *
 * @module
 */

import { roleOf } from "../../base/agent_names.ts";
import { terminalLine } from "../../text/text.ts";

/** A longer name leaves no room for what stands beside it. */
const MAX_NAME = 45;

/**
 * The name of an agent for a terminal. A foreign file may hold anything under it, and a name stands
 * among our own words: nothing is left of it that could pass for one of our marks.
 *
 * @param agent a name, with or without a worker
 * @returns the name, with `?` for whatever does not belong in one
 */
export function agentLabel(agent: string): string {
  return terminalLine(agent.replace(/[^A-Za-z0-9@._ -]/gu, "?"), MAX_NAME);
}

/**
 * The name of an agent as a chat shows it. Also a name from a foreign file is only letters here.
 *
 * @param agent a name, with or without a worker
 * @returns such as `Product Manager 2` for `product-manager@2`
 */
export function displayName(agent: string): string {
  const worker = agent.slice(roleOf(agent).length).replace("@", " ");
  return (roleOf(agent) + worker).split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")
    .replace(/[^A-Za-z0-9 ]/g, "?");
}
