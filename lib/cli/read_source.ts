/**
 * Files that a command reads, or standard input.
 *
 * @module
 */

import { AgentxError, hasCode } from "../errors.ts";
import { MAX_INPUT_BYTES } from "../sys/guard.ts";
import { sys } from "../sys/mod.ts";
import type { Io } from "./io.ts";

/**
 * @returns its text
 * @throws {AgentxError} `NOT_FOUND`, `IO_ERROR`
 */
export async function readSource(path: string, io: Io): Promise<string> {
  if (path === "-") return await io.readStdin();
  const text = readFile(path);
  if (text !== undefined) return text;
  throw new AgentxError("NOT_FOUND", `Cannot read "${path}": there is no such file`, {
    details: { kind: "file", id: path },
    next: "Check the path, or give - for standard input",
  });
}

/** What the user names belongs where it is; a link to it is the user's own. */
function readFile(path: string): string | undefined {
  try {
    return sys.readTextFile(sys.realPath(path) ?? path, MAX_INPUT_BYTES);
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
