// Reads a repository's description of a role: the hosts' files for agents, and the nearest `AGENTS.md`. It is text of
// the repository, to be quoted like any other.

import { isRoleName } from "../base/agent_names.ts";
import { filesOfRole, foldersUpFrom, proseOf } from "../config/role_settings.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

/** A file that describes a role, or has rules for every agent. */
export interface RoleFile {
  /** The path, relative to the working folder of agents. */
  path: string;
  /** The text without its front matter. */
  text: string;
}

/**
 * Returns the files that describe a role, its own files first. Of files with the same name, the nearest one counts,
 * from the working folder of agents upward to the top of the repository.
 */
export function roleFiles(
  role: string,
  tree: string,
  notify: (message: string) => void,
): RoleFile[] {
  const own = isRoleName(role) ? filesOfRole(role) : [];
  const folders = foldersUpFrom(tree);
  return [...own, "AGENTS.md"].flatMap((name) => {
    const up = folders.findIndex((folder) => sys.lstat(`${folder}/${name}`) !== undefined);
    if (up < 0) return [];
    const path = "../".repeat(up) + name;
    try {
      const text = proseOf(folders[up], name);
      if (text !== undefined) return text === "" ? [] : [{ path, text }];
      notify(`"${path}" is reached through a link, so it is not put into the prompt`);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      notify(`${error.summary}: it is not put into the prompt`);
    }
    return [];
  });
}
