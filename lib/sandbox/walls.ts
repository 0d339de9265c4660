// Decides which paths a sandbox opens, closes or hides.
//
// A mount protects a file but not its name: if a folder above it is renamed, another file may take its place. So each
// folder on the way to a closed path is a mount too, which cannot be renamed from inside. A path that does not exist
// cannot be mounted; after the run, `changed` tells whether it exists now.

import { orElse } from "../base/errors.ts";
import { isGitName } from "../git/git_name.ts";
import { ancestors, checkoutNamedBy, repositoryAbove } from "../git/repository.ts";
import { stateHolder } from "../git/state_holder.ts";
import type { Variable } from "../hosts/host.ts";
import { HOST_NAMES, type HostName, hostOfProgram, HOSTS } from "../hosts/hosts.ts";
import { isLoaded, isProtected, REPOSITORY_FILES } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";

/** The write access of an agent: none, or the working tree. */
export type Sandbox = "read-only" | "workspace";

/** The program to confine, and its place. */
export interface WallsOptions {
  sandbox: Sandbox;
  /** The working folder; for an agent at work, the folder of the workspace in its tree. */
  cwd: string;
  home: string;
  /** The host, by the name of its program; undefined for any other program. */
  host?: string;
  /** Whether no option keeps the program from loading code of the tree. Such code is then hidden. */
  loadsCode?: boolean;
  /**
   * Patterns of the paths that the role of an agent may change. Only the folders of these patterns are open; without
   * patterns, the whole tree is open.
   */
  mayChange?: readonly string[];
  /** Further folders that the program may write. */
  caches?: readonly string[];
  /**
   * Real paths of the only folders of a working tree that may be written. If set, the state of agentx is closed, and so
   * are the files that instruct an agent.
   */
  writes?: readonly string[];
  /** Paths below `/tmp` that stay visible. */
  shows?: readonly string[];
}

/**
 * How a path is held. `open` and `way` can be written, but a `way` cannot be renamed or removed. `closed` is read-only.
 * An `empty` folder shows no files, and a `blank` file cannot be read.
 */
type Hold = "open" | "way" | "closed" | "empty" | "blank";

/** The walls of one run. */
export interface Walls {
  /** The holds by path, parents first. All other paths are closed. A closed path need not exist. */
  holds: ReadonlyMap<string, Hold>;
  /** The hidden names, by folder. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** Returns the paths that changed, of those that may start a program and could not be mounted. */
  changed: () => Changed;
}

/** The changed paths of a run. */
export interface Changed {
  ofTree: string[];
  /** The changed settings in the home folder. A host may create its own settings when it runs for the first time. */
  ofHome: string[];
}

/** Folders with keys, in the home folder. */
const KEYS = [".ssh", ".gnupg", ".aws", ".kube", ".azure", ".password-store"];

/** The record of agentx, with the trees of all steps. */
const RECORD = ".agentx/state";
const TREES = `${RECORD}/worktrees`;

/** Builds the walls, and notes the current state of the paths, to find later changes. */
export function wallsFor({ cwd: folder, home, sandbox, ...options }: WallsOptions): Walls {
  const { host, mayChange, caches = [], loadsCode = false, writes, shows = [] } = options;
  const place = placeOf(sys.realPath(folder) ?? folder);
  const name = hostOfProgram(host ?? "");
  const state = name === undefined ? [] : pathsOf(name, "state", home);
  // Make these folders now: in its sandbox, a host could not make them at its first run.
  for (const path of state.filter((path) => !path.endsWith(".json"))) {
    orElse(undefined, () => sys.makeDir(path, 0o700), "IO_ERROR");
  }
  const ofHome = HOST_NAMES.flatMap((name) => pathsOf(name, "settings", home));
  const ofTree = sandbox === "workspace" ? protectedIn(place, mayChange) : [];
  const holds = [
    // A path below /tmp is visible only if it is mounted.
    ...held("closed", [...place.shown, ...shows].filter((path) => path.startsWith("/tmp/"))),
    ...held("open", [...state, ...caches]),
    ...held("closed", ofHome.filter(isThere)),
    ...held("empty", KEYS.map((name) => `${home}/${name}`)),
    ...sandbox === "workspace" ? holdsIn(place, ofTree.map(realPath), { mayChange, writes }) : [],
    ...sandbox === "workspace" && loadsCode ? masksIn(place, host) : [],
  ];
  const named = [...new Set([...ofTree, ...ofTree.map(realPath)])];
  const before = new Map([...ofHome, ...named].map((path) => [path, stampOf(path)]));
  // A path that existed before is mounted, so it can change only from outside.
  const isChanged = (path: string) =>
    !/^(file|directory)/.test(before.get(path) ?? "") && stampOf(path) !== before.get(path);
  const { folders } = place;
  return {
    holds: new Map([...new Map(holds)].sort(([a], [b]) => `${a}/` < `${b}/` ? -1 : 1)),
    hidden: new Map(sandbox === "workspace" ? [] : folders.flatMap((each) => loadedIn(each, host))),
    changed: () => ({ ofTree: named.filter(isChanged), ofHome: ofHome.filter(isChanged) }),
  };
}

