// Asks the program of a host whether its user is logged in, if the program can tell at once and without the network.

import { orElse } from "../base/errors.ts";
import { type HostName, HOSTS } from "../hosts/hosts.ts";
import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";

/** How long the program may take to answer; it usually takes less than a second. */
const TIMEOUT_MS = 3_000;

const MAX_OUTPUT_BYTES = 100_000;

/**
 * Returns the command that logs the user in; undefined if they are logged in, or the host is not installed or cannot
 * tell. The program runs in the home of the user, so that no setting of a repository counts.
 */
export async function missingLogin(host: HostName): Promise<string | undefined> {
  const { login, programs, folder } = HOSTS[host];
  const home = sys.env("HOME") || "/";
  const program = login && findProgram(programs[0], { tree: home });
  if (login === undefined || program === undefined) return undefined;
  const { status, loggedOut, command, instead } = login;
  if (instead !== undefined) {
    const path = `${folder((name) => sys.env(name), sys.platform)}/${instead.file}`;
    const text = orElse("", () => sys.readTextFile(path) ?? "");
    if (sys.env(instead.variable) || instead.line.test(text)) return undefined;
  }
  const { stdout, stderr } = await sys.run([program, ...status], {
    cwd: home,
    env: Object.fromEntries(sys.envEntries()),
    stdin: "",
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  return loggedOut.test(stdout) || loggedOut.test(stderr) ? command : undefined;
}
