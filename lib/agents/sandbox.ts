// The sandbox in which an agent runs: its host's own where that has one, else that of this machine. Where there is
// none, the agent is not run.

import { type Confined, confined, type ConfineOptions, unconfined } from "../sandbox/confine.ts";
import { programName } from "./environment.ts";

/** The command that runs an agent confined; a text says why there is none. */
export function sandboxed(
  command: readonly string[],
  options: Omit<ConfineOptions, "host">,
): Confined | string {
  if (!/(^|\/)codex$/.test(command[0])) {
    return confined(command, { ...options, host: programName(command) });
  }
  const own = ofCodex(command, options);
  return typeof own === "string" ? own : unconfined(own);
}

/** Its commands run in its own sandbox, without the network unless its settings say otherwise. */
function ofCodex(
  [program, ...words]: readonly string[],
  { sandbox, hasNetwork }: Omit<ConfineOptions, "host">,
): string[] | string {
  const own = /^(-s|--sandbox|--full-auto|--yolo|--dangerously-bypass\S*)(=|$)|sandbox_/;
  const mode = sandbox === "workspace" ? "workspace-write" : "read-only";
  const at = words.findIndex((word) => own.test(word));
  const isSame = words[at] === "-s" && ["read-only", mode].includes(words[at + 1]);
  if (at >= 0 && !isSame) return `its own option ${words[at]} says another sandbox`;
  const isOff = hasNetwork ? [] : ["-c", "sandbox_workspace_write.network_access=false"];
  const more = [...isSame ? [] : ["-s", mode], ...isOff];
  return [program, ...words.toSpliced(words[0] === "exec" ? 1 : 0, 0, ...more)];
}
