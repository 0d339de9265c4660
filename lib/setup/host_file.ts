// Reads a file of a host as bytes, so that it can be restored exactly. Links are followed only within the folders that
// are being set up.

import { resolvedPath } from "../sys/inside.ts";
import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { fileRefusal } from "./refusal.ts";

export interface HostFile {
  /** The path that the host uses, for messages. */
  path: string;
  /** The path to write, without links. */
  realPath: string;
  /** The content; undefined if there is no file. */
  bytes: Uint8Array | undefined;
}

/** Larger files are refused; real settings are smaller. */
const MAX_BYTES = 32 * 2 ** 20;

const BOM = "\uFEFF";

/** Reads a file. Throws `UNTRUSTED` if a link leads out of the folders; also `INVALID_CONFIG`, `IO_ERROR`. */
export function readHostFile(path: string, folders: readonly string[]): HostFile {
  const realPath = resolvedPath(path);
  const isDangling =
    realPath === resolvedPath(folderOf(path)) + path.slice(folderOf(path).length) &&
    sys.lstat(path)?.kind === "symlink";
  const isInside = folders.some((folder) => realPath.startsWith(`${folder}/`)) &&
    !realPath.includes("/.git/");
  if (isDangling || !isInside) {
    const reason = isDangling ? "the link leads nowhere" : `it leads to "${realPath}"`;
    throw new AgentxError("UNTRUSTED", `Cannot use "${path}": ${reason}`, {
      details: { path, reason },
      next: `Replace the link with a file in "${folders[0]}"; nothing was changed`,
    });
  }
  const part = sys.readPart(realPath, 0, MAX_BYTES);
  if (part !== undefined && part.info.size > MAX_BYTES) {
    throw fileRefusal(path, `it is larger than ${MAX_BYTES / 2 ** 20} MB`);
  }
  return { path, realPath, bytes: part?.bytes };
}

/**
 * Returns the text of a file without its byte order mark; empty if there is no file. Throws `INVALID_CONFIG` if it is
 * not UTF-8.
 */
export function hostFileText({ path, bytes }: Pick<HostFile, "path" | "bytes">): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes ?? new Uint8Array());
  } catch {
    throw fileRefusal(path, "it is not UTF-8");
  }
}

/** Returns the bytes of a new text, with a byte order mark if the old bytes had one. */
export function bytesLike(bytes: Uint8Array | undefined, text: string): Uint8Array {
  const hasMark = bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return new TextEncoder().encode(hasMark ? BOM + text : text);
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
