// Evaluates conditions of steps on an issue: `label:ui` if the issue has that label, `path:src/ui/**` if its text
// names a matching file. Any other condition is free text, which an agent or a person decides. Pure.

import type { Issue } from "../issue/issue.ts";
import { isIgnored } from "../../pipeline/ignored.ts";

/** Separators between words that may be paths. */
const BETWEEN = /[^\w@.*/-]+/;

/** Matches a file name without a folder. */
const FILE = /^[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,5}$/i;

/** Returns whether a condition (`label:NAME` or `path:PATTERN`) holds; undefined if the condition is free text. */
export function conditionHolds(
  condition: string,
  { title, body, labels }: Pick<Issue, "title" | "body" | "labels">,
): boolean | undefined {
  const [, kind, wanted] = /^(label|path):(\S+)$/.exec(condition.trim()) ?? [];
  if (kind === undefined) return undefined;
  if (kind === "label") return labels.includes(wanted);
  return filesInTexts(title, body).some((path) => isIgnored(path, wanted));
}

/** Returns the words in texts that look like files, without duplicates. */
export function filesInTexts(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(BETWEEN))
    .filter((word) => word.includes("/") || word.includes("."))
    .map((word) => word.replace(/^\.?\/+|[./]+$/g, ""));
  return [...new Set(words.filter((word) => word.includes("/") || FILE.test(word)))];
}
