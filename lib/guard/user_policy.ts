// The user's own policy: where it is stored and how it grows. It is kept separate from the rules, which the inbox
// does not load.

import { userConfigPath } from "../config/user_folders.ts";
import { sys } from "../sys/mod.ts";

/** Returns the path of the user's own policy; undefined if there is no home. */
export function userPolicyPath(): string | undefined {
  return userConfigPath()?.replace(/config\.json$/, "policy.toml");
}

/** Allows a simple command for all of the user's agents. */
export function allowLine(line: string): void {
  const path = userPolicyPath();
  if (path === undefined) throw new RangeError("there is no home for a policy");
  sys.makeDir(path.slice(0, path.lastIndexOf("/")));
  sys.appendTextFile(path, `\n[[commands]]\nline = ${JSON.stringify(line)}\nverdict = "allow"\n`);
}
