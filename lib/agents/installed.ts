// Finds the installed version of a program from files, because a listing must not run programs.

import { isText, objectOf, tryParseJson } from "../base/checks.ts";
import { orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { hostOfProgram, HOSTS } from "../hosts/hosts.ts";

/** Maximum number of folders between a program and its package. */
const MAX_UP = 4;

const MAX_MANIFEST_BYTES = 1_000_000;

/** Returns the version in the npm package of a program, or in the name of its folder; null if neither has it. */
export function installedVersion(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const host = hostOfProgram(name);
  const known = host && HOSTS[host].tried;
  // The version is unknown if the file cannot be read.
  return orElse(null, () => {
    const real = sys.realPath(path) ?? path;
    const folders = real.split("/").slice(0, -1);
    for (let up = 0; up < MAX_UP && known !== undefined; up++) {
      const manifest = `${folders.slice(0, folders.length - up).join("/")}/package.json`;
      const version = versionIn(manifest, known.packageName);
      if (version !== undefined) return version;
    }
    return /\/v?(\d+\.\d+\.\d+)(?=\/|$)/.exec(real)?.[1] ?? null;
  });
}

function versionIn(manifest: string, packageName: string): string | undefined {
  const text = sys.readTextFile(manifest, MAX_MANIFEST_BYTES);
  if (text === undefined) return undefined;
  const { name, version } = objectOf(tryParseJson(text));
  return name === packageName && isText(version) ? version : undefined;
}
