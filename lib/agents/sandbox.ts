// Runs an agent in the sandbox of this machine. Without a sandbox, the agent is not run.

import { hostOfProgram, HOSTS } from "../hosts/hosts.ts";
import { type Confined, confined, type ConfineOptions, whyUnconfined } from "../sandbox/confine.ts";
import { programName } from "./environment.ts";

/** Returns the command that runs an agent confined; a string tells why it cannot be confined. */
export async function sandboxed(
  command: readonly string[],
  options: Omit<ConfineOptions, "host">,
): Promise<Confined | string> {
  const host = programName(command);
  return await whyUnconfined(options) ??
    confined(withoutOwn(command, host), { ...options, host });
}

/**
 * Returns the command with the host's own sandbox turned off. Inside our sandbox, each command of the agent would fail
 * with the host's sandbox on.
 */
function withoutOwn(words: readonly string[], program: string): readonly string[] {
  const host = hostOfProgram(program);
  const own = host && HOSTS[host].ownSandbox;
  if (own === undefined || !words.includes(own.after)) return words;
  const at = words.findIndex((word) => own.options.includes(word));
  if (at >= 0) return words.toSpliced(at + 1, 1, own.off);
  return words.toSpliced(words.indexOf(own.after) + 1, 0, own.options[0], own.off);
}
