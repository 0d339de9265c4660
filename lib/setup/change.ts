// Decides how to change one file of a host to write or remove the entries of agentx, from the file on disk and the
// record of the last change. Writes nothing.

import { sha256 } from "../base/sha256.ts";
import { VERSION } from "../base/version.ts";
import { sys } from "../sys/mod.ts";
import type { BackupRecords, FileRecord } from "./backup.ts";
import { isSameContent } from "../base/bytes.ts";
import { bytesLike, folderOf, type HostFile, hostFileText } from "./host_file.ts";
import type { Part } from "./part.ts";

/** The action on a file. All kinds of `keep` change nothing; `keep-edited` and `keep-shared` name the reason. */
export type FileAction =
  | "create"
  | "update"
  | "remove"
  | "restore"
  | "keep"
  | "keep-edited"
  | "keep-shared";

/** The current file, and its new content. */
export interface FileChange {
  file: HostFile;
  action: FileAction;
  /** The new content; undefined to remove the file. */
  after: Uint8Array | undefined;
  /** The new record; undefined if the file no longer has an entry of agentx. */
  record: FileRecord | undefined;
  /** The content to keep for restoring the file; undefined if there is none. */
  copy: Uint8Array | undefined;
}

/** Returns the change that writes the entries of agentx. */
export async function insertion(
  part: Part,
  file: HostFile,
  records: BackupRecords,
): Promise<FileChange> {
  const { bytes } = file;
  const record = records.get(file.realPath);
  const presence = part.presence(hostFileText(file));
  if (presence === "same") {
    const isOlder = record !== undefined && record.by !== VERSION;
    return kept("keep", file, isOlder ? { ...record, by: VERSION } : record);
  }

  const isUntouched = record !== undefined && await isHash(bytes, record.after);
  let base = bytes;
  if (isUntouched && (record.before === null || records.before(record) !== undefined)) {
    base = records.before(record);
  } else if (presence === "different" && !part.isWhole) {
    base = withdrawn(part, file, record);
  }
  const after = bytesLike(base, part.insert(hostFileText({ path: file.path, bytes: base })));
  return {
    file,
    action: bytes === undefined ? "create" : "update",
    after,
    copy: base,
    record: {
      before: base === undefined ? null : await sha256(base),
      after: await sha256(after),
      folders: isUntouched ? record.folders : missingFolders(file.realPath),
      by: VERSION,
    },
  };
}

/** Returns the change that removes the entries of agentx. */
export async function withdrawal(
  part: Part,
  file: HostFile,
  records: BackupRecords,
): Promise<FileChange> {
  const { bytes } = file;
  const record = records.get(file.realPath);
  if (record !== undefined && await isHash(bytes, record.after)) {
    const before = records.before(record);
    if (record.before === null) return change("remove", file, undefined);
    if (before !== undefined) return change("restore", file, before);
  }
  const presence = part.presence(hostFileText(file));
  if (presence === "absent") return kept("keep", file, undefined);
  if (part.isWhole && presence === "different") return kept("keep-edited", file, record);
  const after = withdrawn(part, file, record);
  return change(after === undefined ? "remove" : "update", file, after);
}

/** Returns a change that leaves the file as it is. */
export function kept(
  action: FileAction,
  file: HostFile,
  record: FileRecord | undefined,
): FileChange {
  return { file, action, after: file.bytes, record, copy: undefined };
}

/** Whether a change changes the file on disk. */
export function isWritten({ file, after }: FileChange): boolean {
  return !isSameContent(file.bytes, after);
}

function change(action: FileAction, file: HostFile, after: Uint8Array | undefined): FileChange {
  return { file, action, after, record: undefined, copy: undefined };
}

/**
 * Returns the content without the entries of agentx; undefined to remove the file, if it is then empty and no record
 * says that it existed before.
 */
function withdrawn(part: Part, file: HostFile, record: FileRecord | undefined) {
  const text = part.withdraw(hostFileText(file));
  const isOurs = record === undefined || record.before === null;
  return isOurs && part.isEmpty(text) ? undefined : bytesLike(file.bytes, text);
}

async function isHash(bytes: Uint8Array | undefined, hash: string): Promise<boolean> {
  return bytes !== undefined && await sha256(bytes) === hash;
}

function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let at = folderOf(path); at !== "" && sys.lstat(at) === undefined; at = folderOf(at)) {
    missing.push(at);
  }
  return missing;
}
