// Pushes a branch of the user's own repository to the remote `origin`. Git does not prompt at the terminal, does not
// force, and pushes no tag and no submodule. The user's hooks and git settings apply; the caller has checked them.

import { AgentxError } from "../base/errors.ts";
import { remoteAt } from "./origin.ts";
import { askOfGit, type Confinement, LOOKS_ONLY, reasonIn } from "./run_git.ts";

/** The branch to push, and its destination. */
export interface BranchPush {
  /** The local name of the branch. */
  branch: string;
  /** The name of the branch on the remote. */
  as: string;
  /** The repository that `origin` has to name, such as `github.com` (without a port) and `acme/shop`. */
  to: { host: string; repository: string };
  signal?: AbortSignal;
}

const PUSHES: Confinement = {
  env: { GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "git:http:https:ssh" },
  settings: ["push.recurseSubmodules=no", "push.followTags=false", "push.gpgSign=false"]
    .flatMap((setting) => ["-c", setting]),
};

/**
 * Pushes the branch.
 *
 * @throws {AgentxError} `NOT_FOUND` if `origin` points to another repository; `SYNC_ERROR` if the remote refuses
 */
export async function pushBranch(
  checkout: string,
  { branch, as, to, signal }: BranchPush,
): Promise<void> {
  const { host, repository } = to;
  const looks = { action: "read a remote", confinement: LOOKS_ONLY, signal };
  const ask = ["remote", "get-url", "--push", "--all", "origin"];
  const said = await askOfGit(checkout, ask, looks);
  const addresses = said.exitCode === 0 ? said.stdout.trim().split("\n") : [];
  const isThere = (address: string) => {
    const at = remoteAt(address);
    return at !== undefined && [host, `ssh.${host}`].includes(at.host.toLowerCase()) &&
      at.path.replace(/^\/+/, "").toLowerCase() === repository.toLowerCase();
  };
  if (addresses.length === 0 || !addresses.every(isThere)) {
    const why = `it does not push to ${host}/${repository}`;
    throw new AgentxError("NOT_FOUND", `Cannot use the git remote "origin": ${why}`, {
      details: { kind: "remote", id: "origin" },
      next: "See where it leads with: git remote get-url --push --all origin",
    });
  }
  const spec = `refs/heads/${branch}:refs/heads/${as}`;
  const action = `push ${branch}`;
  const words = ["push", "--porcelain", "--no-force", "origin", spec];
  const run = await askOfGit(checkout, words, { action, confinement: PUSHES, signal });
  if (run.outcome === "exited" && run.exitCode === 0) return;
  signal?.throwIfAborted();
  const refused = /^!\t[^\t\n]*\t(.*)$/m.exec(run.stdout)?.[1];
  const reason = refused ?? (reasonIn(run.stderr) || `git ended with ${run.exitCode}`);
  throw new AgentxError("SYNC_ERROR", `Cannot ${action} to ${host}/${repository}: ${reason}`, {
    details: { remote: "origin", reason },
    next: `Push it yourself, and run this again: git push origin ${branch}:${as}`,
  });
}