/** Returns the paths of a host in a home folder, or in the folder that a variable of the user names instead. */
function pathsOf(host: HostName, kind: "state" | "settings", home: string): string[] {
  const { files, folder } = HOSTS[host];
  const folderWith = (env: Variable) =>
    folder((name) => name === "HOME" ? home : env(name), sys.platform);
  const [usual, actual] = [folderWith(() => undefined), folderWith(sys.env)];
  return (files[kind] ?? []).map((name) => `${home}/${name}`)
    .map((path) => `${path}/`.startsWith(`${usual}/`) ? actual + path.slice(usual.length) : path);
}

interface Place {
  cwd: string;
  /** The working tree that contains the working folder. */
  tree: string;
  /** The folders from the tree down to the working folder. */
  folders: string[];
  /** The folder of the workspace in the checkout that has its state; undefined if that is this tree. */
  root: string | undefined;
  /** The tree, and the other folders that git and agentx read. */
  shown: string[];
}

function placeOf(cwd: string): Place {
  const repository = repositoryAbove(cwd);
  const tree = repository?.checkout ?? cwd;
  const folders = ancestors(cwd).filter((each) => `${each}/`.startsWith(`${tree}/`)).reverse();
  if (repository === undefined) return { cwd, tree, folders, root: undefined, shown: [tree] };
  const { gitFolder, sharedFolder } = repository;
  const below = cwd.slice(tree.length);
  const holder = stateHolder(repository, below) ?? checkoutNamedBy(sharedFolder) ?? tree;
  const root = holder === tree ? undefined : holder + below;
  return { cwd, tree, folders, root, shown: [holder, sharedFolder, gitFolder, tree] };
}

/** Returns the paths of a working folder that only agentx may write, existing or not. */
export function protectedPaths(cwd: string): string[] {
  const place = placeOf(sys.realPath(cwd) ?? cwd);
  return [...protectedIn(place), ...place.folders.map((folder) => `${folder}/.agentx`)];
}

/** Returns the paths of a tree that may start a program, existing or not. */
function protectedIn({ cwd, folders }: Place, mayChange: readonly string[] = []): string[] {
  return folders.flatMap((folder) => {
    const may = folder === cwd ? mayChange : [];
    return REPOSITORY_FILES.map(({ path }) => path)
      .filter((path) => isProtected(path, may))
      // A partly open folder is not closed as a whole: its files are checked by name after the run.
      .filter((path) => !may.some((pattern) => pattern.startsWith(path)))
      .map((path) => `${folder}/${path.replace(/\/$/, "")}`);
  });
}

/**
 * Returns the holds in a working tree; a later hold of the same path wins. Links get no hold, because a mount would
 * follow a link, even out of the tree.
 */
