// Variables that a repository sets for everybody who works in it. Some runtimes read `.env` by
// themselves, so a variable may come from the repository.

import { sys } from "../sys/mod.ts";
import { isInside } from "../sys/inside.ts";

const MAX_BYTES = 1_000_000;

/**
 * Whether a `.env` file in one of the folders of a repository sets one of the variables, or is too long
 * to be read in full.
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
        if (path === undefined) return false; // a link to nothing
        const info = sys.lstat(path);
        if (info?.kind === "directory") return false;
        if (info?.kind !== "file" || info.size > MAX_BYTES) return true;
        return pattern.test(sys.readTextFile(path) ?? "");
      })
  );
}
