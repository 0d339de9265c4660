// Confines a program by `bwrap` on Linux and `sandbox-exec` on macOS.
//
// Guaranteed: only the system's temporary folder, the host's own state and, in `workspace`, the working tree can be
// written; in the tree, files that start a program cannot be written (`walls.ts`).
//
// Not guaranteed: that readable files stay secret, except some folders of keys; that a program with network access
// reaches only some hosts.

import { orElse } from "../base/errors.ts";
import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";
import { isThere, type Walls, wallsFor, type WallsOptions } from "./walls.ts";

/** Options for confining a program. */
export interface ConfineOptions extends Omit<WallsOptions, "home"> {
  /** Whether the program has access to the network. */
  hasNetwork: boolean;
  /** The `PATH` to find the program of the sandbox. */
  path: string;
  /**
   * The home folder.
   *
   * @default {that of the user}
   */
  home?: string;
  /**
   * The operating system.
   *
   * @default {that of this machine}
   */
  platform?: string;
}

/** The operating system, and the `PATH` to find its sandbox. */
type Machine = Pick<ConfineOptions, "path" | "platform">;

/** A command that runs confined, or one that is not confined. */
export interface Confined extends Pick<Walls, "changed"> {
  command: readonly string[];
}

/** Returns the command that runs a program confined; a string tells why the program cannot be confined. */
export function confined(
  command: readonly string[],
  { hasNetwork, path, platform = sys.platform, home = sys.env("HOME") ?? "/", ...options }:
    ConfineOptions,
): Confined | string {
  // Use the full path of the sandbox: a folder of the repository may be on the PATH.
  const program = sandboxProgram(platform, path);
  if (program === undefined) return noProgram(platform);
  const walls = wallsFor({ ...options, home });
  const words = platform === "linux"
    ? [...bwrap(walls, hasNetwork), "--chdir", options.cwd, "--"]
    : ["-p", profile(walls, hasNetwork)];
  return { command: [program, ...words, ...command], changed: walls.changed };
}

/** Returns the same command, not confined by agentx. */
export function unconfined(command: readonly string[]): Confined {
  return { command, changed: () => ({ ofTree: [], ofHome: [] }) };
}

/** Whether this machine can confine programs. A container may have `bwrap` but forbid its system calls. */
export async function canConfine(): Promise<boolean> {
  return await whyUnconfined({ path: sys.env("PATH") ?? "" }) === undefined;
}

/** Returns why this machine cannot confine programs; undefined if it can. */
export async function whyUnconfined(
  { path, platform = sys.platform }: Machine,
): Promise<string | undefined> {
  const program = sandboxProgram(platform, path);
  if (program === undefined) return noProgram(platform);
  const words = platform === "linux"
    ? ["--ro-bind", "/", "/"]
    : ["-p", "(version 1)(allow default)"];
  const { outcome, exitCode, stderr } = await sys.run([program, ...words, "true"], {
    ...{ cwd: "/", env: { PATH: path }, stdin: "" },
    ...{ timeoutMs: 10_000, maxOutputBytes: 10_000 },
  });
  if (outcome === "exited" && exitCode === 0) return undefined;
  const setting = FORBIDS_NAMESPACES.find(([name, value]) => kernelSetting(name) === value);
  return setting === undefined
    ? `${program} does not run here: ${stderr.trim() || outcome}`
    : `the kernel forbids user namespaces: ${setting.join(" = ")} (sysctl)`;
}

/** Settings of Linux, each with the value that allows sandboxes only to root, or not at all. */
const FORBIDS_NAMESPACES = [
  ["user.max_user_namespaces", "0"],
  ["kernel.unprivileged_userns_clone", "0"], // of Debian
  ["kernel.apparmor_restrict_unprivileged_userns", "1"], // of Ubuntu
];

function kernelSetting(name: string): string | undefined {
  const path = `/proc/sys/${name.replaceAll(".", "/")}`;
  return orElse(undefined, () => sys.readTextFile(path)?.trim(), "IO_ERROR");
}

function noProgram(platform: string): string {
  return `${platform} has no sandbox that agentx knows: bwrap on Linux, sandbox-exec on macOS`;
}

function sandboxProgram(platform: string, path: string): string | undefined {
  const name = platform === "linux" ? "bwrap" : platform === "darwin" ? "sandbox-exec" : undefined;
  return name && findProgram(name, { tree: "/", path });
}

function bwrap({ holds, hidden }: Walls, hasNetwork: boolean): string[] {
  const kinds = { open: "--bind", way: "--bind", closed: "--ro-bind" };
  return [
    "--die-with-parent",
    "--new-session",
    "--unshare-pid",
    "--unshare-ipc",
    "--cap-drop",
    "ALL", // otherwise root keeps its privileges and can undo each mount
    ...hasNetwork ? [] : ["--unshare-net"],
    "--setenv",
    "TMPDIR",
    "/tmp",
    "--setenv",
    "GIT_OPTIONAL_LOCKS",
    "0",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    ...[...holds].filter(([path]) => isThere(path)).flatMap(([path, kind]) => {
      if (kind === "empty") return ["--tmpfs", path];
      return kind === "blank" ? ["--ro-bind", "/dev/null", path] : [kinds[kind], path, path];
    }),
    ...[...hidden].flatMap(([folder, names]) => without(folder, names)),
  ];
}

/** Returns the options that show a folder without some names. The host sees these files as missing. */
function without(folder: string, names: readonly string[]): string[] {
  const others = sys.readDir(folder).filter((name) => !names.includes(name));
  return [
    "--tmpfs",
    folder,
    ...others.flatMap((name) => {
      const path = `${folder}/${name}`;
      const isLink = sys.lstat(path)?.kind === "symlink";
      return isLink ? ["--symlink", sys.readLink(path), path] : ["--ro-bind", path, path];
    }),
    "--remount-ro",
    folder,
  ];
}

/**
 * Returns the profile for macOS. The last matching rule decides. Rules match names, so they also apply to files that do
 * not exist yet.
 */
function profile({ holds, hidden }: Walls, hasNetwork: boolean): string {
  const rule = (what: string, operation: string, kind: "subpath" | "literal", path: string) =>
    `(${what} ${operation} (${kind} ${JSON.stringify(path)}))`;
  return [
    "(version 1)(allow default)(deny file-write*)",
    rule("allow", "file-write*", "subpath", "/dev"),
    rule("allow", "file-write*", "subpath", "/private/tmp"),
    rule("allow", "file-write*", "subpath", "/private/var/folders"),
    ...[...holds].map(([path, kind]) =>
      rule(kind === "open" || kind === "way" ? "allow" : "deny", "file-write*", "subpath", path)
    ),
    ...[...holds].flatMap(([path, kind]) => {
      if (kind === "empty" || kind === "blank") {
        return [rule("deny", "file-read*", "subpath", path)];
      }
      return kind === "way" ? [rule("deny", "file-write-unlink", "literal", path)] : [];
    }),
    ...[...hidden].flatMap(([folder, names]) =>
      names.map((name) => rule("deny", "file-read*", "subpath", `${folder}/${name}`))
    ),
    hasNetwork ? "" : "(deny network*)",
  ].join("");
}
