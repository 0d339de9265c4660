// Parts of a repository that need consent by a hash of their whole content: scheduled tasks, and packages, which are
// read within limits.

import { AgentxError, hasCode } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";

/** The folder of installed packages, relative to the folder that holds `.agentx/`. */
export const PACKAGES_FOLDER = ".agentx/plugins";

/** The file of scheduled tasks, relative to the same folder. */
export const SCHEDULES_PATH = ".agentx/schedules.json";

export interface PackageFile {
  bytes: Uint8Array;
  isExecutable: boolean;
}

/** The files of a package, by their path inside it, such as `skills/greet/SKILL.md`. */
export type PackageFiles = ReadonlyMap<string, PackageFile>;

/** Maximum unpacked size of a package. Text and scripts need less; a package that grows beyond this is refused. */
export const MAX_PACKAGE_BYTES = 32 * 2 ** 20;
export const MAX_PACKAGE_FILES = 2_000;

const MAX_SCHEDULES_BYTES = 1_000_000;

/** Counts the files and bytes of a package and enforces the maximum of each. */
export class PackageBounds {
  #files = 0;
  #bytes = 0;

  /**
   * Adds a file to the counts.
   *
   * @throws {AgentxError} `INVALID_CONFIG` if a maximum is exceeded
   */
  add(path: string, bytes: number): void {
    this.#files++;
    this.#bytes += bytes;
    if (this.#files > MAX_PACKAGE_FILES) {
      throw packageError(path, `it has more than ${MAX_PACKAGE_FILES} files`);
    }
    if (this.#bytes > MAX_PACKAGE_BYTES) {
      throw packageError(path, `it is larger than ${MAX_PACKAGE_BYTES / 2 ** 20} MB unpacked`);
    }
  }
}

/**
 * Reads the files of a folder. A link to a file of the package counts as that file; `.git` is left out.
 *
 * @throws {AgentxError} `INVALID_CONFIG` for a link that leaves the folder or leads to a folder, for anything else
 *   that is not a file, and if the package is too large; `IO_ERROR`
 */
export function readPackageFiles(folder: string): PackageFiles {
  const files = new Map<string, PackageFile>();
  const bounds = new PackageBounds();
  const top = sys.realPath(folder) ?? folder;
  const visit = (below: string) => {
    for (const name of sys.readDir(folder + below)) {
      const path = `${below}/${name}`;
      const full = folder + path;
      const kind = sys.lstat(full)?.kind;
      if (kind === "directory") {
        if (path !== "/.git") visit(path);
        continue;
      }
      const target = kind === "symlink" ? targetOf(full) : full;
      if (target === undefined || !isInside(target, [top])) {
        throw packageError(path.slice(1), "it is a link that leaves the package or leads nowhere");
      }
      const info = sys.lstat(target);
      if (info?.kind !== "file") throw packageError(path.slice(1), "it does not lead to a file");
      bounds.add(path.slice(1), info.size);
      const { bytes } = sys.readPart(target, 0, MAX_PACKAGE_BYTES) ?? { bytes: new Uint8Array() };
      files.set(path.slice(1), { bytes, isExecutable: sys.isExecutable(target) });
    }
  };
  visit("");
  return files;
}

function targetOf(link: string): string | undefined {
  try {
    return sys.realPath(link);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR")) throw error;
    return undefined; // the link leads to itself
  }
}

/** Returns the SHA-256, in hexadecimal, over the names, the contents and the executable bits of the files. */
export async function hashOfPackage(files: PackageFiles): Promise<string> {
  const rows = await Promise.all(
    [...files].map(async ([path, { bytes, isExecutable }]) =>
      `${JSON.stringify(path)} ${isExecutable} ${await sha256(bytes)}`
    ),
  );
  return await sha256(new TextEncoder().encode(rows.sort().join("\n")));
}

/** Returns the error that refuses a package or a part of one. */
export function packageError(
  path: string,
  why: string,
  next = "Tell its author, or use another package; nothing was written",
): AgentxError<"INVALID_CONFIG"> {
  return new AgentxError("INVALID_CONFIG", `Cannot use package "${path}": ${why}`, {
    details: { path, line: null, key: null },
    next,
  });
}

/**
 * Returns the hash of each package and of the scheduled tasks, by path in the workspace. A package that cannot be
 * read is left out, because it is not used either.
 */
export async function contentsOf(root: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  const packages = packageNames(root).map((name) => `${PACKAGES_FOLDER}/${name}`);
  for (const path of [...packages, SCHEDULES_PATH]) {
    const hash = await hashOfContent(root, path);
    if (hash !== undefined) contents[path] = hash;
  }
  return contents;
}

/** Returns the names of the folders of packages. */
export function packageNames(root: string): string[] {
  const folder = `${root}/${PACKAGES_FOLDER}`;
  return sys.readDir(folder).filter((name) =>
    !name.startsWith(".") && sys.lstat(`${folder}/${name}`)?.kind === "directory"
  );
}

/** Returns the hash of a package or of the scheduled tasks; undefined if the path holds nothing that can be used. */
export async function hashOfContent(root: string, path: string): Promise<string | undefined> {
  if (path === SCHEDULES_PATH) {
    const bytes = sys.readPart(`${root}/${path}`, 0, MAX_SCHEDULES_BYTES)?.bytes;
    return bytes && await sha256(bytes);
  }
  try {
    const files = readPackageFiles(`${root}/${path}`);
    return files.size === 0 ? undefined : await hashOfPackage(files);
  } catch (error) {
    if (!hasCode(error, "INVALID_CONFIG")) throw error;
    return undefined;
  }
}
