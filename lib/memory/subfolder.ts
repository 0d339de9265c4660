/**
 * The folders inside the folder of memory.
 *
 * @module
 */

import { wrongKind } from "../sys/guard.ts";
import { sys } from "../sys/mod.ts";

/**
 * The folder of memory is where the caller says, link or not; what is inside it is ours.
 *
 * @param folder inside the folder of memory; it need not exist
 * @throws {AgentxError} `IO_ERROR` for a link, or a file
 */
export function checkSubfolder(folder: string): void {
  const kind = sys.lstat(folder)?.kind;
  if (kind !== undefined && kind !== "directory") throw wrongKind("open", folder, kind);
}
