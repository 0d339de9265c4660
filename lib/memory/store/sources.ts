// The files that memory is read from: the lines in `.agentx/memory/`, the copy of our own lines in the state, and the
// issue files of the AgentX documents: `issue-{n}.json`, also in `archive/`, which are read as they are.

import { AgentxError } from "../../base/errors.ts";
import { parseLine } from "../../lines/line.ts";
import { copiedLines } from "../../lines/own_copy.ts";
import { wrongKind } from "../../sys/path_guard.ts";
import { sys } from "../../sys/mod.ts";
import { Checksum } from "../../base/hash.ts";
import { parseIssueFile } from "./issue_file.ts";
import { type MemoryEntry, readMemoryLine } from "../memory_line.ts";

/** A file to read. */
export interface SourceFile {
  path: string;
  kind: "lines" | "copy" | "issue" | "archive";
  /** Changes whenever the file does. */
  version: string;
}

/** The entry at a place in a file. */
export type Placed = MemoryEntry & {
  /** Byte offset of the line; in an issue file, the index of the entry. */
  at: number;
  /** Whether the entry can be read again from its offset alone. */
  isLine: boolean;
  bytes: number;
};

/** A part of a file, as it was read. */
export interface SourcePart {
  entries: Placed[];
  /** Bytes of the file that have been read, and the checksum of these bytes. */
  size: number;
  sum: number;
  isLast: boolean;
  /** Whether the part continues where an earlier reading ended. */
  isGrown: boolean;
  /** One error for each file or line that could not be read. */
  failures: AgentxError[];
}

const MONTH = /^\d{4}-\d{2}$/;
const ISSUE_FILE = /^issue-([1-9][0-9]{0,8})\.json$/;
const LINE_END = 10;
const MAX_BYTES = 512 * 1024 * 1024;

/** Bytes of a file of lines to parse at once. */
const PART_BYTES = 2 * 1024 * 1024;

/** System errors for a path that is not a readable file; the other files can still be read. */
const UNUSABLE = new Set(["EISDIR", "ELOOP", "ENXIO", "EFBIG"]);

const decoder = new TextDecoder();

/** The files of one memory. */
export class Sources {
  readonly #folder: string;
  readonly #copies: string;

  /** `folder` is `.agentx/memory`, `copies` is `.agentx/state/lines`. */
  constructor(folder: string, copies: string) {
    this.#folder = folder;
    this.#copies = copies;
  }

