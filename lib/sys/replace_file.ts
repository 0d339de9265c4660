// Replaces a whole file in one step: a reader, also after a kill, finds the old text or the new one. Under a lock,
// `lock/commit.ts` does so.

import { sys } from "./mod.ts";
import { noteWritten } from "./written.ts";

export interface ReplaceOptions {
  /** @default {the mode of the present file} */
  mode?: number;
  /** Wait until the content is on the disk, and then until it is in its place. */
  fsync?: boolean;
  /**
   * The name that the content has first; writers that are not alone have one each.
   *
   * @default {one that a killed writer may have left: it is removed}
   */
  temporary?: string;
  /** Throws where the file must not be replaced any more. */
  verify?: () => void;
}

/** A link in its place is replaced, not followed. If it fails, the old file stays and nothing else is left. */
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

/** That of a link says nothing: 777 on Linux. */
function modeOf(path: string): number | undefined {
  const info = sys.lstat(path);
  return info?.kind === "file" ? info.mode : undefined;
}
