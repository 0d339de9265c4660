// Text that takes little room: compressed, and in base64 so that it stays a line of text.

import { MAX_FILE_BYTES } from "./guard.ts";

/** The part of `node:zlib` that is used; every runtime has it. */
export interface Zlib {
  brotliCompressSync(
    text: string,
    options: { params: Record<number, number> },
  ): { toString(encoding: "base64"): string };
  brotliDecompressSync(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array;
  constants: { BROTLI_PARAM_QUALITY: number };
}

/** Of 11, which takes ten times as long for a tenth less. */
const QUALITY = 9;

/** The text, packed. */
export function packText(zlib: Zlib, text: string): string {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return zlib.brotliCompressSync(text, { params }).toString("base64");
}

/** The text; undefined where it is damaged, or larger than any file of ours. */
export function unpackText(zlib: Zlib, packed: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    const options = { maxOutputLength: MAX_FILE_BYTES };
    return new TextDecoder("utf-8", { fatal: true }).decode(
      zlib.brotliDecompressSync(bytes, options),
    );
  } catch {
    return undefined; // the caller names the file
  }
}
