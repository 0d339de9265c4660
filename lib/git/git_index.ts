// Reads the index of a git repository from its bytes: the paths that git tracks (git's documentation, "index-format",
// versions 2 to 4). Pure.
//
// The bytes are not trusted: bytes that do not fit the format end in an `UnreadableIndex`, and the work is bounded by
// the number of bytes.

import { readBitmap } from "./ewah.ts";

/** The error for bytes that cannot be read as an index. */
export class UnreadableIndex extends Error {
  override readonly name = "UnreadableIndex";
}

/** One tracked path. */
export interface IndexEntry {
  /** The bytes of the path. The array changes when the next entry is read. */
  path: Uint8Array;
  /** The size of the file as git last saw it, in bytes. */
  size: number;
  /** Whether a sparse checkout leaves the file out. */
  isSkipped: boolean;
  /** The offset in the index at which the entry ends. */
  end: number;
}

/** The reference of a split index to its shared file, which holds the rest of the entries. */
export interface SharedPart {
  /** The name of the shared file, in the folder of the index. */
  name: string;
  /** Whether the entry at a position of the shared file is no longer tracked. */
  isRemoved: (position: number) => boolean;
}

/** The format of an index. */
export interface IndexFormat {
  /** Length of an object name in bytes: 20, or 32 in a repository with SHA-256. */
  hashBytes: number;
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const SIZE_AT = 36;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const NEWEST_VERSION = 4;

/** Yields the entries in order, sorted by the bytes of their paths. */
export function* indexEntries(bytes: Uint8Array, format: IndexFormat): Generator<IndexEntry> {
  const view = viewOf(bytes);
  const { version, count } = headerOf(bytes);
  const path = new PathBytes();
  let start = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    const flagsAt = start + STAT_BYTES + format.hashBytes;
    if (flagsAt + 4 > bytes.length) throw cutOff();
    const isExtended = version >= 3 && (view.getUint16(flagsAt) & EXTENDED) !== 0;
    const nameStart = flagsAt + (isExtended ? 4 : 2);
    const { value: strip, end: textStart } = version === NEWEST_VERSION
      ? readOffset(bytes, nameStart)
      : { value: path.length, end: nameStart };
    const textEnd = bytes.indexOf(0, textStart);
    if (textEnd < 0) throw cutOff();
    path.replaceEnd(strip, bytes.subarray(textStart, textEnd));
    // Entries of older versions are padded with one to eight zeros.
    const end = version === NEWEST_VERSION ? textEnd + 1 : start + ((textEnd - start) & ~7) + 8;
    if (end > bytes.length) throw cutOff();
    const isSkipped = isExtended && (view.getUint16(flagsAt + 2) & SKIP_WORKTREE) !== 0;
    const size = view.getUint32(start + SIZE_AT);
    yield { path: path.bytes, size, isSkipped, end };
    start = end;
  }
}

/** Returns the reference of an index to its shared file; undefined if the index is not split. */
export function sharedPart(bytes: Uint8Array, format: IndexFormat): SharedPart | undefined {
  const link = extensions(bytes, format).find(({ name }) => name === "link")?.data;
  if (link === undefined) return undefined;
  const hash = link.subarray(0, format.hashBytes);
  if (hash.length < format.hashBytes) throw cutOff();
  if (hash.every((byte) => byte === 0)) return undefined;
  const removed = readBitmap(link.subarray(format.hashBytes)) ?? fail("its links are damaged");
  return {
    name: `sharedindex.${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`,
    isRemoved: (position) => removed.has(position),
  };
}

/** The current path. An entry of version 4 stores only how its path differs from the previous one. */
class PathBytes {
  #buffer = new Uint8Array(256);
  length = 0;

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  replaceEnd(strip: number, text: Uint8Array): void {
    if (strip > this.length) throw new UnreadableIndex("its paths are damaged");
    const kept = this.length - strip;
    this.length = kept + text.length;
    if (this.length > this.#buffer.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.#buffer.subarray(0, kept));
      this.#buffer = larger;
    }
    this.#buffer.set(text, kept);
  }
}

function headerOf(bytes: Uint8Array): { version: number; count: number } {
  if (bytes.length < HEADER_BYTES) throw cutOff();
  const view = viewOf(bytes);
  const isIndex = String.fromCharCode(...bytes.subarray(0, 4)) === "DIRC";
  if (!isIndex) throw new UnreadableIndex("it does not start like an index");
  const version = view.getUint32(4);
  if (version >= 2 && version <= NEWEST_VERSION) return { version, count: view.getUint32(8) };
  throw new UnreadableIndex(`its version is ${version}`);
}

function extensions(bytes: Uint8Array, format: IndexFormat) {
  const found: Array<{ name: string; data: Uint8Array }> = [];
  const view = viewOf(bytes);
  const end = bytes.length - format.hashBytes;
  let start = HEADER_BYTES;
  for (const entry of indexEntries(bytes, format)) start = entry.end;
  while (start + 8 <= end) {
    const dataEnd = start + 8 + view.getUint32(start + 4);
    if (dataEnd > end) throw cutOff();
    const name = String.fromCharCode(...bytes.subarray(start, start + 4));
    const data = bytes.subarray(start + 8, dataEnd);
    found.push({ name, data });
    start = dataEnd;
  }
  return found;
}

/** Reads a number of seven bits a byte, the highest bits first. Each byte but the last adds one more. */
function readOffset(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < bytes.length; at++) {
    value = value * 128 + (bytes[at] & 127);
    if (bytes[at] < 128) return { value, end: at + 1 };
    value++;
    if (value > bytes.length) break;
  }
  throw cutOff();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function cutOff(): UnreadableIndex {
  return new UnreadableIndex("it is cut off");
}

function fail(reason: string): never {
  throw new UnreadableIndex(reason);
}
