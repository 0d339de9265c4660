// Formats names of agents for people. Pure.

import { roleOf } from "../base/agent_names.ts";
import { terminalLine } from "./text.ts";

/** Maximum width of a name: a longer one leaves no room for the rest of the line. */
const MAX_NAME = 45;

/**
 * Returns the name of an agent or a person for a terminal. The name may come from a foreign file and stands among our
 * own words. So letters of any script stay, and all characters that do not belong in a name become `?`.
 */
export function agentLabel(agent: string): string {
  return terminalLine(agent.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}@._' /-]/gu, "?"), MAX_NAME);
}

/**
 * Returns the name of an agent as a chat shows it, such as `Product Manager 2` for `product-manager@2`: letters and
 * digits only.
 */
export function displayName(agent: string): string {
  const worker = agent.slice(roleOf(agent).length).replace("@", " ");
  return (roleOf(agent) + worker).split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ")
    .replace(/[^A-Za-z0-9 ]/g, "?");
}

/** Returns ` on box` or ` (alice on box)`, to follow the name of an agent or a human; empty for this machine. */
export function onMachine({ machine, login }: { machine?: string; login?: string }): string {
  if (machine === undefined) return "";
  const place = `on ${terminalLine(machine, MAX_NAME)}`;
  return login === undefined ? ` ${place}` : ` (${terminalLine(login, MAX_NAME)} ${place})`;
}
