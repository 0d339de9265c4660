// The git repository that a folder belongs to. Git itself is not run: the few small files that say
// where things are, are read; only what reftables hold is asked of it. The variables of git are not followed.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { IN_REFTABLE, reftableHead } from "./reftable.ts";

/** A checkout and the git folders that belong to it. */
export interface Repository {
  /** The folder that holds `.git`. */
  checkout: string;
  /** Its git folder, or where its `.git` file says that it is. */
  gitFolder: string;
  /** The folder that all worktrees share; the git folder, where it is no linked worktree. */
  sharedFolder: string;
}

/** These files hold a line or a few settings. */
const MAX_BYTES = 65_536;

/** The folder and all above it but the root, the nearest first. */
export function ancestors(folder: string): string[] {
  const paths = [folder];
  for (let end = folder.lastIndexOf("/"); end > 0; end = folder.lastIndexOf("/", end - 1)) {
    paths.push(folder.slice(0, end));
  }
  return paths;
}

/** The nearest repository, at the folder or above; undefined outside of git. */
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

/** The prefix of a folder's paths in its checkout: empty, or such as `packages/shop/`. */
export function prefixOf(folder: string, checkout: string): string {
  return folder === checkout ? "" : `${folder.slice(checkout.length + 1)}/`;
}

/** The checkout that a git folder names, if that leads back to it; a bare one names none. */
export function checkoutNamedBy(gitFolder: string): string | undefined {
  const parent = gitFolder.slice(0, gitFolder.lastIndexOf("/"));
  const config = readText(`${gitFolder}/config`) ?? "";
  if (/^\s*bare\s*=\s*true\s*$/im.test(config)) return undefined;
  const linked = readText(`${gitFolder}/gitdir`)?.replace(/\/?\.git$/, "");
  const set = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
  const named = [linked, set].flatMap((path) => path ? realPath(resolve(gitFolder, path)) : []);
  return [...named, parent].find((path) => path && gitFolderOf(path) === gitFolder);
}

/** Whether the repository knows the checkout, as it does unless its `.git` file came from elsewhere. */
export function isKnown({ checkout, gitFolder, sharedFolder }: Repository): boolean {
  const isLinked = gitFolder !== sharedFolder;
  if (!isLinked && gitFolder.startsWith(`${checkout}/`)) return true;
  if (isLinked && !gitFolder.startsWith(`${sharedFolder}/worktrees/`)) return false;
  return checkoutNamedBy(gitFolder) === checkout;
}

/** The main checkout, if there is one, and the linked worktrees that are registered and know it. */
export function checkoutsOf({ sharedFolder }: Repository): string[] {
  const linked = readable(() => sys.readDir(`${sharedFolder}/worktrees`)) ?? [];
  return [sharedFolder, ...linked.map((name) => `${sharedFolder}/worktrees/${name}`)]
    .flatMap((gitFolder) => checkoutNamedBy(gitFolder) ?? []);
}

/** The branch that is checked out; undefined where none is. Throws `IO_ERROR` where only git could say, and cannot. */
export function branchOf(gitFolder: string): string | undefined {
  const head = readText(`${gitFolder}/HEAD`);
  const ref = head === IN_REFTABLE ? reftableHead(gitFolder).ref : head?.replace(/^ref: /, "");
  return /^refs\/heads\/(.+)$/.exec(ref ?? "")?.[1];
}

/** A repository has a HEAD, and a `.git` file names a folder: an empty `.git` is neither. */
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

/** Git cannot use what cannot be entered or read either. */
function readable<T>(read: () => T): T | undefined {
  return orElse(undefined, read, "IO_ERROR");
}

function resolve(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

/**
 * The checkouts that hold existing folders of a workspace, or the folders themselves; links resolved.
 */
export function repositoryFolders(folders: readonly string[]): string[] {
  const real = folders.map((folder) => sys.realPath(folder) ?? folder);
  return [...new Set(real.map((folder) => repositoryAbove(folder)?.checkout ?? folder))];
}
