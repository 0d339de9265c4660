/**
 * Fingerprints of lines, and a quick look at whether a definition is as it was. Pure.
 *
 * @module
 */

/** Letters and digits that stand for a line. */
const DIGITS = 5;

const VALUES = 36 ** DIGITS;

const SPACE = 32;

/** @returns five letters or digits; indentation and other white space do not count */
export function fingerprint(line: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code > SPACE) hash = Math.imul(hash ^ code, 0x01000193);
  }
  hash = Math.imul(hash ^ hash >>> 16, 0x45d9f3b);
  return (((hash ^ hash >>> 15) >>> 0) % VALUES).toString(36).padStart(DIGITS, "0");
}

/** @returns the fingerprints of which a text is made */
export function split(fingerprints: string): string[] {
  const all: string[] = [];
  for (let at = 0; at + DIGITS <= fingerprints.length; at += DIGITS) {
    all.push(fingerprints.slice(at, at + DIGITS));
  }
  return all;
}

/** @returns whether a line says something: brackets alone do not */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

/** @returns the lines of a file */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/**
 * Looks for the lines of a definition where its symbol is named, which takes a small part of the time of
 * finding the definition: mostly nothing has changed.
 *
 * @param text of a file
 * @param symbol that is defined in it
 * @param then fingerprints of the lines of its definition
 * @returns true if they stand there in their order, and nothing more belongs to it; false proves nothing
 */
export function isDefinedAsBefore(text: string, symbol: string, then: string): boolean {
  const wanted = split(then);
  if (wanted.length === 0) return false;
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + symbol.length)) {
    const start = text.lastIndexOf("\n", at) + 1;
    if (fingerprint(lineAt(text, start)) === wanted[0] && follows(text, start, wanted)) return true;
  }
  return false;
}

function follows(text: string, start: number, wanted: readonly string[]): boolean {
  const own = indentOf(lineAt(text, start));
  let found = 0;
  for (let at = start; at < text.length;) {
    const line = lineAt(text, at);
    at += line.length + 1;
    if (line.trim() === "") continue;
    if (found === wanted.length) {
      if (indentOf(line) > own) return false; // it goes on
      if (/^\s*[)\]}>{]/.test(line)) continue;
      return true;
    }
    if (!isTelling(line)) continue;
    if (fingerprint(line) !== wanted[found++]) return false;
  }
  return found === wanted.length;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}

/** @returns the width of what a line begins with */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
