// The files that memory is read from: lines of `.agentx/memory/`, the copy of our own in the state, and
// the form of the documents, which is read as it lies: `issue-{n}.json`, and the same in `archive/`.

import { AgentxError } from "../../base/errors.ts";
import { parseLine } from "../../lines/line.ts";
import { copiedLines } from "../../lines/own_copy.ts";
import { wrongKind } from "../../sys/path_guard.ts";
import { sys } from "../../sys/mod.ts";
import { Checksum } from "../../base/hash.ts";
import { parseIssueFile } from "./issue_file.ts";
import { type MemoryEntry, readMemoryLine } from "../memory_line.ts";

/** A file that is there. */
export interface SourceFile {
  path: string;
  kind: "lines" | "copy" | "issue" | "archive";
  /** Changes whenever the file does. */
  version: string;
}

/** The entry at a place in a file. */
export type Placed = MemoryEntry & {
  /** Where its line begins, in bytes; in a file of the documents, which one it is. */
  at: number;
  /** Whether it can be read again from there alone. */
  isLine: boolean;
  bytes: number;
};

/** A part of a file, as it was read. */
export interface SourcePart {
  entries: Placed[];
  /** How much of the file has been read, and what that is recognised by. */
  size: number;
  sum: number;
  isLast: boolean;
  /** Whether it goes on where an earlier reading ended. */
  isGrown: boolean;
  /** The failures of reading. */
  failures: AgentxError[];
}

const MONTH = /^\d{4}-\d{2}$/;
const ISSUE_FILE = /^issue-([1-9][0-9]{0,8})\.json$/;
const LINE_END = 10;
const MAX_BYTES = 512 * 1024 * 1024;

/** So much of a file of lines is made sense of at once. */
const PART_BYTES = 2 * 1024 * 1024;

/** Errors of the system for something else in the place of a file: the other files can be read. */
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

  /** All that are there, in an order that does not depend on the disk. */
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
   * Reads a file in one or more parts; if it only grew since the last read, the new lines.
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
 * The observation that begins at a place of a file of lines; undefined if it is not there any more.
 * `files` keeps those that were read.
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

/** The folder of memory is ours: a link in it is not followed. */
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

/** The observations of a file of the documents. */
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

/** The issue that a file of the documents is about. */
export function issueOfSource(path: string): number {
  return Number(ISSUE_FILE.exec(path.slice(path.lastIndexOf("/") + 1))?.[1]);
}
