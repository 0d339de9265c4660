// Reads an archive (tar, or tar with gzip) into memory, within the limits of a package. It writes nothing, so no entry
// can leave the package. It still refuses a name that would, and any entry other than a file or a folder.

import {
  MAX_PACKAGE_BYTES,
  MAX_PACKAGE_FILES,
  PackageBounds,
  packageError,
  type PackageFile,
  type PackageFiles,
} from "../config/packages.ts";

const BLOCK = 512;

/** Maximum size of an unpacked archive, including the headers of its entries and of long names. */
const MAX_TAR_BYTES = MAX_PACKAGE_BYTES + MAX_PACKAGE_FILES * 4 * BLOCK;

const decoder = new TextDecoder();

/**
 * Reads the files of an archive.
 *
 * @throws {AgentxError} `INVALID_CONFIG`
 */
export async function readArchive(name: string, bytes: Uint8Array): Promise<PackageFiles> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return withoutTop(entriesOf(name, isPacked ? await gunzip(name, bytes) : bytes));
}

/** Unpacks gzip; stops as soon as the result exceeds the limits of a package. */
async function gunzip(name: string, bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const unpacked = new Blob([new Uint8Array(bytes)]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const reader = unpacked.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_TAR_BYTES) {
        throw packageError(name, `it is larger than ${MAX_PACKAGE_BYTES / 2 ** 20} MB unpacked`);
      }
      parts.push(value);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw packageError(name, "it is damaged: gzip cannot read it");
  } finally {
    await reader.cancel().catch(() => {}); // the stream may have failed
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function entriesOf(name: string, tar: Uint8Array): Map<string, PackageFile> {
  const files = new Map<string, PackageFile>();
  const bounds = new PackageBounds();
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0;) {
    const header = tar.subarray(at, at + BLOCK);
    const field = (from: number, length: number) =>
      decoder.decode(header.subarray(from, from + length)).replace(/\0.*$/s, "");
    const [size, mode] = [octal(field(124, 12)), octal(field(100, 8))];
    const sum = header.reduce(
      (all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte),
      0,
    );
    const start = at + BLOCK;
    if (size === undefined || start + size > tar.length || octal(field(148, 8)) !== sum) {
      throw packageError(name, "it is damaged, or no archive of tar");
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    const content = tar.subarray(start, start + size);
    const kind = field(156, 1);
    if (["L", "x", "g"].includes(kind)) {
      const text = decoder.decode(content);
      if (kind === "L") longName = text.replace(/\0.*$/s, "");
      if (kind === "x") longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName;
      continue;
    }
    const short = [field(345, 155), field(0, 100)].filter((part) => part !== "").join("/");
    const path = (longName ?? short).replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
    longName = undefined;
    checkName(name, path);
    if (kind === "5") continue;
    if (kind !== "" && kind !== "0") {
      const what = kind === "1" || kind === "2" ? "a link" : "no file";
      throw packageError(path, `it is ${what}, and an archive may hold files only`);
    }
    bounds.add(path, size);
    files.set(path, { bytes: content.slice(), isExecutable: ((mode ?? 0) & 0o100) !== 0 });
  }
  if (files.size === 0) throw packageError(name, "it is no archive of tar, or has no files");
  return files;
}

function octal(text: string): number | undefined {
  const digits = text.trim();
  return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : undefined;
}

function checkName(archive: string, path: string): void {
  const parts = path.split("/");
  const isOdd = parts.some((part) => part === ".." || part === "") ||
    /[\\\p{Cc}]/u.test(path);
  if (path !== "" && isOdd) {
    throw packageError(archive, `its entry ${JSON.stringify(path)} would leave the package`);
  }
}

/** Removes a single top folder from all paths; archives of npm and of code hosts have one. */
function withoutTop(files: Map<string, PackageFile>): PackageFiles {
  const tops = new Set([...files.keys()].map((path) => path.slice(0, path.indexOf("/") + 1)));
  const [top] = tops;
  if (files.has("plugin.json") || tops.size !== 1 || top === "") return files;
  return new Map([...files].map(([path, file]) => [path.slice(top.length), file]));
}
