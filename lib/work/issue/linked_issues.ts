// The `uid` of each issue that an issue names in its labels and under "## Dependencies". With these, the references
// can be updated when issues get new numbers. Pure.

import { linksOf, replaceReferences } from "./dependencies.ts";
import type { Issue } from "./issue.ts";

const LABEL_NUMBER = /^(?:blocked[_-]by|blocks):#?([1-9]\d{0,8})$/i;
const LINKED = /^#([1-9]\d{0,8}) (.+)$/;

/** Returns `#number uid` for each known issue that an issue names. */
export function linkedUids(
  issue: Issue,
  uidOf: (number: number) => string | undefined,
): string[] {
  const known = readLinks(issue);
  const { blockedBy, blocks } = linksOf(issue);
  const linked = Array.from(new Set([...blockedBy, ...blocks]), (number) => {
    const before = known.filter((link) => link.number === number);
    const uid = before.length > 0 ? undefined : uidOf(number);
    return uid === undefined ? before : [{ number, uid }];
  });
  return linked.flat().map(({ number, uid }) => `#${number} ${uid}`).sort();
}

/**
 * Returns the issue with current numbers in its references. If two branches meant different issues by one number,
 * the reference names both.
 */
export function relink(issue: Issue, numberOf: ReadonlyMap<string, number>): Issue {
  const known = readLinks(issue).map(({ number, uid }) => {
    return { number, uid, now: numberOf.get(uid) ?? number };
  });
  if (known.every(({ number, now }) => number === now)) return issue;
  const numbersNow = (number: number) => {
    const meant = known.filter((link) => link.number === number).map(({ now }) => now);
    return meant.length === 0 ? [number] : [...new Set(meant)];
  };
  const labels = issue.labels.flatMap((label) => {
    const number = LABEL_NUMBER.exec(label)?.[1];
    if (number === undefined) return [label];
    return numbersNow(Number(number)).map((now) => label.replace(/\d+$/, `${now}`));
  });
  const body = replaceReferences(
    issue.body,
    (number) => numbersNow(number).map((now) => `#${now}`).join(", "),
  );
  const links = known.map(({ now, uid }) => `#${now} ${uid}`);
  return { ...issue, labels: [...new Set(labels)], body, linkedUids: [...new Set(links)].sort() };
}

/** Returns whether a text names an issue as `#12`; `other/project#12` does not count. */
export function mentions(text: string, number: number): boolean {
  return new RegExp(`(?<![\\w/#&])#${number}(?!\\w)`).test(text);
}

/**
 * Finds mentions of a number that only a reader can resolve: when two issues had the number, `#12` may mean either.
 *
 * @returns the parts of an issue that mention the number; references with a known `uid` do not count
 */
export function mentionsIn(issue: Issue, number: number): string[] {
  const { title, comments } = issue;
  const texts = [["title", title], ["body", bodyWithoutLinks(issue)]];
  comments.forEach(({ body }, index) => texts.push([`comment ${index + 1}`, body]));
  return texts.flatMap(([part, text]) => mentions(text, number) ? [part] : []);
}

function bodyWithoutLinks(issue: Issue): string {
  const known = new Set(readLinks(issue).map(({ number }) => number));
  return replaceReferences(issue.body, (number) => known.has(number) ? "" : `#${number}`);
}

function readLinks({ linkedUids = [] }: Issue): { number: number; uid: string }[] {
  return linkedUids.flatMap((link) => {
    const [, number, uid] = LINKED.exec(link) ?? [];
    return number === undefined ? [] : [{ number: Number(number), uid }];
  });
}
