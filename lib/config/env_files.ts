// Finds variables in the `.env` files of a repository. Some runtimes read `.env` by themselves, so the value of a
// variable may come from the repository.

import { sys } from "../sys/mod.ts";
import { isInside } from "../sys/inside.ts";

const MAX_BYTES = 1_000_000;

/**
 * Whether a `.env` file in one of the folders sets one of the variables, or is too long to be read in full. The
 * current folder counts as well if it is inside one of the folders.
 */
export function isNamedInEnvFile(names: readonly string[], folders: readonly string[]): boolean {
  const cwd = sys.cwd();
  const places = new Set([...folders, ...(isInside(cwd, folders) ? [cwd] : [])]);
  const pattern = new RegExp(`\\b(${names.join("|")})\\b`);
  return [...places].some((folder) =>
    sys.readDir(folder)
      .filter((name) => /^\.env|\.env$/.test(name))
      .some((name) => {
        const path = sys.realPath(`${folder}/${name}`);
        if (path === undefined) return false; // a dangling link
        const info = sys.lstat(path);
        if (info?.kind === "directory") return false;
        if (info?.kind !== "file" || info.size > MAX_BYTES) return true;
        return pattern.test(sys.readTextFile(path) ?? "");
      })
  );
}
