// Determines which checkout of a repository holds the state of a workspace; all other checkouts share that state.
//
// It is the main checkout, if that has the workspace. Otherwise (a bare hub, a separate git folder, a main checkout on
// a branch without `.agentx/`) a record in the shared git folder names the checkout. The first command writes the
// record, and no command replaces it. If the named checkout is gone, that is an error, because its state is gone, too.

import { AgentxError, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import {
  checkoutNamedBy,
  checkoutsOf,
  isKnown,
  type Repository,
  repositoryAbove,
} from "./repository.ts";

/** Maximum reads of a record that another process has created but not written yet. */
const MAX_READS = 1_000;

/** The reason that `git worktree remove` shows when it refuses to remove the checkout with the state. */
const LOCKED = "agentx keeps the state of all worktrees here, see docs/files.md\n";

/** A workspace in a repository. */
interface Place {
  repository: Repository;
  /** The git folder that all checkouts of the project share. */
  shared: string;
  /** The file in the shared git folder that names the holder. */
  record: string;
  /** Returns whether a checkout has the workspace. */
  has: (checkout: string) => boolean;
}

/**
 * Returns the checkout that holds the state; undefined if neither the main checkout nor the caller's has the workspace.
 *
 * @param below the path of the workspace in each checkout: empty, or such as `/packages/shop`
 * @throws {AgentxError} `UNTRUSTED` if the repository does not know the caller's checkout; `CORRUPT_STATE` if the
 *   recorded checkout is gone; `IO_ERROR` if no record can be written
 */
export function stateHolder(repository: Repository, below: string): string | undefined {
  const { checkout, gitFolder, sharedFolder } = repository;
  const shared = sharedBy(repository);
  const record = `${shared}/agentx/root${encodeURIComponent(below)}`;
  const has = (path: string) => sys.lstat(`${path}${below}/.agentx`)?.kind === "directory";
  const place = { repository, shared, record, has };
  const isThere = orElse(undefined, () => sys.lstat(`${shared}/HEAD`), "IO_ERROR") !== undefined;
  if (!isThere) return has(checkout) ? checkout : undefined; // git cannot use this repository either
  const main = checkoutNamedBy(shared);
  const holder = recorded(place) ?? (main !== undefined && has(main) ? main : first(place));
  if (holder === undefined || holder === checkout || isKnown(repository)) return holder;
  throw new AgentxError(
    "UNTRUSTED",
    `Cannot use "${holder}${below}/.agentx": "${checkout}/.git" points there, but that repository does not know this worktree`,
    {
      details: { path: `${checkout}/.git`, reason: "git-file" },
      next: gitFolder === sharedFolder
        ? `If this is its main checkout, tell git so: git config core.worktree ${checkout}`
        : "If the worktree was moved, run this in it: git worktree repair",
    },
  );
}

/**
 * Returns the shared git folder. A submodule in a linked worktree is a separate clone, but belongs to the same project.
 */
function sharedBy({ gitFolder, sharedFolder }: Repository): string {
  const [, top, module] = /^(.*)\/worktrees\/[^/]+(\/modules\/.*)$/.exec(gitFolder) ?? [];
  return module === undefined ? sharedFolder : top + module;
}

/** Returns the recorded holder. The record holds the name that git gave to a linked worktree, or else a path. */
function recorded({ shared, record, has }: Place): string | undefined {
  let text = sys.readTextFile(record);
  for (let reads = 0; text === "" && reads < MAX_READS; reads++) text = sys.readTextFile(record);
  if (text === undefined) return undefined;
  const name = text.trimEnd();
  const path = name.startsWith("/") ? name : checkoutNamedBy(`${shared}/${name}`);
  const there = repositoryAbove(path ?? "");
  if (path !== undefined && there?.checkout === path && sharedBy(there) === shared && has(path)) {
    return path;
  }
  throw new AgentxError(
    "CORRUPT_STATE",
    `Cannot tell which checkout holds the state: "${record}" names "${name}", which is gone`,
    {
      details: { path: record, line: null },
      next: "Put that checkout back; if it is lost, remove the record and begin a new state",
    },
  );
}

/**
 * Records the future holder of the state. The checkout on the hub's branch is preferred, because it usually stays
 * longest.
 */
function first(place: Place): string | undefined {
  const { repository, shared, record, has } = place;
  const { checkout, gitFolder, sharedFolder } = repository;
  if (!has(checkout)) return undefined;
  const isLinked = gitFolder !== sharedFolder;
  if (isLinked && !isKnown(repository)) return checkout;
  const head = sys.readTextFile(`${shared}/HEAD`);
  const { checkout: path, gitFolder: its } = checkoutsOf(repository)
    .flatMap((path) => has(path) ? repositoryAbove(path) ?? [] : [])
    .find(({ gitFolder }) => sys.readTextFile(`${gitFolder}/HEAD`) === head) ?? repository;
  const name = its.startsWith(`${shared}/`) ? its.slice(shared.length + 1) : path;
  try {
    sys.makeDir(`${shared}/agentx`);
    sys.writeNewFile(record, `${name}\n`, { fsync: true });
    if (its !== sharedFolder) sys.writeNewFile(`${its}/locked`, LOCKED, { fsync: false });
  } catch (error) { // another process was first, or the user has locked the worktree
    if (sys.lstat(record) === undefined) throw error;
  }
  return recorded(place);
}