function holdsIn(
  { cwd, tree, folders, root }: Place,
  protectedPaths: string[],
  { mayChange, writes }: Pick<WallsOptions, "mayChange" | "writes">,
): [string, Hold][] {
  const roots = root === undefined ? [] : [root];
  const opened = writes ?? [
    ...mayChange === undefined ? [tree] : foldersOf(mayChange, cwd),
    ...[cwd, ...roots].flatMap(linesIn),
  ];
  const isOpened = (path: string) => ancestors(path).some((each) => opened.includes(each));
  const closed = protectedPaths.filter((path) => path.startsWith(`${tree}/`));
  const above = ancestors(tree).length;
  const isClosed = (path: string) => ancestors(path).some((each) => closed.includes(each));
  const all = [...folders, ...roots];
  const closedState = writes === undefined ? TREES : ".agentx";
  return [
    ...held("way", opened),
    ...held("open", writes ? [] : roots.map((each) => `${each}/${RECORD}`).filter(isThere)),
    ...held("closed", all.map((each) => `${each}/${closedState}`).filter(isThere)),
    ...held("way", closed.flatMap((path) => ancestors(path).slice(1, -above)).filter(isOpened)),
    ...held("closed", closed),
    ...held("open", writes ? [] : instructionsIn(folders).filter(isClosed).filter(isOpened)),
  ].filter(([path]) => (isThere(path) ? sys.realPath(path) : path) === path);
}

/**
 * Returns the folders at the start of the patterns of a role: `docs` for `docs/*.md`. Patterns are text of the
 * repository, so they open nothing outside of the working folder, and nothing of git.
 */
function foldersOf(mayChange: readonly string[], cwd: string): string[] {
  return mayChange.flatMap((pattern) => {
    const names = pattern.replace(/[^/]*[*?].*$|[^/]*$/, "").split("/").slice(0, -1);
    const isPlain = !names.some((name) => ["", ".", ".."].includes(name) || isGitName(name));
    return isPlain ? [[cwd, ...names].join("/")] : [];
  }).filter(isMade);
}

/**
 * Returns the folders that agentx writes beside its state, and makes the missing ones. The log is private, so only
 * agentx makes it.
 */
function linesIn(folder: string): string[] {
  const home = `${folder}/.agentx`;
  if (!isThere(home)) return [];
  return [`${home}/issues`, `${home}/memory`].filter(isMade).concat(`${home}/log`).filter(isThere);
}

/** Makes a folder, and returns whether it exists now. It is not made if a link or a file is on its way. */
function isMade(folder: string): boolean {
  const there = ancestors(folder).find(isThere)!;
  if (realPath(there) !== there || sys.lstat(there)?.kind !== "directory") return false;
  sys.makeDir(folder);
  return true;
}

/**
 * Returns the holds that hide the paths that a host would load as code. A hidden file becomes a device that no program
 * can open.
 */
function masksIn({ folders }: Place, host: string | undefined): [string, Hold][] {
  return folders.flatMap((each) => loadedIn(each, host)).flatMap(([folder, names]) =>
    names.map((name): [string, Hold] => {
      const path = `${folder}/${name}`;
      return [path, sys.lstat(path)?.kind === "directory" ? "empty" : "blank"];
    })
  );
}

function instructionsIn(folders: readonly string[]): string[] {
  const rows = REPOSITORY_FILES.filter(({ effect }) => effect === "instructs");
  return folders.flatMap((each) => rows.map(({ path }) => `${each}/${path.replace(/\/$/, "")}`));
}

function held(hold: Hold, paths: readonly string[]): [string, Hold][] {
  return paths.map((path) => [path, hold]);
}

function realPath(path: string): string {
  return orElse(path, () => sys.realPath(path) ?? path, "IO_ERROR");
}

/** Whether a path exists; false for a path below a file. */
export function isThere(path: string): boolean {
  return stampOf(path) !== undefined;
}

function stampOf(path: string): string | undefined {
  const info = orElse(undefined, () => sys.lstat(path), "IO_ERROR");
  return info && `${info.kind} ${info.id}`;
}

/**
 * Returns the names that a host would load as code, by folder. It goes into folders as deep as the paths in the table.
 */
function loadedIn(folder: string, host: string | undefined, below = ""): [string, string[]][] {
  const path = `${folder}/${below}`.replace(/\/$/, "");
  const names = sys.readDir(path);
  const inner = names.filter((name) =>
    REPOSITORY_FILES.some((row) => row.path.startsWith(`${below}${name}/`)) &&
    sys.lstat(`${path}/${name}`)?.kind === "directory"
  );
  const hidden = names.filter((name) => !inner.includes(name) && isLoaded(below + name, host));
  return [
    ...hidden.length > 0 ? [[path, hidden] satisfies [string, string[]]] : [],
    ...inner.flatMap((name) => loadedIn(folder, host, `${below}${name}/`)),
  ];
}
