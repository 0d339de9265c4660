// Writes the changes to the files of one host: all of them, or none.

import { hasCode } from "../base/errors.ts";
import { commitFile } from "../lock/commit.ts";
import { sys } from "../sys/mod.ts";
import type { Backups } from "./backup.ts";
import { type FileChange, isWritten } from "./change.ts";
import { isSameContent } from "../base/bytes.ts";
import { folderOf, readHostFile } from "./host_file.ts";
import { fileRefusal } from "./refusal.ts";

/**
 * Writes the copies first, then the records, then the files. If the process dies in between, the former content is on
 * disk, and a record that does not match its file yet is ignored. Throws `IO_ERROR`, `LOCK_LOST`, `INVALID_CONFIG`; all
 * files are then as before.
 */
export function writeChanges(
  changes: readonly FileChange[],
  backups: Backups,
  folders: readonly string[],
): void {
  const before = new Map(
    changes.map(({ file: { realPath } }) => [realPath, backups.get(realPath)]),
  );
  for (const { copy, record } of changes) {
    if (copy !== undefined && record?.before) backups.keep(copy, record.before);
  }
  const noted = new Map(changes.map(({ file: { realPath }, record }) => [realPath, record]));
  const hasChanged = [...noted].some(([path, record]) => record !== before.get(path));
  const written: FileChange[] = [];
  try {
    if (hasChanged) backups.note(noted);
    for (const change of changes.filter(isWritten)) {
      refuseIfChanged(change, folders);
      written.push(change);
      put(change.file.realPath, change.after, backups);
    }
  } catch (error) {
    for (const { file: { realPath, bytes } } of written.reverse()) put(realPath, bytes, backups);
    if (hasChanged) backups.note(before);
    throw error;
  }
  for (const { file: { realPath }, after } of written) {
    if (after === undefined) removeFolders(before.get(realPath)?.folders ?? []);
  }
  backups.tidy();
}

/** Refuses a file that another program has changed, because hosts do not take the lock of agentx. */
function refuseIfChanged({ file: { path, bytes } }: FileChange, folders: readonly string[]): void {
  if (isSameContent(readHostFile(path, folders).bytes, bytes)) return;
  throw fileRefusal(path, "another program has just changed it");
}

function put(path: string, bytes: Uint8Array | undefined, backups: Backups): void {
  if (bytes === undefined) {
    sys.removeFile(path);
    return;
  }
  sys.makeDir(folderOf(path));
  commitFile(backups.lock, path, bytes, { fsync: true });
}

/** Removes the folders that were created for a file, if they are empty. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      if (sys.lstat(folder)?.kind !== "directory" || sys.readDir(folder).length > 0) return;
      sys.removeEmptyFolder(folder);
    } catch (error) {
      if (!hasCode(error, "IO_ERROR")) throw error;
      return; // an empty folder does no harm
    }
  }
}
