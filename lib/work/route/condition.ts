// Conditions of steps that follow from the issue: `label:ui` where it has that label, `path:src/ui/**` where
// it names a file there. Any other condition is a sentence, which an agent or a person decides. Pure.

import type { Issue } from "../issue/issue.ts";
import { isIgnored } from "../../pipeline/ignored.ts";

/** The separators of words that may be paths. */
const BETWEEN = /[^\w@.*/-]+/;

/** The name of a file without a folder. */
const FILE = /^[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,5}$/i;

/** Whether a condition holds; undefined for a sentence. */
export function conditionHolds(
  condition: string,
  { title, body, labels }: Pick<Issue, "title" | "body" | "labels">,
): boolean | undefined {
  const [, kind, wanted] = /^(label|path):(\S+)$/.exec(condition.trim()) ?? [];
  if (kind === undefined) return undefined;
  if (kind === "label") return labels.includes(wanted);
  return filesInTexts(title, body).some((path) => isIgnored(path, wanted));
}

/** The files, or what looks like one, that texts name, each once. */
export function filesInTexts(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.split(BETWEEN))
    .filter((word) => word.includes("/") || word.includes("."))
    .map((word) => word.replace(/^\.?\/+|[./]+$/g, ""));
  return [...new Set(words.filter((word) => word.includes("/") || FILE.test(word)))];
}
