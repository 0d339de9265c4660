// Which checkout of a repository holds the state of a workspace: all others share it.
//
// It is the main checkout, if that has the workspace. Without one (a bare hub, a separate git folder,
// a main checkout on a branch without `.agentx/`) a record in the shared git folder names the
// checkout. The first command writes the record, and no command replaces it: a checkout that is
// gone is an error, since its state went with it.

import { AgentxError, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import {
  checkoutNamedBy,
  checkoutsOf,
  isKnown,
  type Repository,
  repositoryAbove,
} from "./repository.ts";

/** How often a record is read that another process has created and not written yet. */
const MAX_READS = 1_000;

/** `git worktree remove` shows it and refuses. */
const LOCKED = "agentx keeps the state of all worktrees here, see docs/files.md\n";

/** A workspace in a repository. */
interface Place {
  repository: Repository;
  /** The git folder that all checkouts of the project share. */
  shared: string;
  /** The file in it that names the holder. */
  record: string;
  /** Whether a checkout has the workspace. */
  has: (checkout: string) => boolean;
}

/**
 * The checkout that holds the state; undefined if neither the main checkout nor the caller's has the workspace.
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
  if (!isThere) return has(checkout) ? checkout : undefined; // git cannot use it either
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

/** A submodule in a linked worktree is a clone of its own, of the same project. */
function sharedBy({ gitFolder, sharedFolder }: Repository): string {
  const [, top, module] = /^(.*)\/worktrees\/[^/]+(\/modules\/.*)$/.exec(gitFolder) ?? [];
  return module === undefined ? sharedFolder : top + module;
}

/** The holder of the record, which has the name that git gave a linked worktree, or else a path. */
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

/** Records who holds the state from now on: the checkout on the hub's branch stays longer than others. */
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
