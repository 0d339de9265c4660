/**
 * Variables that a repository sets for whoever works in it. Some runtimes read `.env` by themselves, so
 * what the environment says may come from the repository.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";
import { isInside } from "./user_folders.ts";

const MAX_BYTES = 1_000_000;

/**
 * Looks for variables in the `.env` files of a repository.
 *
 * @param names of variables
 * @param folders of the repository
 * @returns whether one of them names one of the variables, or cannot be read through
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
