// Finds where a judged command runs, and which workspace's rules apply to the command.

import { hasCode, orElse } from "../base/errors.ts";
import { ancestors, repositoryAbove } from "../git/repository.ts";
import { trackedSizes } from "../git/tracked_paths.ts";
import type { TreePlace } from "../guard/judge.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";
import { escapeRegExp } from "../text/reg_exp.ts";

/**
 * Patterns that show whether a lock file names a package. In the lock file of npm, the name of a program matches,
 * too.
 */
const LOCK_FILES: Readonly<Record<string, (name: string) => RegExp>> = {
  "package-lock.json": (name) =>
    new RegExp(`"node_modules/${name}": \\{|"bin": \\{[^}]*"${name}": `),
  "pnpm-lock.yaml": (name) => new RegExp(`^ +['"]?/?${name}(@|/\\d|['"]?:)`, "m"),
  "yarn.lock": (name) => new RegExp(`^"?${name}@`, "m"),
  "bun.lock": (name) => new RegExp(`^ +"${name}": \\[`, "m"),
};

/** Programs that belong to a package with another name. */
const PACKAGES: Readonly<Record<string, string>> = { tsc: "typescript" };

const MAX_BYTES = 32 * 1024 * 1024;

/** The place of a command, and the workspace around it. */
export interface Guarded {
  place: TreePlace;
  /** The folder of the workspace in this checkout; outside of a workspace, the checkout. */
  tree: string;
  /** The folder that holds `.agentx/`; undefined outside of a workspace. */
  workspace: string | undefined;
}

/** Returns the place of a folder: in its workspace, otherwise in its repository, otherwise the folder itself. */
export function placeHere(folder = sys.cwd()): Guarded {
  const cwd = sys.realPath(folder) ?? folder;
  const { tree, workspace } = treeAround(cwd);
  const repository = repositoryAbove(tree);
  const root = repository?.checkout ?? tree;
  const below = cwd.slice(root.length);
  const spelled = [folder, sys.env("PWD")].find((each) =>
    each?.startsWith("/") && each !== cwd && each.endsWith(below) && sys.realPath(each) === cwd
  );
  const place: TreePlace = {
    root,
    cwd,
    home: sys.env("HOME") ?? "/",
    spelledRoot: spelled?.slice(0, spelled.length - below.length),
    isLocked: (name) =>
      isLocked(name, ancestors(cwd).filter((each) => `${each}/`.startsWith(`${root}/`))),
    isTracked: (path) =>
      repository !== undefined && trackedSizes(root, repository, path)?.has("") === true,
  };
  return { place, tree, workspace };
}

/** Finds the workspace, and its folder in this checkout. Outside of a workspace, the folder is the checkout. */
function treeAround(cwd: string): Pick<Guarded, "tree" | "workspace"> {
  try {
    const { root, tree } = findWorkspace(cwd);
    return { tree, workspace: root };
  } catch (error) {
    if (!hasCode(error, "NOT_INITIALISED")) throw error;
    return { tree: repositoryAbove(cwd)?.checkout ?? cwd, workspace: undefined };
  }
}

/** Returns whether a lock file in one of the folders names a package, or the package of a program. */
function isLocked(name: string, folders: readonly string[]): boolean {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return false;
  const names = [name, ...Object.hasOwn(PACKAGES, name) ? [PACKAGES[name]] : []].map(escapeRegExp);
  return folders.some((folder) =>
    Object.entries(LOCK_FILES).some(([file, namedIn]) => {
      const text = orElse(undefined, () => sys.readTextFile(`${folder}/${file}`, MAX_BYTES));
      return text !== undefined && names.some((each) => namedIn(each).test(text));
    })
  );
}
