// Which paths a sandbox opens, closes or hides.
//
// A mount protects a file and not its name: once the folder above is renamed, another file may stand there. So each
// folder on the way to a closed path is a mount of its own, which cannot be renamed from within. A path that is not
// there cannot be mounted: after the run, `changed` says whether it is there now.

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

/** For whom the walls are, and where. */
export interface WallsOptions {
  sandbox: Sandbox;
  /** The working folder: of an agent at work, that of the workspace in its tree. */
  cwd: string;
  home: string;
  /** The host, by the name of its program; undefined for any other program. */
  host?: string;
  /** Whether its options cannot keep it from loading code of the tree: then that does not show. */
  loadsCode?: boolean;
  /** The paths that the role of an agent may change: the folders of these patterns are open, else the whole tree. */
  mayChange?: readonly string[];
  /** Further folders that may be written. */
  caches?: readonly string[];
  /**
   * The only folders of a working tree that may be written, by their real paths; then the state of agentx is closed, and
   * so are the files that instruct an agent.
   */
  writes?: readonly string[];
  /** Paths that show although they lie below `/tmp`. */
  shows?: readonly string[];
}

/** `way` is open and stays where it is; `empty` shows nothing of a folder; nobody reads a `blank` file. */
type Hold = "open" | "way" | "closed" | "empty" | "blank";

/** The walls of one run. */
export interface Walls {
  /** By path, parents first; everything else is closed. A closed path need not be there. */
  holds: ReadonlyMap<string, Hold>;
  /** By folder: the names in it that do not show. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** The changed paths among those that may start a program and could not be mounted. */
  changed: () => Changed;
}

/** Real paths. */
export interface Changed {
  ofTree: string[];
  /** A host may make its own settings when it runs for the first time. */
  ofHome: string[];
}

/** Folders of keys. */
const KEYS = [".ssh", ".gnupg", ".aws", ".kube", ".azure", ".password-store"];

/** The record of agentx, with the trees of all steps. */
const RECORD = ".agentx/state";
const TREES = `${RECORD}/worktrees`;

/** Builds the walls, and notes what stands behind them now. */
export function wallsFor({ cwd: folder, home, sandbox, ...options }: WallsOptions): Walls {
  const { host, mayChange, caches = [], loadsCode = false, writes, shows = [] } = options;
  const place = placeOf(sys.realPath(folder) ?? folder);
  const name = hostOfProgram(host ?? "");
  const state = name === undefined ? [] : pathsOf(name, "state", home);
  // A host that runs for the first time could not make it.
  for (const path of state.filter((path) => !path.endsWith(".json"))) {
    orElse(undefined, () => sys.makeDir(path, 0o700), "IO_ERROR");
  }
  const ofHome = HOST_NAMES.flatMap((name) => pathsOf(name, "settings", home));
  const ofTree = sandbox === "workspace" ? protectedIn(place, mayChange) : [];
  const holds = [
    // A path below /tmp does not show by itself.
    ...held("closed", [...place.shown, ...shows].filter((path) => path.startsWith("/tmp/"))),
    ...held("open", [...state, ...caches]),
    ...held("closed", ofHome.filter(isThere)),
    ...held("empty", KEYS.map((name) => `${home}/${name}`)),
    ...sandbox === "workspace" ? holdsIn(place, ofTree.map(realPath), { mayChange, writes }) : [],
    ...sandbox === "workspace" && loadsCode ? masksIn(place, host) : [],
  ];
  const named = [...new Set([...ofTree, ...ofTree.map(realPath)])];
  const before = new Map([...ofHome, ...named].map((path) => [path, stampOf(path)]));
  // A mounted path changes only from outside.
  const isChanged = (path: string) =>
    !/^(file|directory)/.test(before.get(path) ?? "") && stampOf(path) !== before.get(path);
  const { folders } = place;
  return {
    holds: new Map([...new Map(holds)].sort(([a], [b]) => `${a}/` < `${b}/` ? -1 : 1)),
    hidden: new Map(sandbox === "workspace" ? [] : folders.flatMap((each) => loadedIn(each, host))),
    changed: () => ({ ofTree: named.filter(isChanged), ofHome: ofHome.filter(isChanged) }),
  };
}

/** The paths of a host in a home, or where a variable of the user has moved them. */
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
  /** The working tree around it. */
  tree: string;
  /** From the tree down to the working folder. */
  folders: string[];
  /** The folder of the workspace in the checkout that holds its state, if that is another one. */
  root: string | undefined;
  /** The tree, and what git and agentx read besides it. */
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

/** The paths that no program in a working folder may write but agentx, existing or not. */
export function protectedPaths(cwd: string): string[] {
  const place = placeOf(sys.realPath(cwd) ?? cwd);
  return [...protectedIn(place), ...place.folders.map((folder) => `${folder}/.agentx`)];
}

/** The paths of a tree that may start a program, whether something is there or not. */
function protectedIn({ cwd, folders }: Place, mayChange: readonly string[] = []): string[] {
  return folders.flatMap((folder) => {
    const may = folder === cwd ? mayChange : [];
    return REPOSITORY_FILES.map(({ path }) => path)
      .filter((path) => isProtected(path, may))
      // Changes in a folder that is open in part are checked by name.
      .filter((path) => !may.some((pattern) => pattern.startsWith(path)))
      .map((path) => `${folder}/${path.replace(/\/$/, "")}`);
  });
}

/** A later hold of the same path wins. A mount would follow a link, out of the tree as well: links get none. */
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
 * The folders of the patterns of a role, as far as they are named: of `docs/*.md` it is `docs`. Patterns are text of
 * the repository: they open nothing outside of the working folder, and nothing of git.
 */
function foldersOf(mayChange: readonly string[], cwd: string): string[] {
  return mayChange.flatMap((pattern) => {
    const names = pattern.replace(/[^/]*[*?].*$|[^/]*$/, "").split("/").slice(0, -1);
    const isPlain = !names.some((name) => ["", ".", ".."].includes(name) || isGitName(name));
    return isPlain ? [[cwd, ...names].join("/")] : [];
  }).filter(isMade);
}

/** The files that agentx writes beside its state; the log is private, and agentx makes it. */
function linesIn(folder: string): string[] {
  const home = `${folder}/.agentx`;
  if (!isThere(home)) return [];
  return [`${home}/issues`, `${home}/memory`].filter(isMade).concat(`${home}/log`).filter(isThere);
}

/** Makes a folder that is missing; nothing where a link or a file is on its way. */
function isMade(folder: string): boolean {
  const there = ancestors(folder).find(isThere)!;
  if (realPath(there) !== there || sys.lstat(there)?.kind !== "directory") return false;
  sys.makeDir(folder);
  return true;
}

/** The paths that a host would load as code. A mount over a file is a device that opens for nobody. */
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

/** Whether something stands there; not below a file either. */
export function isThere(path: string): boolean {
  return stampOf(path) !== undefined;
}

function stampOf(path: string): string | undefined {
  const info = orElse(undefined, () => sys.lstat(path), "IO_ERROR");
  return info && `${info.kind} ${info.id}`;
}

/** The names that a host would load as code, by folder; follows folders as deep as the table names paths. */
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
