// The files and symbols that a text names. Pure.

/** A file that a text names, with a line if the text gives one. */
export interface NamedPath {
  path: string;
  /** Line number, from 1. */
  line?: number;
}

/** Maximum number of names to read; further names say little about the subject of a text. */
const MAX_PATHS = 8;
const MAX_SYMBOLS = 12;

const PATH =
  /(?<![\w./~@:-])((?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9})(?::([1-9]\d{0,5}))?(?![\w/])/g;

/** `a.b`, `a::b`, `a#b` and `a->b`; each part counts. */
const DOTTED = /[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)#?[A-Za-z_$][\w$]*)*/;
const QUOTED = new RegExp(`\`(${DOTTED.source})(?:\\(\\))?\``, "g");
const CALLED = new RegExp(`(?<![\\w./])(${DOTTED.source})\\(\\)`, "g");

/** An identifier: a word with a capital or an underscore inside. */
const COMPOUND =
  /(?<![\w./@$-])(?:[a-z_$][\w$]*[A-Z_][\w$]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:[A-Z][a-z0-9]+){2,})(?![\w/@-]|\.\w)/g;

/** The relative paths that a text names, each once. */
export function pathsIn(text: string): NamedPath[] {
  const found = new Map<string, NamedPath>();
  for (const [, path, line] of text.matchAll(PATH)) {
    if (path.split("/").some((part) => part === "." || part === "..")) continue;
    const known = found.get(path);
    if (known?.line === undefined) {
      found.set(path, line === undefined ? { path } : { path, line: Number(line) });
    }
    if (found.size >= MAX_PATHS) break;
  }
  return [...found.values()];
}

/** The symbols that a text names, each once; those in backticks first. */
export function symbolsIn(text: string): string[] {
  const names = [QUOTED, CALLED].flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, name]) => name.split(/\.|::|#|->/)).flat()
  );
  const compound = Array.from(text.replace(PATH, " ").matchAll(COMPOUND), ([name]) => name);
  const symbols = [...names, ...compound].filter((name) => name.length >= 3);
  return [...new Set(symbols)].slice(0, MAX_SYMBOLS);
}
