// Opens files without being led elsewhere, and without waiting.
//
// Git carries links, and anybody who can write may put a pipe or a device where a file belongs. So a file is opened
// only if its path names a regular file, and only if the opened file is the one that was examined (same device and
// inode). From the last `.agentx` of a path on, each component above the file must be a folder too, including
// `.agentx` itself. A caller that wants to follow a link resolves the link first, with `realPath`. Links above
// `.agentx`, and above any other file, are the user's own. Renaming and removing are not checked, because they only
// change names, and the caller has just created or opened a file in that folder.
//
// A race remains if somebody can write during the check. Files are opened with O_NOFOLLOW and O_NONBLOCK, except
// files that Deno keeps open (`deno_file.ts`). With those, agentx waits for a pipe that appears between the check and
// the opening, and opens the target of a link, but closes it again unread. Also, a folder that becomes a link between
// its check and the creation of a file is not noticed.

import { AgentxError } from "../base/errors.ts";
import type { FileInfo } from "./system.ts";

/** How a runtime opens a file. */
export interface Opening<File> {
  open(): File;
  info(file: File): FileInfo;
  close(file: File): void;
}

/** The largest file that is read unless the caller sets a limit. It is far larger than any file of agentx. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;

/** The largest session that is read, from a file or from standard input. */
export const MAX_INPUT_BYTES = 256 * 2 ** 20;

/**
 * The mode of a folder without a mode of its own, before the umask. It does not let all users write, because agentx
 * refuses a folder that does.
 */
export const FOLDER_MODE = 0o775;

/** The maximum number of attempts to open a file that keeps being replaced. */
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

/** Checks paths before they are used. */
export class PathGuard {
  readonly #lstat: (path: string) => FileInfo | undefined;

  constructor(lstat: (path: string) => FileInfo | undefined) {
    this.#lstat = lstat;
  }

  /** Throws `IO_ERROR` if a path lies in a workspace and one of its folders is not a real folder. */
  checkFolders(operation: string, path: string): void {
    const home = homeEnd(path);
    const end = path.lastIndexOf("/");
    if (home === undefined || end < home) return;
    for (let at = home; at !== -1 && at <= end; at = path.indexOf("/", at + 1)) {
      const part = path.slice(0, at);
      if (part.endsWith("/..")) throw leadsOut(operation, path);
      const kind = this.#lstat(part)?.kind;
      if (kind === undefined) return; // a missing folder contains nothing
      if (kind !== "directory") throw wrongKind(operation, part, kind);
    }
  }

  /** Examines a path; returns undefined if it does not exist. Throws `IO_ERROR` for anything but a regular file. */
  examine(operation: string, path: string): FileInfo | undefined {
    this.checkFolders(operation, path);
    const info = this.#lstat(path);
    if (info === undefined || info.kind === "file") return info;
    throw wrongKind(operation, path, info.kind);
  }

  /**
   * Opens a regular file; returns undefined if it does not exist. Throws `IO_ERROR` for anything but a regular file.
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
   * `.agentx`. `make` creates one folder, which another process may have created in the meantime. Throws `IO_ERROR`
   * if something else is in the way.
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

export function isInWorkspace(path: string): boolean {
  return homeEnd(path) !== undefined;
}

/**
 * Returns the index after the last component `.agentx` that has another component after it; undefined if there is
 * none.
 */
function homeEnd(path: string): number | undefined {
  const at = path.lastIndexOf(`/${HOME}/`);
  if (at !== -1) return at + 1 + HOME.length;
  return path.startsWith(`${HOME}/`) ? HOME.length : undefined;
}

/** Returns the error that refuses another kind of path as a file or folder. */
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

/** The bits of a mode without the kind of the file. */
export const MODE_BITS = 0o7777;

/** The maximum length of a line at a prompt. A person's line is shorter. */
export const MAX_LINE_BYTES = 4_096;
