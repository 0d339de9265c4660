// Which paths a sandbox opens, closes or hides.
//
// A mount protects a file and not its name: once the folder above is renamed, another file may stand there. So each
// folder on the way to a closed path is a mount of its own, which cannot be renamed from within. A path that is not
// there cannot be mounted: after the run, `changed` says whether it is there now.

import { orElse } from "../base/errors.ts";
import { ancestors, checkoutNamedBy, repositoryAbove } from "../git/repository.ts";
import { stateHolder } from "../git/state_holder.ts";
import { isLoaded, isProtected, REPOSITORY_FILES } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";

/** What an agent may write: nothing, or the working tree. */
export type Sandbox = "read-only" | "workspace";

/** For whom the walls are, and where. */
export interface WallsOptions {
  sandbox: Sandbox;
  /** The working folder: of an agent at work, that of the workspace in its tree. */
  cwd: string;
  home: string;
  /** The host, by the name of its program; undefined for any other program. */
  host?: string;
  /** What the role of an agent at work may change. */
  mayChange?: readonly string[];
  /** Further folders that may be written. */
  caches?: readonly string[];
}

/** `way` is open and stays where it is; `empty` shows nothing of what is there. */
export type Hold = "open" | "way" | "closed" | "empty";

/** The walls of one run. */
export interface Walls {
  /** By path, parents first; everything else is closed. A closed path need not be there. */
  holds: ReadonlyMap<string, Hold>;
  /** By folder: the names in it that do not show. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** Of the paths that may start a program, those that could not be mounted and are not as they were. */
  changed: () => Changed;
}

/** Real paths. */
export interface Changed {
  ofTree: string[];
  /** A host may make its own settings when it runs for the first time. */
  ofHome: string[];
}

/** What a host keeps in the user's home; it does not start without. */
const STATE: Readonly<Record<string, readonly string[]>> = {
  claude: [".claude", ".claude.json"],
  copilot: [".copilot"],
  gemini: [".gemini"],
  opencode: [".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
};

/** Files of a home that say what runs. */
const OF_HOME = [".claude/settings.json", ".gemini/settings.json", ".copilot/config.json"];

/** Folders of keys. */
const KEYS = [".ssh", ".gnupg", ".aws", ".kube"];

/** What agentx has recorded, and in it the trees of all steps. */
const RECORD = ".agentx/state";
const TREES = `${RECORD}/worktrees`;

/** Builds the walls, and notes what stands behind them now. */
export function wallsFor({ cwd: folder, home, sandbox, ...options }: WallsOptions): Walls {
  const { host, mayChange = [], caches = [] } = options;
  const place = placeOf(sys.realPath(folder) ?? folder);
  const state = STATE[host ?? ""] ?? [];
  // A host that runs for the first time could not make it.
  for (const name of state.filter((name) => !name.endsWith(".json"))) {
    orElse(undefined, () => sys.makeDir(`${home}/${name}`, 0o700), "IO_ERROR");
  }
  const ofHome = OF_HOME.map((name) => `${home}/${name}`);
  const ofTree = sandbox === "workspace" ? protectedIn(place, mayChange) : [];
  const holds = [
    // What lies below /tmp does not show by itself.
    ...held("closed", place.shown.filter((path) => path.startsWith("/tmp/"))),
    ...held("open", [...state.map((name) => `${home}/${name}`), ...caches]),
    ...held("closed", ofHome.filter(isThere)),
    ...held("empty", KEYS.map((name) => `${home}/${name}`)),
    ...sandbox === "workspace" ? holdsIn(place, ofTree.map(realPath)) : [],
  ];
  const named = [...new Set([...ofTree, ...ofTree.map(realPath)])];
  const before = new Map([...ofHome, ...named].map((path) => [path, stampOf(path)]));
  // What is mounted changes only from outside.
  const isChanged = (path: string) =>
    !/^(file|directory)/.test(before.get(path) ?? "") && stampOf(path) !== before.get(path);
  const { folders } = place;
  return {
    holds: new Map([...new Map(holds)].sort(([a], [b]) => `${a}/` < `${b}/` ? -1 : 1)),
    hidden: new Map(sandbox === "workspace" ? [] : folders.flatMap((each) => loadedIn(each, host))),
    changed: () => ({ ofTree: named.filter(isChanged), ofHome: ofHome.filter(isChanged) }),
  };
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

/** The paths of a tree that may start a program, whether something is there or not. */
function protectedIn({ cwd, folders }: Place, mayChange: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const may = folder === cwd ? mayChange : [];
    return REPOSITORY_FILES.map(({ path }) => path)
      .filter((path) => isProtected(path, may))
      // What is changed in a folder that is open in part is checked by name.
      .filter((path) => !may.some((pattern) => pattern.startsWith(path)))
      .map((path) => `${folder}/${path.replace(/\/$/, "")}`);
  });
}

/** A later hold of the same path wins. A mount would follow a link, out of the tree as well: links get none. */
function holdsIn({ tree, folders, root }: Place, protectedPaths: string[]): [string, Hold][] {
  const closed = protectedPaths.filter((path) => path.startsWith(`${tree}/`));
  const above = ancestors(tree).length;
  const isClosed = (path: string) => ancestors(path).some((each) => closed.includes(each));
  const roots = root === undefined ? [] : [root];
  const trees = [...folders, ...roots].map((each) => `${each}/${TREES}`);
  return [
    ...held("way", [tree]),
    ...held("open", roots.map((each) => `${each}/${RECORD}`).filter(isThere)),
    ...held("closed", trees.filter(isThere)),
    ...held("way", closed.flatMap((path) => ancestors(path).slice(1, -above))),
    ...held("closed", closed),
    ...held("open", instructionsIn(folders).filter(isClosed)),
  ].filter(([path]) => (isThere(path) ? sys.realPath(path) : path) === path);
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

/** By folder, what a host would load as code; folders that the table goes into are gone into. */
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
