// Parts of a repository that need consent by their whole content: schedules, and packages, read within bounds.

import { AgentxError, hasCode } from "../base/errors.ts";
import { sha256 } from "../base/sha256.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";

/** Where packages are installed, relative to the folder that holds `.agentx/`. */
export const PACKAGES_FOLDER = ".agentx/plugins";

/** The file of scheduled tasks, in the same form. */
export const SCHEDULES_PATH = ".agentx/schedules.json";

/** A file of a package. */
export interface PackageFile {
  bytes: Uint8Array;
  isExecutable: boolean;
}

/** The files of a package, by path from its top, such as `skills/greet/SKILL.md`. */
export type PackageFiles = ReadonlyMap<string, PackageFile>;

/** A package of text and scripts needs less; an archive that grows beyond this is refused. */
export const MAX_PACKAGE_BYTES = 32 * 2 ** 20;
export const MAX_PACKAGE_FILES = 2_000;

const MAX_SCHEDULES_BYTES = 1_000_000;

/** Counts files and bytes of a package. */
export class PackageBounds {
  #files = 0;
  #bytes = 0;

  /** @throws {AgentxError} `INVALID_CONFIG` beyond the bounds */
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
 * @throws {AgentxError} `INVALID_CONFIG` for a link that leaves the folder or leads to a folder, anything that is no
 *   file, and beyond the bounds; `IO_ERROR`
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
    return undefined; // it leads to itself
  }
}

/** SHA-256 over names, contents and what can be run, in hexadecimal. */
export async function hashOfPackage(files: PackageFiles): Promise<string> {
  const rows = await Promise.all(
    [...files].map(async ([path, { bytes, isExecutable }]) =>
      `${JSON.stringify(path)} ${isExecutable} ${await sha256(bytes)}`
    ),
  );
  return await sha256(new TextEncoder().encode(rows.sort().join("\n")));
}

/** The refusal of a package, or of a part of one. */
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

/** The hash of each content, by path in the workspace; one that cannot be read is not used either. */
export async function contentsOf(root: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  const packages = packageNames(root).map((name) => `${PACKAGES_FOLDER}/${name}`);
  for (const path of [...packages, SCHEDULES_PATH]) {
    const hash = await hashOfContent(root, path);
    if (hash !== undefined) contents[path] = hash;
  }
  return contents;
}

/** The folders of packages. */
export function packageNames(root: string): string[] {
  const folder = `${root}/${PACKAGES_FOLDER}`;
  return sys.readDir(folder).filter((name) =>
    !name.startsWith(".") && sys.lstat(`${folder}/${name}`)?.kind === "directory"
  );
}

/** Undefined where nothing is there that could be used. */
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
