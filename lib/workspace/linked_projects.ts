// Other projects on this machine, with names that a person gave them. They show whether an issue such as `NAME#12`
// is closed. The names are stored in the user's own folder, so no repository can choose which folders are read.

import { isObject, isText } from "../base/checks.ts";
import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { linksPath } from "../config/user_folders.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { IssueStore } from "../work/issue/issue_store.ts";

/** An issue of another project. */
export interface IssueElsewhere {
  ref: string;
  /** Null if unknown. */
  title: string | null;
  /** Null if unknown. */
  status: string | null;
  /** `unknown` if the issue cannot be read. */
  state: "open" | "closed" | "unknown";
}

/** Returns the folders of other projects, by name. */
export function linkedFolders(): Record<string, string> {
  return openLinks()?.read() ?? {};
}

/**
 * Stores a name, such as `owner/repo`, for a folder that has a workspace. Throws `NOT_INITIALISED`, `LOCK_TIMEOUT`,
 * `IO_ERROR`.
 */
export async function linkFolder(name: string, folder: string): Promise<void> {
  const real = sys.realPath(folder);
  if (real === undefined || sys.lstat(`${real}/.agentx`)?.kind !== "directory") {
    throw new AgentxError("NOT_INITIALISED", `Cannot link "${folder}": it has no .agentx/`, {
      details: { path: folder },
      next: "Name the folder that has it",
    });
  }
  const links = openLinks();
  if (links === undefined) {
    throw new AgentxError(
      "IO_ERROR",
      "Cannot link a folder: HOME is not set, so there is no place to keep the link",
      {
        details: { operation: "write", path: "links.json", errno: "ENOENT" },
        next: "Set HOME and try again",
      },
    );
  }
  await links.update(HUMAN, (current = {}) => ({ ...current, [name]: real }));
}

/** Reads an issue such as `owner/repo#12`. If it cannot be read, its state is `unknown`. */
export function issueElsewhere(ref: string): IssueElsewhere {
  const [name, number] = ref.split("#");
  const links = linkedFolders();
  const issue = Object.hasOwn(links, name)
    ? new IssueStore(links[name], new FileLockManager()).findReadable(Number(number))
    : undefined;
  const { title = null, status = null, state = "unknown" } = issue ?? {};
  return { ref, title, status, state };
}

function openLinks(): JsonFile<Record<string, string>> | undefined {
  const path = linksPath();
  const problemWith = (value: unknown) =>
    isObject(value) && Object.values(value).every(isText)
      ? undefined
      : "it must hold folders by name";
  if (path === undefined) return undefined;
  return new JsonFile(path, new FileLockManager(), { problemWith, kind: "state" });
}
