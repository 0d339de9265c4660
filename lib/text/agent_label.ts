// Names of agents as people read them. Pure.

import { roleOf } from "../base/agent_names.ts";
import { terminalLine } from "./text.ts";

/** A longer name leaves no room for the rest of the line. */
const MAX_NAME = 45;

/**
 * The name of an agent or a person for a terminal. A foreign file may hold anything there, and a name stands
 * among our own words: letters of any script stay, and whatever does not belong in a name becomes `?`.
 */
export function agentLabel(agent: string): string {
  return terminalLine(agent.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}@._' /-]/gu, "?"), MAX_NAME);
}

/**
 * The name of an agent as a chat shows it, such as `Product Manager 2` for `product-manager@2`:
 * letters and digits only.
 */
export function displayName(agent: string): string {
  const worker = agent.slice(roleOf(agent).length).replace("@", " ");
  return (roleOf(agent) + worker).split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")
    .replace(/[^A-Za-z0-9 ]/g, "?");
}

/** ` on box` or ` (alice on box)`, behind the name of an agent or a human; empty for this machine. */
export function onMachine({ machine, login }: { machine?: string; login?: string }): string {
  if (machine === undefined) return "";
  const place = `on ${terminalLine(machine, MAX_NAME)}`;
  return login === undefined ? ` ${place}` : ` (${terminalLine(login, MAX_NAME)} ${place})`;
}
