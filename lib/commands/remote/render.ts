// Renders the remote that machines share a workspace over. Pure.

import { terminalLine } from "../../text/text.ts";

export interface RemoteOutput {
  /** The name of the git remote; null for none. */
  remote: string | null;
  address: string | null;
  /** The name under which others see this machine. */
  machine: string | null;
}

/** Renders the offer that a person accepts or refuses. */
export function renderOffer(
  { remote, address, machine }: RemoteOutput,
  { login, refs }: { login: string; refs: string },
): string {
  return [
    `  Share this workspace with other machines over the git remote ${terminalLine(remote ?? "")}:`,
    `  ${terminalLine(address ?? "")}`,
    "",
    `  All readers of that repository can read the refs below ${refs} that are pushed:`,
    "    claims     which agent has which issue, on which machine, until when",
    "    questions  the questions of your agents, their answers and decisions, after secrets are cut",
    `  This machine is shown as ${terminalLine(machine ?? "")}, and you as ${terminalLine(login)}.`,
    "  Memory, assumptions, questions to you and recordings stay on this machine.",
  ].join("\n");
}

export function renderRemote({ remote, address, machine }: RemoteOutput): string {
  if (remote === null) return "  This workspace is not shared with other machines.";
  return [
    `  ${terminalLine(machine ?? "")} shares this workspace over ${terminalLine(remote)}`,
    `  (${terminalLine(address ?? "")}). agentx sync does so now; serve, ready, ask, answer and`,
    "  hooks do so by themselves.",
  ].join("\n");
}
