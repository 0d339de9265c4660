// Reads files that a user names, or standard input.

import { AgentxError, hasCode } from "../base/errors.ts";
import { MAX_INPUT_BYTES } from "../sys/path_guard.ts";
import { sys } from "../sys/mod.ts";
import type { Io } from "./io.ts";

/** Size of one read, in bytes. */
const PART_BYTES = 2 ** 20;

/** Returns the text of a file or of standard input. Throws `NOT_FOUND`, `IO_ERROR`. */
export async function readSource(path: string, io: Io): Promise<string> {
  if (path === "-") return await io.readStdin();
  return read(path, (real) => sys.readTextFile(real, MAX_INPUT_BYTES));
}

/** Yields the lines of a file of any size; only one part is in memory at a time. Throws `NOT_FOUND`, `IO_ERROR`. */
export function* readLines(path: string): Generator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  for (let offset = 0;;) {
    const { bytes } = read(path, (real) => sys.readPart(real, offset, PART_BYTES));
    if (bytes.length === 0) break;
    offset += bytes.length;
    const lines = decoder.decode(bytes, { stream: true }).split("\n");
    begun.push(lines[0]);
    if (lines.length === 1) continue;
    yield begun.join("");
    begun = [lines.pop()!];
    yield* lines.slice(1);
  }
  yield begun.join("") + decoder.decode();
}

/** Reads a path that the user gave. Links are followed, because the user owns them. */
function read<T>(path: string, reading: (realPath: string) => T | undefined): T {
  try {
    const found = reading(sys.realPath(path) ?? path);
    if (found !== undefined) return found;
    throw new AgentxError("NOT_FOUND", `Cannot read "${path}": there is no such file`, {
      details: { kind: "file", id: path },
      next: "Check the path, or give - for standard input",
    });
  } catch (error) {
    const why = hasCode(error, "IO_ERROR") ? WHY_NOT[error.details.errno] : undefined;
    if (why === undefined || !hasCode(error, "IO_ERROR")) throw error;
    throw new AgentxError("IO_ERROR", `Cannot read "${path}": ${why}`, {
      details: { ...error.details, path },
      next: "Name a regular file, or give - for standard input",
      cause: error,
    });
  }
}

const WHY_NOT: Record<string, string | undefined> = {
  EISDIR: "it is a folder",
  ELOOP: "it leads to a pipe or to nothing",
  ENXIO: "it is a pipe, a socket or a device",
};
