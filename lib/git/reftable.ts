// Repositories that keep references in reftables, the default of git 3. Only git can read these files, and the `HEAD`
// file beside them says nothing. The list of tables changes with each change of a reference.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { askGit } from "./ask_git.ts";

/** The text of the `HEAD` file in a repository with reftables. */
export const IN_REFTABLE = "ref: refs/heads/.invalid";

interface Head {
  /** Such as `refs/heads/main`; undefined if no branch is checked out. */
  ref: string | undefined;
  /** The commit; undefined before the first one. */
  commit: string | undefined;
}

const asked = new Map<string, Head & { stamp: string }>();

/** Returns a text that changes with the references; undefined in a repository without reftables. */
export function reftableStamp(gitFolder: string): string | undefined {
  const shared = sys.readTextFile(`${gitFolder}/commondir`)?.trimEnd();
  const folders = shared === undefined ? [gitFolder] : [gitFolder, `${gitFolder}/${shared}`];
  const lists = folders.flatMap((folder) => sys.lstat(`${folder}/reftable/tables.list`) ?? []);
  if (lists.length === 0) return undefined;
  return lists.map(({ id, size, modifiedMs }) => `${id} ${size} ${modifiedMs}`).join(" ");
}

/**
 * Returns the checked out branch or commit; asks git once for each state of the references. Throws `IO_ERROR`, also if
 * git is too old.
 */
export function reftableHead(gitFolder: string): Head {
  const stamp = orElse(undefined, () => reftableStamp(gitFolder), "IO_ERROR") ?? "";
  const known = asked.get(gitFolder);
  if (known?.stamp === stamp) return known;
  const ref = askGit(gitFolder, ["symbolic-ref", "--quiet", "HEAD"])?.trim();
  const commit = askGit(gitFolder, ["rev-parse", "--quiet", "--verify", "HEAD"])?.trim();
  asked.set(gitFolder, { stamp, ref, commit });
  return { ref, commit };
}
