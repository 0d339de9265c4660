/**
 * Files that a command reads, or standard input.
 *
 * @module
 */

import { AgentxError, hasCode } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import type { Io } from "./io.ts";

/**
 * @param path a file; `-` for standard input
 * @param io for standard input
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

/** It is the user's folder, and belongs where it is. */
function readFile(path: string): string | undefined {
  try {
    return sys.readTextFile(path);
  } catch (error) {
    if (!hasCode(error, "IO_ERROR") || error.details.errno !== "EISDIR") throw error;
    throw new AgentxError("IO_ERROR", `Cannot read "${path}": it is a folder`, {
      details: error.details,
      next: "Name a file, or give - for standard input",
      cause: error,
    });
  }
}
