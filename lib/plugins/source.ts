// Reads a package from its source: a folder, an archive, or a git repository. A repository is fetched without its
// hooks, filters and submodules, and never checked out.

import { AgentxError } from "../base/errors.ts";
import {
  MAX_PACKAGE_BYTES,
  packageError,
  type PackageFiles,
  readPackageFiles,
} from "../config/packages.ts";
import { runGit } from "../git/run_git.ts";
import { sys } from "../sys/mod.ts";
import { readArchive } from "./archive.ts";

const GIT_URL = /^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:|\.git\/?$/;

const FETCH = {
  env: { GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh", GIT_TERMINAL_PROMPT: "0" },
  settings: ["core.hooksPath=/dev/null", "fetch.recurseSubmodules=false", "gc.auto=0"]
    .flatMap((setting) => ["-c", setting]),
};

/**
 * Reads the files of a package.
 *
 * @throws {AgentxError} `NOT_FOUND`, `INVALID_CONFIG`, `IO_ERROR`
 */
export async function readPackageSource(
  source: string,
  signal?: AbortSignal,
): Promise<PackageFiles> {
  const path = sys.realPath(source);
  const kind = path && sys.lstat(path)?.kind;
  if (path !== undefined && kind === "directory") {
    const isBare = /\.git$/.test(source) && sys.lstat(`${path}/HEAD`) !== undefined;
    return isBare ? await fetched(path, signal) : readPackageFiles(path);
  }
  if (path !== undefined && kind === "file") return await readArchive(source, bytesOf(path));
  if (path === undefined && GIT_URL.test(source)) return await fetched(source, signal);
  throw new AgentxError("NOT_FOUND", `Cannot find package "${source}": no such folder or file`, {
    details: { kind: "package", id: source },
    next: "Name a folder, an archive (.tar, .tar.gz, .tgz) or the address of a git repository",
  });
}

/** Fetches a git repository. Only its settings hold the address, because the address may contain a password. */
async function fetched(address: string, signal?: AbortSignal): Promise<PackageFiles> {
  const folder = sys.makeTempDir("agentx-plugin-");
  try {
    const git = async (...args: string[]) => {
      const action = "fetch the package";
      await runGit(folder, args, { action, confinement: FETCH, signal, timeoutMs: 120_000 });
    };
    await git("init", "--quiet", "--bare", "--template=");
    const quoted = address.replace(/["\\]/g, "\\$&").replace(/\n/g, "");
    sys.appendTextFile(`${folder}/config`, `[remote "package"]\n\turl = "${quoted}"\n`);
    await git("fetch", "--quiet", "--depth=1", "--no-tags", "package", "HEAD");
    await git("archive", "--format=tar", "--output=package.tar", "FETCH_HEAD");
    return await readArchive(address, bytesOf(`${folder}/package.tar`));
  } finally {
    sys.removeFolder(folder);
  }
}

function bytesOf(path: string): Uint8Array {
  const most = 2 * MAX_PACKAGE_BYTES;
  const part = sys.readPart(path, 0, most);
  if (part === undefined || part.info.size > most) {
    throw packageError(path, `it is larger than ${most / 2 ** 20} MB`);
  }
  return part.bytes;
}
