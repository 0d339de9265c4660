// Runs git. All other facts about a repository are read from its files.

import { AgentxError, orElse } from "../base/errors.ts";
import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";
import type { RunResult } from "../sys/system.ts";

/** A long limit, because the hooks of a repository may run tests. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Variables that would lead git to another repository, index or form of paths. */
const OF_OTHERS =
  /^GIT_(?:DIR|COMMON_DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|\w+_PATHSPECS)$/;

/** Variables and settings that keep git from obeying files that others have written. */
export interface Confinement {
  env: Record<string, string>;
  /** Options before the subcommand of git. */
  settings: string[];
}

/**
 * For commands that only look, even in a copy of a stranger's repository: no hook, no fetch, no check of signatures.
 */
export const LOOKS_ONLY: Confinement = {
  // Before git 2.44, only the second variable keeps git from fetching a missing object from an address that a remote
  // names.
  env: { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" },
  settings: ["core.hooksPath=/dev/null", "submodule.recurse=false", "log.showSignature=false"]
    .flatMap((setting) => ["-c", setting]),
};

export interface RunGitOptions {
  action: string;
  stdin?: string;
  /** Whether to use the index that git gave this process. A hook of git may get an index other than the default. */
  isInHook?: boolean;
  /** Needed if the folder is not the user's own. */
  confinement?: Confinement;
  /** Git must not find programs inside this checkout. @default {the folder of the command} */
  outside?: string;
  /** @default {600_000} */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Runs git in a checkout; returns its output. Throws `IO_ERROR` if git refuses. */
export async function runGit(
  checkout: string,
  args: readonly string[],
  options: RunGitOptions,
): Promise<string> {
  const { action, signal } = options;
  const { outcome, exitCode, stdout, stderr } = await askOfGit(checkout, args, options);
  if (outcome === "exited" && exitCode === 0) return stdout;
  signal?.throwIfAborted();
  const why = `git ${
    args.find((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith("-"))
  } ended with ${exitCode ?? outcome}${reasonIn(stderr, ": ")}`;
  throw gitError(checkout, action, why);
}

/** Returns the reason that git printed. */
export function reasonIn(stderr: string, before = ""): string {
  const lines = stderr.trim().split("\n");
  const said = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  return said === "" ? "" : `${before}${said}`;
}

/** Runs git like {@linkcode runGit}, but returns the result even if git failed. */
export async function askOfGit(
  checkout: string,
  args: readonly string[],
  options: RunGitOptions,
): Promise<RunResult> {
  const { action, stdin = "", isInHook = false, confinement, outside, signal } = options;
  const env = Object.fromEntries(
    sys.envEntries().filter(([name]) =>
      !OF_OTHERS.test(name) || isInHook && name === "GIT_INDEX_FILE"
    ),
  );
  const path = pathOutside(outside ?? confinement?.env.GIT_WORK_TREE ?? checkout);
  const program = path === "" ? undefined : findProgram("git", { path });
  if (program === undefined) throw gitError(checkout, action, "git is not installed");
  const settings = [...NO_MONITOR, ...confinement?.settings ?? []];
  const readsOnly = args[0] === "status" ? READS_ONLY : {};
  return await sys.run([program, ...settings, ...args], {
    cwd: checkout,
    env: {
      ...env,
      GIT_LITERAL_PATHSPECS: "1",
      ...readsOnly,
      ...confinement && { PATH: path, ...confinement.env },
    },
    stdin,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
}

/**
 * Returns PATH without the folders inside the checkout and without node_modules/.bin, because git also looks for filter
 * programs in PATH.
 */
function pathOutside(checkout: string): string {
  const real = (path: string) => orElse(path, () => sys.realPath(path) ?? path, "IO_ERROR");
  const top = `${real(checkout)}/`;
  return (sys.env("PATH") ?? "").split(":")
    .filter((folder) => folder.startsWith("/") && !/\/node_modules\/\.bin\/?$/.test(folder))
    .filter((folder) => !`${real(folder)}/`.startsWith(top)).join(":");
}

/** Disables the file system monitor. In a stranger's clone, the settings could name any program for it. */
const NO_MONITOR = ["-c", "core.fsmonitor=false"];
const READS_ONLY = { GIT_OPTIONAL_LOCKS: "0" };

/** Returns the error for something that git cannot do. */
export function gitError(
  path: string,
  action: string,
  why: string,
  next = "Nothing was changed; see what git says with: git status",
): AgentxError<"IO_ERROR"> {
  return new AgentxError("IO_ERROR", `Cannot ${action} in "${path}": ${why}`, {
    details: { operation: action, path, errno: "GIT" },
    next,
  });
}
