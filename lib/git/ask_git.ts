// Asks git for facts that this code does not read from git files itself. Each call blocks until git answers, which it
// does at once.

import type { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { gitError } from "./run_git.ts";

/**
 * Options for a question that fetches nothing and locks nothing. GIT_* variables of the caller are dropped, because
 * they could lead git to another repository.
 */
const ONLY_READS = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1" };

/**
 * Returns the answer of git in a git folder; undefined if git has none, as for the branch of a detached HEAD. Throws
 * `IO_ERROR` if git cannot read the repository.
 */
export function askGit(
  gitFolder: string,
  args: readonly string[],
  stdin = "",
): string | undefined {
  const { exitCode, stdout, stderr } = ask(gitFolder, [`--git-dir=${gitFolder}`, ...args], stdin);
  if (exitCode === 0) return stdout;
  if (exitCode === 1) return undefined;
  throw refusal(gitFolder, stderr.trim());
}

function ask(cwd: string, args: readonly string[], stdin = "") {
  const own = sys.envEntries().filter(([name]) => !name.startsWith("GIT_"));
  return sys.ask(["git", ...args], {
    cwd,
    env: { ...Object.fromEntries(own), ...ONLY_READS },
    stdin,
  });
}

/**
 * Returns the error for a failed question; says so if git is too old, because newer repositories have extensions that
 * an older git must not touch.
 */
function refusal(gitFolder: string, said: string): AgentxError {
  if (!/unknown repository (?:extension|version)|repo(?:sitory)? version/i.test(said)) {
    return gitError(gitFolder, "read HEAD", said.split("\n")[0] || "git does not answer");
  }
  const version = ask(gitFolder, ["--version"]).stdout.trim();
  const why = `${version} is too old to open it: ${said.replaceAll(/\s+/g, " ")}`;
  return gitError(gitFolder, "read HEAD", why, "Put a newer git first on your PATH");
}
