// The sandbox of an agent, that of this machine. Without one, the agent is not run.

import { hostOfProgram, HOSTS } from "../hosts/hosts.ts";
import { type Confined, confined, type ConfineOptions, whyUnconfined } from "../sandbox/confine.ts";
import { programName } from "./environment.ts";

/** The command that runs an agent confined; a text says why there is none. */
export async function sandboxed(
  command: readonly string[],
  options: Omit<ConfineOptions, "host">,
): Promise<Confined | string> {
  const host = programName(command);
  return await whyUnconfined(options) ??
    confined(withoutOwn(command, host), { ...options, host });
}

/** The command with the host's own sandbox off: in ours, each command of its agent would fail. */
function withoutOwn(words: readonly string[], program: string): readonly string[] {
  const host = hostOfProgram(program);
  const own = host && HOSTS[host].ownSandbox;
  if (own === undefined || !words.includes(own.after)) return words;
  const at = words.findIndex((word) => own.options.includes(word));
  if (at >= 0) return words.toSpliced(at + 1, 1, own.off);
  return words.toSpliced(words.indexOf(own.after) + 1, 0, own.options[0], own.off);
}
