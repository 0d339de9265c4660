// What a repository says of a role: the files in which hosts keep the descriptions of their agents,
// and the nearest `AGENTS.md`. It is text of the repository, to be quoted like any other.
//
// A link is not read, wherever it leads, nor anything that lies outside of the repository.

import { isRoleName } from "../base/agent_names.ts";
import { repositoryFolders } from "../config/user_folders.ts";
import { hasCode } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

/** A file that describes a role, or what holds for every agent. */
export interface RoleFile {
  /** Relative to the folder in which agents run. */
  path: string;
  /** Without front matter. */
  text: string;
}

/** More than a prompt takes of it. */
const MAX_BYTES = 100_000;

/** Settings of a host, between two lines of dashes. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * The files that describe a role, its own first; of each name the nearest, from the folder in which
 * agents run upward to the end of the repository.
 */
export function roleFiles(
  role: string,
  tree: string,
  notify: (message: string) => void,
): RoleFile[] {
  const own = isRoleName(role) ? ownFiles(role) : [];
  const folders = foldersOf(tree);
  return [...own, "AGENTS.md"].flatMap((name) => {
    const up = folders.findIndex((folder) => sys.lstat(`${folder}/${name}`) !== undefined);
    if (up < 0) return [];
    const path = "../".repeat(up) + name;
    try {
      const text = readOwn(folders[up], name);
      if (text !== undefined) return text === "" ? [] : [{ path, text }];
      notify(`"${path}" is reached through a link, so it is not put into the prompt`);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      notify(`${error.summary}: it is not put into the prompt`);
    }
    return [];
  });
}

/**
 * The patterns of paths that a role may change, from `may_change: [docs/**, "*.md"]` in the front
 * matter of its own file; undefined where none says any.
 */
export function mayChange(role: string, tree: string): string[] | undefined {
  if (!isRoleName(role)) return undefined;
  for (const folder of foldersOf(tree)) {
    for (const name of ownFiles(role)) {
      const text = textOwn(folder, name) ?? "";
      const [front = ""] = FRONT_MATTER.exec(text) ?? [];
      const list = /^may_change:[ \t]*\[([^\]]*)\]/m.exec(front)?.[1];
      const lines = /^may_change:[ \t]*\r?\n((?:[ \t]*-[^\n]*\n)+)/m.exec(front)?.[1];
      const found = list?.split(",") ??
        lines?.split("\n").map((line) => line.replace(/^[ \t]*-/, ""));
      if (found === undefined) continue;
      return found.map((each) => each.trim().replace(/^["'](.*)["']$/, "$1")).filter((each) =>
        each !== ""
      );
    }
  }
  return undefined;
}

function ownFiles(role: string): string[] {
  return [`.github/agents/${role}.agent.md`, `.claude/agents/${role}.md`];
}

/** From the folder upward to the end of its repository. */
function foldersOf(tree: string): string[] {
  const [checkout] = repositoryFolders([tree]);
  const folders = [tree];
  for (let folder = tree; folder !== checkout && folder.startsWith(`${checkout}/`);) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    folders.push(folder);
  }
  return folders;
}

function readOwn(folder: string, name: string): string | undefined {
  return textOwn(folder, name)?.replace(FRONT_MATTER, "").trim();
}

/** Undefined where a link is on the way. */
function textOwn(folder: string, name: string): string | undefined {
  const path = `${folder}/${name}`;
  if (sys.realPath(path) !== `${sys.realPath(folder)}/${name}`) return undefined;
  const part = sys.readPart(path, 0, MAX_BYTES);
  return new TextDecoder().decode(part?.bytes);
}
