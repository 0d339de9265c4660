// Where a command that is judged runs, and which workspace's rules apply.

import { hasCode, orElse } from "../base/errors.ts";
import { ancestors, repositoryAbove } from "../git/repository.ts";
import { trackedSizes } from "../git/tracked_paths.ts";
import type { TreePlace } from "../guard/judge.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";
import { escapeRegExp } from "../text/reg_exp.ts";

/** How a lock file names a package; in that of npm also a program of one. */
const LOCK_FILES: Readonly<Record<string, (name: string) => RegExp>> = {
  "package-lock.json": (name) =>
    new RegExp(`"node_modules/${name}": \\{|"bin": \\{[^}]*"${name}": `),
  "pnpm-lock.yaml": (name) => new RegExp(`^ +['"]?/?${name}(@|/\\d|['"]?:)`, "m"),
  "yarn.lock": (name) => new RegExp(`^"?${name}@`, "m"),
  "bun.lock": (name) => new RegExp(`^ +"${name}": \\[`, "m"),
};

/** Programs that another package has. */
const PACKAGES: Readonly<Record<string, string>> = { tsc: "typescript" };

const MAX_BYTES = 32 * 1024 * 1024;

/** A place, and the folder that holds its `.agentx/`. */
export interface Guarded {
  place: TreePlace;
  /** The folder of the workspace in this tree; outside of one, the tree. */
  tree: string;
  /** Undefined outside of a workspace. */
  workspace: string | undefined;
}

/** The tree around a folder: that of its workspace, else of its repository, else the folder. */
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

/** The folder of the workspace in this tree, and that of the workspace; outside of one, the repository. */
function treeAround(cwd: string): Pick<Guarded, "tree" | "workspace"> {
  try {
    const { root, tree } = findWorkspace(cwd);
    return { tree, workspace: root };
  } catch (error) {
    if (!hasCode(error, "NOT_INITIALISED")) throw error;
    return { tree: repositoryAbove(cwd)?.checkout ?? cwd, workspace: undefined };
  }
}

/** Whether a lock file in one of the folders names a package, or the package of a program. */
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
