// Taking files out of the index of git and keeping them on disk.

import { gitError, runGit } from "./run_git.ts";
import { trackedState } from "./tracked.ts";

/** Takes paths, as `trackedState` gives them, out of the index. Throws `IO_ERROR` where git refuses. */
export async function untrack(root: string, paths: readonly string[]): Promise<void> {
  const stdin = paths.map((path) => `${path}\0`).join("");
  const action = "untrack files";
  await runGit(root, ["update-index", "--force-remove", "-z", "--stdin"], { stdin, action });
  if (trackedState(root).state.length > 0) throw gitError(root, action, "git still tracks some");
}
