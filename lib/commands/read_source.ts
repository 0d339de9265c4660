/**
 * Files that a command reads, or standard input.
 *
 * @module
 */

import { AgentxError } from "../errors.ts";
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
  const text = sys.readTextFile(path);
  if (text !== undefined) return text;
  throw new AgentxError("NOT_FOUND", `Cannot read "${path}": there is no such file`, {
    details: { kind: "file", id: path },
  });
}
