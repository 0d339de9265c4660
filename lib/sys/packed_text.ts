// Text that takes little room: compressed, and in base64 so that it stays a line of text.

import { brotliDecompressSync } from "node:zlib";
import { MAX_FILE_BYTES } from "./guard.ts";

/** The text; undefined where it is damaged, or larger than any file of ours. */
export function unpackText(packed: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const options = { maxOutputLength: MAX_FILE_BYTES };
    return new TextDecoder("utf-8", { fatal: true }).decode(
      brotliDecompressSync(bytes, options),
    );
  } catch {
    return undefined; // the caller names the file
  }
}
