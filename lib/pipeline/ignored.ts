// Matches a path with a `.gitignore`. Pure. For any pattern, the work grows at most with the length of the pattern
// times that of the path. A class such as `[ab]` stands for any character here, which ignores too much rather than too
// little.

/**
 * Whether the text of a `.gitignore` ignores a path or a folder above it. The path is relative to the folder of the
 * `.gitignore`.
 */
export function isIgnored(path: string, gitignore: string): boolean {
  const rules = gitignore.split("\n").flatMap(readRule);
  const parts = path.split("/");
  return parts.some((_, index) => {
    const upTo = parts.slice(0, index + 1);
    const isFolder = index + 1 < parts.length;
    const last = rules.findLast((rule) =>
      (isFolder || !rule.isForFolders) && fits(rule.segments, upTo)
    );
    return last !== undefined && !last.isNegated;
  });
}

interface Rule {
  /** Parts between slashes; `**` stands for any number of them. */
  segments: string[];
  /** Whether the rule revokes an earlier one. */
  isNegated: boolean;
  isForFolders: boolean;
}

function readRule(line: string): Rule[] {
  const text = line.replace(/\s+$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const isNegated = text.startsWith("!");
  const pattern = (isNegated ? text.slice(1) : text).replaceAll("\\", "");
  const isForFolders = pattern.endsWith("/");
  const segments = pattern.split("/").filter((segment) => segment !== "");
  // A pattern matches in every folder below, unless it has a slash before its end.
  const isAnchored = pattern.slice(0, -1).includes("/");
  return [{ segments: isAnchored ? segments : ["**", ...segments], isNegated, isForFolders }];
}

function fits(segments: readonly string[], parts: readonly string[]): boolean {
  return matches(segments, parts, {
    isStar: (segment) => segment === "**",
    fitsOne: (segment, part) =>
      matches(wildcardsOf(segment), [...part], {
        isStar: (wildcard) => wildcard === "*",
        fitsOne: (wildcard, character) => wildcard === "?" || wildcard === character,
      }),
  });
}

function wildcardsOf(segment: string): string[] {
  return [...segment.replace(/\[[^\]]+\]/g, "?")];
}

interface Matcher {
  /** Whether a part of the pattern stands for any number of items. */
  isStar: (part: string) => boolean;
  fitsOne: (part: string, item: string) => boolean;
}

/** Matches items from the left. After a mismatch, the last star takes one more item. */
function matches(
  pattern: readonly string[],
  items: readonly string[],
  { isStar, fitsOne }: Matcher,
): boolean {
  let at = 0;
  let star = -1;
  let taken = 0;
  for (let index = 0; index < items.length;) {
    if (at < pattern.length && isStar(pattern[at])) {
      star = at++;
      taken = index;
    } else if (at < pattern.length && fitsOne(pattern[at], items[index])) {
      at++;
      index++;
    } else {
      if (star < 0) return false;
      at = star + 1;
      index = ++taken;
    }
  }
  return pattern.slice(at).every(isStar);
}
