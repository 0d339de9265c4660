// Reaching files without being led elsewhere, and without waiting.
//
// Git carries links, and who can write may put a pipe or a device where a file belongs. So a file
// is opened only where its path names a regular file, and only if the file that was opened is the one
// that was looked at (device and inode). From the last `.agentx` of a path on, each folder above it
// must be a folder as well, `.agentx` included. A caller that wants to follow a link resolves it
// first, with `realPath`; links above `.agentx`, and above any other file, are the user's own. Renaming and
// removing only touch names: the caller has just created or opened a file in that folder.
//
// A race remains for somebody who can write while we look. Files are opened with O_NOFOLLOW and O_NONBLOCK, except for
// one that Deno keeps open (`deno_file.ts`). There we wait for a pipe that appears between the look and the opening,
// and we open the target of a link, but close it again unread. And we miss a folder that becomes a link between its
// check and the creation of a file.

import { AgentxError } from "../base/errors.ts";
import type { FileInfo } from "./system.ts";

/** How a runtime opens a file. */
export interface Opening<File> {
  open(): File;
  info(file: File): FileInfo;
  close(file: File): void;
}

/** The largest file that is read where the caller names no other limit: far more than any of ours. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;

/** The largest session that is read, from a file or from standard input. */
export const MAX_INPUT_BYTES = 256 * 2 ** 20;

/** The mode of a folder without a mode of its own, less the umask: a folder that all may write to is refused. */
export const FOLDER_MODE = 0o775;

/** How often a file that keeps being replaced is looked at again. */
const MAX_TURNS = 64;

const HOME = ".agentx";

const KINDS: Record<FileInfo["kind"], readonly [name: string, errno: string]> = {
  file: ["a file", "ENOTDIR"],
  directory: ["a directory", "EISDIR"],
  symlink: ["a symbolic link", "ELOOP"],
  fifo: ["a named pipe", "ENXIO"],
  socket: ["a socket", "ENXIO"],
  device: ["a device", "ENXIO"],
};

/** Looks at paths before they are used. */
export class PathGuard {
  readonly #lstat: (path: string) => FileInfo | undefined;

  constructor(lstat: (path: string) => FileInfo | undefined) {
    this.#lstat = lstat;
  }

  /** Throws `IO_ERROR` if a path lies in a workspace, but is not reached through folders. */
  checkFolders(operation: string, path: string): void {
    const home = homeEnd(path);
    const end = path.lastIndexOf("/");
    if (home === undefined || end < home) return;
    for (let at = home; at !== -1 && at <= end; at = path.indexOf("/", at + 1)) {
      const part = path.slice(0, at);
      if (part.endsWith("/..")) throw leadsOut(operation, path);
      const kind = this.#lstat(part)?.kind;
      if (kind === undefined) return; // nothing lies below what is missing
      if (kind !== "directory") throw wrongKind(operation, part, kind);
    }
  }

  /**
   * Examines a path. Throws `IO_ERROR` for anything but a regular file.
   */
  examine(operation: string, path: string): FileInfo | undefined {
    this.checkFolders(operation, path);
    const info = this.#lstat(path);
    if (info === undefined || info.kind === "file") return info;
    throw wrongKind(operation, path, info.kind);
  }

  /**
   * Opens a regular file; undefined if there is none. Throws `IO_ERROR` for anything but one.
   */
  open<File>(
    operation: string,
    path: string,
    opening: Opening<File>,
  ): { file: File; info: FileInfo } | undefined {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const seen = this.examine(operation, path);
      if (seen === undefined) return undefined;
      const file = opening.open();
      let info: FileInfo | undefined;
      try {
        info = opening.info(file);
        if (info.id === seen.id) return { file, info };
      } finally {
        if (info?.id !== seen.id) opening.close(file);
      }
    }
    throw new AgentxError("IO_ERROR", `Cannot ${operation} "${path}": it keeps changing`, {
      details: { operation, path, errno: "EAGAIN" },
      next: "Try again",
    });
  }

  /**
   * Creates a folder and its parents. `mode` applies to the folder and, in a workspace, to all folders below
   * `.agentx`. `make` creates one folder, and may find that it exists. Throws `IO_ERROR` if something else is
   * in the way.
   */
  makeFolder(
    path: string,
    mode: number | undefined,
    make: (path: string, mode?: number) => void,
  ): void {
    const home = homeEnd(`${path}/`);
    const kind = this.#lstat(path)?.kind;
    if (kind === undefined) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      if (parent !== "") {
        this.makeFolder(
          parent,
          home !== undefined && parent.length > home ? mode : undefined,
          make,
        );
      }
      make(path, mode);
    } else if (home !== undefined || kind !== "symlink") {
      if (kind !== "directory") throw wrongKind("create", path, kind);
      this.checkFolders("create", `${path}/`);
    }
  }
}

/** Whether a path lies in a workspace. */
export function isInWorkspace(path: string): boolean {
  return homeEnd(path) !== undefined;
}

/** Where the last component `.agentx` of a path ends that has something behind it. */
function homeEnd(path: string): number | undefined {
  const at = path.lastIndexOf(`/${HOME}/`);
  if (at !== -1) return at + 1 + HOME.length;
  return path.startsWith(`${HOME}/`) ? HOME.length : undefined;
}

/** The refusal to use something else as a file, or as a folder. */
export function wrongKind(
  operation: string,
  path: string,
  kind: FileInfo["kind"],
): AgentxError<"IO_ERROR"> {
  const [name, errno] = KINDS[kind];
  const next = kind === "symlink"
    ? "Remove the link: links in a workspace are not followed, since they may lead out of the repository"
    : "Move it aside; agentx writes what belongs there again";
  return new AgentxError("IO_ERROR", `Cannot ${operation} "${path}": it is ${name} (${errno})`, {
    details: { operation, path, errno },
    next,
  });
}

function leadsOut(operation: string, path: string): AgentxError<"IO_ERROR"> {
  return new AgentxError("IO_ERROR", `Cannot ${operation} "${path}": it leads out of the folder`, {
    details: { operation, path, errno: "ELOOP" },
    next: "Use a path without ..",
  });
}

/** Throws `IO_ERROR` if a file exceeds the limit for reading. */
export function checkSize(path: string, size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  const why = `it has ${megabytes(size)} MB, and at most ${
    megabytes(maxBytes)
  } MB are read (EFBIG)`;
  throw new AgentxError("IO_ERROR", `Cannot read "${path}": ${why}`, {
    details: { operation: "read", path, errno: "EFBIG" },
    next: "Move it aside, or remove what is not needed from it",
  });
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20);
}

/** The bits of a mode that do not say the kind of the file. */
export const MODE_BITS = 0o7777;

/** Longer than a person's line at a prompt. */
export const MAX_LINE_BYTES = 4_096;
