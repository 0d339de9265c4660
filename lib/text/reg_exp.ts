// Escapes text for regular expressions, and compiles patterns of paths. Pure.

const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** Returns the source of a regular expression that matches the text as it is. */
export function escapeRegExp(text: string): string {
  return text.replace(SYNTAX, "\\$&");
}

/**
 * Returns an expression for whole paths: `**` is any folders, `*` any part of a name, `?` one character; `docs/` is all
 * below it.
 */
export function pathPattern(pattern: string): RegExp {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (wild) => wild === "?" ? "[^/]" : wild === "*" ? "[^/]*" : ".*");
  return new RegExp(`^${source.endsWith("/") ? `${source}.*` : source}$`);
}
