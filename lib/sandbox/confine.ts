// Confines a program by `bwrap` on Linux and `sandbox-exec` on macOS.
//
// Guaranteed: only the system's temporary folder, the host's own state and - in `workspace` - the
// working tree can be written, and of the tree no file that starts a program (`walls.ts`). Not
// guaranteed: that what may be read stays secret, besides some folders of keys; a network that is
// not off reaches anything.

import { findProgram } from "../sys/find_program.ts";
import { sys } from "../sys/mod.ts";
import { isThere, type Walls, wallsFor, type WallsOptions } from "./walls.ts";

/** How a program is confined. */
export interface ConfineOptions extends Omit<WallsOptions, "home"> {
  /** Whether it reaches the network. */
  hasNetwork: boolean;
  /** Where the program of the sandbox is looked for. */
  path: string;
  /** @default {that of the user} */
  home?: string;
  /** @default {that of this machine} */
  platform?: string;
}

/** A command that runs confined, or one that the system does not confine. */
export interface Confined extends Pick<Walls, "changed"> {
  command: readonly string[];
}

/** The command that runs a program confined; a text says why there is none. */
export function confined(
  command: readonly string[],
  { hasNetwork, path, platform = sys.platform, home = sys.env("HOME") ?? "/", ...options }:
    ConfineOptions,
): Confined | string {
  // Its path: a folder of the repository may be on the PATH.
  const program = sandboxProgram(platform, path);
  if (program === undefined) {
    return `${platform} has no sandbox that agentx knows: bwrap on Linux, sandbox-exec on macOS`;
  }
  const walls = wallsFor({ ...options, home });
  const words = platform === "linux"
    ? [...bwrap(walls, hasNetwork), "--chdir", options.cwd, "--"]
    : ["-p", profile(walls, hasNetwork)];
  return { command: [program, ...words, ...command], changed: walls.changed };
}

/** The same command, where nothing of ours confines it. */
export function unconfined(command: readonly string[]): Confined {
  return { command, changed: () => ({ ofTree: [], ofHome: [] }) };
}

/** Whether this machine confines programs: a container may have `bwrap` and forbid what it does. */
export async function canConfine(): Promise<boolean> {
  const path = sys.env("PATH") ?? "";
  const program = sandboxProgram(sys.platform, path);
  if (program === undefined) return false;
  const words = sys.platform === "linux"
    ? ["--ro-bind", "/", "/"]
    : ["-p", "(version 1)(allow default)"];
  const { outcome, exitCode } = await sys.run([program, ...words, "true"], {
    ...{ cwd: "/", env: { PATH: path }, stdin: "" },
    ...{ timeoutMs: 10_000, maxOutputBytes: 10_000 },
  });
  return outcome === "exited" && exitCode === 0;
}

function sandboxProgram(platform: string, path: string): string | undefined {
  const name = platform === "linux" ? "bwrap" : platform === "darwin" ? "sandbox-exec" : undefined;
  return name && findProgram(name, { tree: "/", path });
}

function bwrap({ holds, hidden }: Walls, hasNetwork: boolean): string[] {
  const kinds = { open: "--bind", way: "--bind", closed: "--ro-bind" };
  return [
    ...["--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc"],
    ...["--cap-drop", "ALL"], // root keeps its privileges otherwise, and undoes each mount
    ...hasNetwork ? [] : ["--unshare-net"],
    ...["--setenv", "TMPDIR", "/tmp", "--setenv", "GIT_OPTIONAL_LOCKS", "0"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
    ...[...holds].filter(([path]) => isThere(path)).flatMap(([path, kind]) =>
      kind === "empty" ? ["--tmpfs", path] : [kinds[kind], path, path]
    ),
    ...[...hidden].flatMap(([folder, names]) => without(folder, names)),
  ];
}

/** A folder without some names: with nothing in their place, a host goes on as if they were not there. */
function without(folder: string, names: readonly string[]): string[] {
  const others = sys.readDir(folder).filter((name) => !names.includes(name));
  return [
    ...["--tmpfs", folder],
    ...others.flatMap((name) => {
      const path = `${folder}/${name}`;
      const isLink = sys.lstat(path)?.kind === "symlink";
      return isLink ? ["--symlink", sys.readLink(path), path] : ["--ro-bind", path, path];
    }),
    ...["--remount-ro", folder],
  ];
}

/** The last rule that fits decides. Rules are about names: they hold for files that are not there, too. */
function profile({ holds, hidden }: Walls, hasNetwork: boolean): string {
  const rule = (what: string, operation: string, kind: "subpath" | "literal", path: string) =>
    `(${what} ${operation} (${kind} ${JSON.stringify(path)}))`;
  return [
    "(version 1)(allow default)(deny file-write*)",
    ...["/dev", "/private/tmp", "/private/var/folders"]
      .map((path) => rule("allow", "file-write*", "subpath", path)),
    ...[...holds].map(([path, kind]) =>
      rule(kind === "open" || kind === "way" ? "allow" : "deny", "file-write*", "subpath", path)
    ),
    ...[...holds].flatMap(([path, kind]) => {
      if (kind === "empty") return [rule("deny", "file-read*", "subpath", path)];
      return kind === "way" ? [rule("deny", "file-write-unlink", "literal", path)] : [];
    }),
    ...[...hidden].flatMap(([folder, names]) =>
      names.map((name) => rule("deny", "file-read*", "subpath", `${folder}/${name}`))
    ),
    hasNetwork ? "" : "(deny network*)",
  ].join("");
}
