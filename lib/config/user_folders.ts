/**
 * The user's own folders, which no repository can write: where their configuration and their consent
 * are kept. A folder that lies inside the repository does not count as theirs.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";

/** @returns the user's own configuration; undefined where there is no home */
export function userConfigPath(): string | undefined {
  const folder = userFolder("XDG_CONFIG_HOME", ".config");
  return folder && `${folder}/config.json`;
}

/** @returns what the user agreed to; undefined where there is no home */
export function trustPath(): string | undefined {
  const folder = userFolder("XDG_STATE_HOME", ".local/state");
  return folder && `${folder}/trust.json`;
}

/** The XDG specification has a relative path ignored. */
function userFolder(variable: string, inHome: string): string | undefined {
  const [folder, home] = [sys.env(variable), sys.env("HOME")];
  if (folder?.startsWith("/")) return `${folder}/agentx`;
  return home?.startsWith("/") ? `${home}/${inHome}/agentx` : undefined;
}

/**
 * Says what a repository's files are under.
 *
 * @param folders of the workspace, existing
 * @returns the checkouts that hold them, or the folders themselves, without links
 */
export function repositoryFolders(folders: readonly string[]): string[] {
  return [...new Set(folders.map((folder) => checkoutOf(sys.realPath(folder) ?? folder)))];
}

function checkoutOf(folder: string): string {
  for (let path = folder; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const isCheckout = sys.lstat(`${path}/.git`)?.kind === "file" ||
      sys.lstat(`${path}/.git/HEAD`) !== undefined;
    if (isCheckout) return path;
  }
  return folder;
}

/**
 * Tells whether a path leads into one of some folders, links followed.
 *
 * @param path what is there, or may be made there
 * @param folders without links
 * @returns whether it is one of them or lies below one
 */
export function isInside(path: string, folders: readonly string[]): boolean {
  const real = realOf(path);
  return folders.some((folder) => real === folder || real.startsWith(`${folder}/`));
}

/** Follows links as far as the path exists. */
function realOf(path: string): string {
  const end = path.lastIndexOf("/");
  const real = sys.realPath(path === "" ? "/" : path);
  if (real !== undefined || end < 0) return real ?? path;
  return `${realOf(path.slice(0, end))}${path.slice(end)}`;
}
