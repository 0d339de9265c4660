// Replaces a whole file in one step, so a reader finds the old text or the new text, even after a kill. For a file
// with a lock, use `lock/commit.ts`.

import { sys } from "./mod.ts";
import { noteWritten } from "./written.ts";

export interface ReplaceOptions {
  /** @default {the mode of the present file} */
  mode?: number;
  /** Wait until the content is on the disk, and then until the rename is on the disk. */
  fsync?: boolean;
  /**
   * The path of the temporary file. Concurrent writers need a path each.
   *
   * @default {`path` with `.tmp`, after removing a leftover of a killed writer}
   */
  temporary?: string;
  /** Throws if the file must no longer be replaced. */
  verify?: () => void;
}

/**
 * Replaces a file. A link at the path is replaced, not followed. After a failure, the old file stays and no other
 * file is left behind.
 */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = modeOf(path), fsync = true, temporary = leftover(path), verify = () => {} }:
    ReplaceOptions = {},
): void {
  try {
    sys.writeNewFile(temporary, content, { fsync, mode });
    verify();
    sys.rename(temporary, path);
  } catch (error) {
    sys.removeFile(temporary);
    throw error;
  }
  if (!fsync) return;
  noteWritten(path);
  sys.syncFolder(path.slice(0, path.lastIndexOf("/")));
}

function leftover(path: string): string {
  const temporary = `${path}.tmp`;
  sys.removeFile(temporary);
  return temporary;
}

/** Returns the mode of a file. The mode of a link is useless, since it is always 777 on Linux. */
function modeOf(path: string): number | undefined {
  const info = sys.lstat(path);
  return info?.kind === "file" ? info.mode : undefined;
}
