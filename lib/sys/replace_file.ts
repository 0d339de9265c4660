// Replaces a whole file in one step, for a writer that is alone with it: whoever reads it, and whoever comes
// after a kill, finds the old text or the new one. Files under a lock are replaced by `lock/commit.ts`.

import { sys } from "./mod.ts";
import { noteWritten } from "./written.ts";

/** A link in its place is replaced, not followed. `mode` is that of the file, where there is one. */
export function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode = modeOf(path),
): void {
  const temporary = `${path}.tmp`;
  sys.removeFile(temporary); // what a kill has left
  sys.writeNewFile(temporary, content, { fsync: true, mode });
  sys.rename(temporary, path);
  noteWritten(path);
  sys.syncFolder(path.slice(0, path.lastIndexOf("/")));
}

/** That of a link says nothing: 777 on Linux. */
function modeOf(path: string): number | undefined {
  const info = sys.lstat(path);
  return info?.kind === "file" ? info.mode : undefined;
}
