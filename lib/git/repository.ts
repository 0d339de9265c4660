// The git repository that a folder belongs to. This code does not run git but reads the few small files that say where
// things are; only for reftables it asks git. The environment variables of git are ignored.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { IN_REFTABLE, reftableHead } from "./reftable.ts";

/** A checkout and the git folders that belong to it. */
export interface Repository {
  /** The folder that holds `.git`. */
  checkout: string;
  /** The git folder: `.git`, or the folder that a `.git` file names. */
  gitFolder: string;
  /** The folder that all worktrees share; equal to `gitFolder` except in a linked worktree. */
  sharedFolder: string;
}

/** Maximum size of the git files that this module reads; they hold a line or a few settings. */
const MAX_BYTES = 65_536;

/** Returns the folder and all folders above it except the root, the nearest first. */
export function ancestors(folder: string): string[] {
  const paths = [folder];
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    paths.push(folder.slice(0, end));
  }
  return paths;
}

/** Returns the nearest repository, at the folder or above it; undefined outside of git. */
export function repositoryAbove(folder: string): Repository | undefined {
  for (const checkout of ancestors(folder)) {
    const gitFolder = gitFolderOf(checkout);
    if (gitFolder === undefined) continue;
    const shared = readText(`${gitFolder}/commondir`);
    const sharedFolder = shared === undefined ? gitFolder : real(resolve(gitFolder, shared));
    return { checkout, gitFolder, sharedFolder };
  }
  return undefined;
}

/** Returns the prefix of a folder's paths in its checkout: empty, or such as `packages/shop/`. */
export function prefixOf(folder: string, checkout: string): string {
  return folder === checkout ? "" : `${folder.slice(checkout.length + 1)}/`;
}

/**
 * Returns the checkout that a git folder names, if that checkout leads back to the git folder; undefined for a bare
 * repository.
 */
export function checkoutNamedBy(gitFolder: string): string | undefined {
  const parent = gitFolder.slice(0, gitFolder.lastIndexOf("/"));
  const config = readText(`${gitFolder}/config`) ?? "";
  if (/^\s*bare\s*=\s*true\s*$/im.test(config)) return undefined;
  const linked = readText(`${gitFolder}/gitdir`)?.replace(/\/?\.git$/, "");
  const set = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
  const named = [linked, set].flatMap((path) => path ? realPath(resolve(gitFolder, path)) : []);
  return [...named, parent].find((path) => path && gitFolderOf(path) === gitFolder);
}

/**
 * Whether the repository knows the checkout. It does not if the `.git` file of the checkout was copied from elsewhere.
 */
export function isKnown({ checkout, gitFolder, sharedFolder }: Repository): boolean {
  const isLinked = gitFolder !== sharedFolder;
  if (!isLinked && gitFolder.startsWith(`${checkout}/`)) return true;
  if (isLinked && !gitFolder.startsWith(`${sharedFolder}/worktrees/`)) return false;
  return checkoutNamedBy(gitFolder) === checkout;
}

/**
 * Returns the main checkout, if there is one, and the linked worktrees that are registered and lead back to their git
 * folder.
 */
export function checkoutsOf({ sharedFolder }: Repository): string[] {
  const linked = readable(() => sys.readDir(`${sharedFolder}/worktrees`)) ?? [];
  return [sharedFolder, ...linked.map((name) => `${sharedFolder}/worktrees/${name}`)]
    .flatMap((gitFolder) => checkoutNamedBy(gitFolder) ?? []);
}

/**
 * Returns the branch that is checked out; undefined if none is. Throws `IO_ERROR` if only git could tell, and it fails.
 */
export function branchOf(gitFolder: string): string | undefined {
  const head = readText(`${gitFolder}/HEAD`);
  const ref = head === IN_REFTABLE ? reftableHead(gitFolder).ref : head?.replace(/^ref: /, "");
  return /^refs\/heads\/(.+)$/.exec(ref ?? "")?.[1];
}

/**
 * Returns the git folder of a checkout: a `.git` folder with a HEAD, or the folder that a `.git` file names. Undefined
 * for an empty `.git`.
 */
function gitFolderOf(checkout: string): string | undefined {
  const path = `${checkout}/.git`;
  if (readable(() => sys.lstat(path)) === undefined) return undefined;
  const target = /^gitdir: (.+)$/.exec(readText(path) ?? "")?.[1];
  if (target !== undefined) return real(resolve(checkout, target));
  return readable(() => {
    const real = sys.realPath(path);
    return real !== undefined && sys.lstat(`${real}/HEAD`) !== undefined ? real : undefined;
  });
}

function readText(path: string): string | undefined {
  return readable(() => {
    const info = sys.lstat(path);
    if (info?.kind !== "file" || info.size > MAX_BYTES) return undefined;
    return sys.readTextFile(path)?.trimEnd();
  });
}

function realPath(path: string): string | undefined {
  return readable(() => sys.realPath(path));
}

function real(path: string): string {
  return realPath(path) ?? path;
}

/** Returns undefined if a file or folder cannot be read, because git cannot use it then, either. */
function readable<T>(read: () => T): T | undefined {
  return orElse(undefined, read, "IO_ERROR");
}

function resolve(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

/**
 * Returns the checkouts that hold existing folders of a workspace, or the folders themselves outside of git; links are
 * resolved.
 */
export function repositoryFolders(folders: readonly string[]): string[] {
  const real = folders.map((folder) => sys.realPath(folder) ?? folder);
  return [...new Set(real.map((folder) => repositoryAbove(folder)?.checkout ?? folder))];
}
