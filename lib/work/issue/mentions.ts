/**
 * Where people and agents wrote `#12`: what they meant by it, only a reader can tell. Pure.
 *
 * @module
 */

import type { Issue } from "./issue.ts";
import { bodyWithoutLinks } from "./linked.ts";

/**
 * @param text anything
 * @param number of an issue
 * @returns whether the text names it, as `#12`; not as `other/project#12`
 */
export function mentions(text: string, number: number): boolean {
  return new RegExp(`(?<![\\w/#&])#${number}(?!\\w)`).test(text);
}

/**
 * @param issue any issue
 * @param number of an issue
 * @returns the parts of it that name that number, without references that are known to mean another
 */
export function mentionsIn(issue: Issue, number: number): string[] {
  const { title, comments } = issue;
  const texts = [["title", title], ["body", bodyWithoutLinks(issue)]];
  comments.forEach(({ body }, index) => texts.push([`comment ${index + 1}`, body]));
  return texts.flatMap(([part, text]) => mentions(text, number) ? [part] : []);
}
