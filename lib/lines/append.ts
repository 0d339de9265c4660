// Appends whole lines to a file: when the call returns, they are on the disk; if it throws, the file is as it was.

import { sys } from "../sys/mod.ts";
import type { OpenFile } from "../sys/system.ts";

const LINE_END = "\n".charCodeAt(0);

/**
 * Appends to a file; the caller holds its lock. Returns the offset of the text in bytes, or undefined if there is no
 * such file. Throws `IO_ERROR`.
 */
export function appendLines(path: string, text: string): number | undefined {
  const file = sys.openFile(path);
  if (file === undefined) return undefined;
  try {
    return appendTo(file, text);
  } finally {
    file.close();
  }
}

function appendTo(file: OpenFile, text: string): number {
  const { size } = file.info();
  const isWhole = size === 0 || file.readAt(size - 1, 1)[0] === LINE_END;
  try {
    file.writeAt(isWhole ? text : `\n${text}`, size);
    file.sync();
  } catch (error) {
    file.truncate(size); // a failed write must not leave part of a line
    throw error;
  }
  return isWhole ? size : size + 1;
}
