// Checks the owner of a workspace. A file that another user could have written is not used until the user agrees, as
// with git's `safe.directory`.

import { isObject, tryParseJson } from "../base/checks.ts";
import { userConfigPath } from "../config/user_folders.ts";
import { isInside } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";
import { AgentxError } from "../base/errors.ts";
import { TO_SHARE } from "../sys/io_error.ts";
import { sys } from "../sys/mod.ts";

/** Why a folder is not safe to use. */
interface OwnershipProblem {
  path: string;
  reason: "owner" | "world-writable";
  why: string;
}

const ROOT_USER = 0;
const WRITABLE_BY_ALL = 0o002;
const STICKY = 0o1000;

/**
 * Rejects a workspace that belongs to another user or is writable by everybody. The folder that holds `.agentx/` may
 * belong to root, and it may be writable by everybody if it has the sticky bit, which protects its content. Root may
 * use the folders of the user who called sudo.
 *
 * The user can allow a workspace by adding the folder that holds `.agentx/` to `safeFolders` in their own
 * configuration. A user who shares workspaces with a group accepts any owner.
 *
 * @throws {AgentxError} `UNTRUSTED`; `INVALID_CONFIG` if the user's own configuration is invalid
 */
export function checkOwnership(root: string): void {
  const home = `${root}/.agentx`;
  const problem = problemOf(home, { isHolder: false }) ?? problemOf(root, { isHolder: true });
  if (problem === undefined) return;
  const { path, reason, why } = problem;
  const { safeFolders, isShared, configPath } = userSettings(root);
  if (safeFolders.includes(root) || reason === "owner" && isShared) return;
  const otherwise = reason === "owner"
    ? `to share it with a group, ${TO_SHARE}`
    : "otherwise remove the permission with chmod o-w";
  throw new AgentxError("UNTRUSTED", `Cannot use "${path}": ${why}`, {
    details: { path, reason },
    next: `If you trust what is in it, add "${root}" to the list "safeFolders" in ` +
      `${configPath ?? "your own configuration"}; ${otherwise}`,
  });
}

function problemOf(
  path: string,
  { isHolder }: { isHolder: boolean },
): OwnershipProblem | undefined {
  const info = sys.lstat(path);
  const self = sys.uid();
  if (info?.kind !== "directory" || info.uid === null || self === null) return undefined;
  const { uid, mode } = info;
  const sudoUser = self === ROOT_USER ? sys.env("SUDO_UID") : undefined;
  const isOwn = uid === self || String(uid) === sudoUser || isHolder && uid === ROOT_USER;
  if (!isOwn) {
    return { path, reason: "owner", why: `it belongs to user ${uid}, and you are user ${self}` };
  }
  const isOpenToAll = (mode & WRITABLE_BY_ALL) !== 0 && !(isHolder && (mode & STICKY) !== 0);
  if (!isOpenToAll) return undefined;
  return { path, reason: "world-writable", why: "every user of this machine may write to it" };
}

/** Reads the user's own configuration, but never a file of the repository. */
function userSettings(root: string) {
  const configPath = userConfigPath();
  const real = configPath && sys.realPath(configPath); // a link at this path is the user's own
  const isOwn = real !== undefined && !isInside(real, repositoryFolders([root]));
  const config = isOwn ? readObject(real) : {};
  const { safeFolders } = config;
  return {
    configPath,
    safeFolders: Array.isArray(safeFolders) ? safeFolders : [],
    isShared: config.shared === true,
  };
}

function readObject(path: string): Record<string, unknown> {
  const value = tryParseJson(sys.readTextFile(path) ?? "{}");
  if (isObject(value)) return value;
  throw new AgentxError("INVALID_CONFIG", `Cannot read "${path}": it is not a JSON object`, {
    details: { path, line: null, key: null },
    next: "Correct the file; nothing was changed",
  });
}