  /** Lists all files that exist, in an order that does not depend on the disk. */
  list(): SourceFile[] {
    const found: SourceFile[] = [];
    const add = (folder: string, pattern: RegExp, kind: SourceFile["kind"]) => {
      for (const name of namesIn(folder).filter((name) => pattern.test(name))) {
        const info = sys.lstat(`${folder}/${name}`);
        if (info === undefined) continue;
        const version = `${info.id} ${info.size} ${info.modifiedMs}`;
        found.push({ path: `${folder}/${name}`, kind, version });
      }
    };
    for (const name of sys.readDir(this.#folder)) {
      if (MONTH.test(name)) add(`${this.#folder}/${name}`, /\.jsonl$/, "lines");
      if (name === "archive") add(`${this.#folder}/${name}`, ISSUE_FILE, "archive");
    }
    add(this.#folder, ISSUE_FILE, "issue");
    add(this.#copies, /^memory-.*\.txt$/, "copy");
    return found;
  }

  /**
   * Reads a file in one or more parts. If it only grew since the last read, it reads the new lines only.
   *
   * @throws {AgentxError} `IO_ERROR`
   */
  *read(
    { path, kind }: SourceFile,
    before?: { size: number; sum: number },
  ): Generator<SourcePart> {
    try {
      const bytes = sys.readPart(path, 0, MAX_BYTES)?.bytes ?? new Uint8Array();
      if (kind === "issue" || kind === "archive") {
        const entries = issueEntries(decoder.decode(bytes), path, kind === "archive");
        const sum = new Checksum().add(bytes);
        yield { entries, size: bytes.length, sum, isLast: true, isGrown: false, failures: [] };
        return;
      }
      let checksum = new Checksum();
      const isGrown = before !== undefined && before.size <= bytes.length &&
        checksum.add(bytes.subarray(0, before.size)) === before.sum;
      if (!isGrown) checksum = new Checksum();
      let at = isGrown ? before.size : 0;
      const end = bytes.lastIndexOf(LINE_END) + 1;
      for (let isLast = false; !isLast;) {
        const next = bytes.indexOf(LINE_END, at + PART_BYTES) + 1;
        const size = next > 0 ? next : end;
        isLast = size === end;
        const failures: AgentxError[] = [];
        const entries = lineEntries(bytes.subarray(0, size), at, { path, kind, failures });
        const sum = checksum.add(bytes.subarray(at, size));
        yield { entries, size, sum, isLast, isGrown, failures };
        at = size;
      }
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      if (
        error.code === "IO_ERROR" && !UNUSABLE.has(`${(error.details as { errno?: string }).errno}`)
      ) throw error;
      yield { entries: [], size: 0, sum: 0, isLast: true, isGrown: false, failures: [error] };
    }
  }
}

/**
 * Reads the entry that begins at an offset of a file of lines; undefined if it is no longer there. `files` caches the
 * files that were read.
 */
export function readAt(
  path: string,
  at: number,
  bytes: number,
  files?: Map<string, Uint8Array>,
): MemoryEntry | undefined {
  let file = files?.get(path);
  if (file === undefined && files !== undefined) {
    files.set(path, file = sys.readPart(path, 0, MAX_BYTES)?.bytes ?? new Uint8Array());
  }
  const part = file?.subarray(at, at + bytes) ?? sys.readPart(path, at, bytes)?.bytes;
  if (part === undefined) return undefined;
  const line = parseLine(decoder.decode(part));
  const entry = typeof line === "string" ? line : readMemoryLine(line);
  return typeof entry === "string" ? undefined : entry;
}

/** Returns the names in a folder. A link inside the memory folder is refused, not followed. */
function namesIn(folder: string): string[] {
  const kind = sys.lstat(folder)?.kind;
  const isTop = !/\/(?:archive|\d{4}-\d{2})$/.test(folder);
  if (!isTop && kind !== undefined && kind !== "directory") throw wrongKind("open", folder, kind);
  return sys.readDir(folder);
}

function lineEntries(
  bytes: Uint8Array,
  start: number,
  { path, kind, failures }: Pick<SourceFile, "path" | "kind"> & { failures: AgentxError[] },
): Placed[] {
  const entries: Placed[] = [];
  for (let at = start; at < bytes.length;) {
    const end = bytes.indexOf(LINE_END, at);
    const text = decoder.decode(bytes.subarray(at, end)).replace(/\r$/, "");
    const raw = kind === "copy" ? copiedLines(text).at(0)?.raw : text;
    const entry = raw === undefined || raw === "" ? undefined : entryOf(raw);
    if (typeof entry === "string") failures.push(badLine(path, bytes, at, entry));
    else if (entry !== undefined) {
      const begin = kind === "copy" ? end - new TextEncoder().encode(raw).length : at;
      entries.push({ ...entry, at: begin, bytes: end - begin, isLine: true });
    }
    at = end + 1;
  }
  return entries;
}

function entryOf(raw: string): MemoryEntry | string {
  const line = parseLine(raw);
  return typeof line === "string" ? line : readMemoryLine(line);
}

function badLine(path: string, bytes: Uint8Array, at: number, why: string): AgentxError {
  const line = bytes.subarray(0, at).reduce(
    (count, byte) => count + (byte === LINE_END ? 1 : 0),
    1,
  );
  return new AgentxError("CORRUPT_STATE", `Cannot read line ${line} of "${path}": ${why}`, {
    details: { path, line },
    next: "The other lines were read; fix it, or take it out",
  });
}

/** Returns the observations of an issue file. */
function issueEntries(text: string, path: string, isArchived: boolean): Placed[] {
  const { observations } = parseIssueFile(text, path, issueOfSource(path));
  return observations.map((observation, at) => ({
    observation,
    ...(isArchived ? { isArchived } : {}),
    at,
    bytes: observation.content.length,
    isLine: false,
  }));
}

/** Returns the number in the name of an issue file. */
export function issueOfSource(path: string): number {
  return Number(ISSUE_FILE.exec(path.slice(path.lastIndexOf("/") + 1))?.[1]);
}
