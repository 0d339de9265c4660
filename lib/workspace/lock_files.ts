// Whether a project names a package in one of its lock files, so that a runner of packages finds it there.

import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
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

/** Whether a lock file in one of the folders names a package, or the package of a program. */
export function isLocked(name: string, folders: readonly string[]): boolean {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return false;
  const names = [name, ...Object.hasOwn(PACKAGES, name) ? [PACKAGES[name]] : []].map(escapeRegExp);
  return folders.some((folder) =>
    Object.entries(LOCK_FILES).some(([file, namedIn]) => {
      const text = orElse(undefined, () => sys.readTextFile(`${folder}/${file}`, MAX_BYTES));
      return text !== undefined && names.some((each) => namedIn(each).test(text));
    })
  );
}
