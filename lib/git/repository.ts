// The git repository that a folder belongs to. Git itself is not run: the few small files that say
// where things are, are read. `core.worktree` and the variables of git are not followed.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";

/** A checkout and the git folder that belongs to it. */
export interface Repository {
  /** The folder that holds `.git`. */
  checkout: string;
  /** Its git folder, or where its `.git` file says that it is. */
  gitFolder: string;
}

/** The main checkout of a linked worktree. */
export interface MainCheckout {
  /** Where it is. */
  path: string;
  /** Whether its git folder names the worktree, as git registers it. */
  isRegistered: boolean;
}

/** These files hold one line. */
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
    if (gitFolder !== undefined) return { checkout, gitFolder };
  }
  return undefined;
}

/** What the paths of a folder begin with in its checkout: empty, or such as `packages/shop/`. */
export function prefixOf(folder: string, checkout: string): string {
  return folder === checkout ? "" : `${folder.slice(checkout.length + 1)}/`;
}

/** What all worktrees of a repository share; its own git folder, where it has no others. */
export function sharedFolderOf({ gitFolder }: Repository): string {
  return resolve(gitFolder, readLine(`${gitFolder}/commondir`) ?? ".");
}

/** The main checkout of a linked worktree; undefined for any other checkout, such as a submodule. */
export function mainCheckoutOf({ checkout, gitFolder }: Repository): MainCheckout | undefined {
  const common = readLine(`${gitFolder}/commondir`);
  const real = common === undefined ? undefined : realPath(resolve(gitFolder, common));
  if (!real?.endsWith("/.git")) return undefined;
  const back = readLine(`${gitFolder}/gitdir`);
  const isRegistered = back !== undefined &&
    realPath(gitFolder)?.startsWith(`${real}/worktrees/`) === true &&
    realPath(resolve(gitFolder, back)) === `${checkout}/.git`;
  return { path: real.slice(0, -"/.git".length), isRegistered };
}

/** The linked worktrees that a main checkout has registered, and that know it. */
export function worktreesOf({ checkout, gitFolder }: Repository): string[] {
  const registered = readable(() => sys.readDir(`${gitFolder}/worktrees`)) ?? [];
  return registered.flatMap((name) => {
    const back = readLine(`${gitFolder}/worktrees/${name}/gitdir`);
    const path = back && realPath(resolve(`${gitFolder}/worktrees/${name}`, back));
    if (!path?.endsWith("/.git")) return [];
    const tree = path.slice(0, -"/.git".length);
    const its = gitFolderOf(tree);
    const main = its && mainCheckoutOf({ checkout: tree, gitFolder: its });
    return main && main.isRegistered && main.path === checkout ? [tree] : [];
  });
}

/** The branch that is checked out; undefined where none is. */
export function branchOf(gitFolder: string): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(readLine(`${gitFolder}/HEAD`) ?? "")?.[1];
}

/** A repository has a HEAD, and a `.git` file names a folder: an empty `.git` is neither. */
function gitFolderOf(checkout: string): string | undefined {
  const path = `${checkout}/.git`;
  if (readable(() => sys.lstat(path)) === undefined) return undefined;
  const target = /^gitdir: (.+)$/.exec(readLine(path) ?? "")?.[1];
  if (target !== undefined) return resolve(checkout, target);
  return readable(() => {
    const real = sys.realPath(path);
    return real !== undefined && sys.lstat(`${real}/HEAD`) !== undefined ? real : undefined;
  });
}

function readLine(path: string): string | undefined {
  return readable(() => {
    const info = sys.lstat(path);
    if (info?.kind !== "file" || info.size > MAX_BYTES) return undefined;
    return sys.readTextFile(path)?.trimEnd();
  });
}

function realPath(path: string): string | undefined {
  return readable(() => sys.realPath(path));
}

/** Git cannot use what cannot be entered or read either. */
function readable<T>(read: () => T): T | undefined {
  return orElse(undefined, read, "IO_ERROR");
}

function resolve(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}
