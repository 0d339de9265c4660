// Keeps the former content of files of hosts in the user's state folder. So a file that was not edited since can be
// restored byte for byte. Only the user can read the folder, because settings may contain keys.

import { isObject, objectOf, tryParseJson } from "../base/checks.ts";
import { userStateFolder } from "../config/user_folders.ts";
import { isInside } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";
import { AgentxError } from "../base/errors.ts";
import { checkVersion } from "../base/input_checks.ts";
import { commitFile } from "../lock/commit.ts";
import { FileLockManager, type LockHandle } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { encodeJson } from "../text/text.ts";

/** The last change that setup made to a file. */
export interface FileRecord {
  /** SHA-256 of the former content; null if there was no file. */
  before: string | null;
  /** SHA-256 of the content that setup wrote. */
  after: string;
  /** Folders that setup created for the file, the innermost first. */
  folders: string[];
  /** The version of agentx that wrote the entries; absent in records of the first version. */
  by?: string;
}

/** Reads the records of changed files. */
export class BackupRecords {
  protected readonly folder: string;
  protected readonly records: Map<string, FileRecord>;

  constructor(folder: string) {
    this.folder = folder;
    this.records = readRecords(recordsPath(folder));
  }

  get(path: string): FileRecord | undefined {
    return this.records.get(path);
  }

  /** Returns the former content; undefined if there was no file, or its copy is gone. */
  before({ before }: FileRecord): Uint8Array | undefined {
    if (before === null) return undefined;
    return sys.readPart(this.copy(before), 0, Infinity)?.bytes;
  }

  protected copy(hash: string): string {
    return `${this.folder}/setup/${hash}`;
  }
}

/** Changes the records, under their lock. */
export class Backups extends BackupRecords {
  /** The lock of the records. Files of hosts are written under it, too. */
  readonly lock: LockHandle;

  constructor(folder: string, lock: LockHandle) {
    super(folder);
    this.lock = lock;
  }

  /** Keeps a copy of a file; `tidy` removes it when no record refers to it any more. */
  keep(bytes: Uint8Array, hash: string): void {
    const path = this.copy(hash);
    sys.makeDir(`${this.folder}/setup`, FOLDER_MODE);
    if (sys.lstat(path) === undefined) {
      commitFile(this.lock, path, bytes, { fsync: true, mode: FILE_MODE });
    }
  }

  /** Records changes; the value undefined removes a record. */
  note(changes: ReadonlyMap<string, FileRecord | undefined>): void {
    for (const [path, record] of changes) {
      if (record === undefined) this.records.delete(path);
      else this.records.set(path, record);
    }
    const files = Object.fromEntries([...this.records].sort(([a], [b]) => a < b ? -1 : 1));
    const text = encodeJson({ version: VERSION, files }, 2) + "\n";
    commitFile(this.lock, recordsPath(this.folder), text, { fsync: true, mode: FILE_MODE });
  }

  /** Removes the copies that no record refers to. */
  tidy(): void {
    const used = new Set([...this.records.values()].map(({ before }) => before));
    for (const name of sys.readDir(`${this.folder}/setup`)) {
      if (/^[0-9a-f]{64}$/.test(name) && !used.has(name)) sys.removeFile(this.copy(name));
    }
  }
}

const VERSION = 1;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

function recordsPath(folder: string): string {
  return `${folder}/setup.json`;
}

/**
 * Runs a function under the lock of the records, so only one set-up runs at a time. Records inside the checkout of
 * `from` are refused. The function must not wait for an agent, the network or a person. Throws `UNTRUSTED`,
 * `CORRUPT_STATE`, `NEWER_STATE`, `LOCK_TIMEOUT`, `IO_ERROR`.
 */
export async function withBackups<T>(
  from: string,
  work: (backups: Backups) => Promise<T>,
): Promise<T> {
  const folder = recordsFolder(from);
  sys.makeDir(folder, FOLDER_MODE);
  return await new FileLockManager().withSafeLock(
    recordsPath(folder),
    "setup",
    (lock) => work(new Backups(folder, lock)),
  );
}

/** Returns the records for a dry run; records inside the checkout of `from` are refused. */
export function readRecordsOnly(from: string): BackupRecords {
  return new BackupRecords(recordsFolder(from));
}

function recordsFolder(from: string): string {
  const folder = userStateFolder();
  const checkouts = repositoryFolders([from]).filter((path) => sys.lstat(`${path}/.git`));
  if (folder === undefined || isInside(folder, checkouts)) {
    const reason = folder === undefined
      ? "neither XDG_STATE_HOME nor HOME names a folder for backups"
      : `"${folder}", where backups are kept, is inside this repository`;
    throw new AgentxError("UNTRUSTED", `Cannot change the files of hosts: ${reason}`, {
      details: { path: folder ?? "", reason },
      next:
        "Set HOME to your home folder, and XDG_STATE_HOME to a folder of your own, or not at all",
    });
  }
  return folder;
}

function readRecords(path: string): Map<string, FileRecord> {
  const text = sys.readTextFile(path);
  if (text === undefined) return new Map();
  const value = tryParseJson(text);
  checkVersion(value, path, VERSION);
  const { files } = objectOf(value);
  if (!isObject(files) || !Object.values(files).every(isRecord)) {
    throw new AgentxError(
      "CORRUPT_STATE",
      `Cannot read "${path}": it does not hold the records of setup`,
      {
        details: { path, line: null },
        next:
          "Move it aside: agentx can then remove its entries, but not restore files as they were",
      },
    );
  }
  return new Map(Object.entries(files as Record<string, FileRecord>));
}

function isRecord(value: unknown): value is FileRecord {
  return isObject(value) && typeof value.after === "string" && Array.isArray(value.folders) &&
    (value.before === null ||
      typeof value.before === "string" && /^[0-9a-f]{64}$/.test(value.before));
}
