// Text that takes little room: compressed, and in base64 so that it stays a line of text.

import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { MAX_FILE_BYTES } from "./guard.ts";

/** Of 11, which takes ten times as long for a tenth less. */
const QUALITY = 9;

/** The text, packed. */
export function packText(text: string): string {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return brotliCompressSync(text, { params }).toString("base64");
}

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
