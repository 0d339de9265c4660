// Writes the commit messages of agentx and checks those of others, so that all have the same form. GitHub turns a
// number in parentheses into a link to the GitHub issue with that number. So if the remote is on GitHub, a trailer
// names the local issue instead.

import { isOnGitHub } from "../git/origin.ts";
import { type Issue, RECORDS_MESSAGE } from "../work/issue/issue.ts";
import { typeOf } from "../work/issue/labels.ts";

/** Commit types by type of issue. */
const TYPES: Readonly<Record<string, string>> = {
  epic: "feat",
  feature: "feat",
  story: "feat",
  bug: "fix",
  docs: "docs",
  devops: "ci",
};

/** The maximum length of the first line. commitlint refuses a longer one. */
const MAX_SUBJECT = 100;

/**
 * Returns the commit message for an issue.
 *
 * @param scope such as the step
 * @param place a folder of the checkout
 */
export function commitMessage(
  { number, title, labels }: Pick<Issue, "number" | "title" | "labels">,
  { scope, place }: { scope: string; place: string },
): string {
  const [reference, trailer] = isOnGitHub(place)
    ? ["", `\n\nIssue: ${number}`]
    : [` (#${number})`, ""];
  const type = TYPES[typeOf({ labels }) ?? ""] ?? "chore";
  const name = scopeOf(scope);
  const start = name === type ? `${type}: ` : `${type}(${name}): `;
  // commitlint refuses sentence case. An acronym such as `API` stays as it is.
  const description = title.trim().replace(/\.+$/, "")
    .replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
  const room = MAX_SUBJECT - start.length - reference.length;
  return start + description.slice(0, room).trimEnd() + reference + trailer;
}

/** @returns a pattern for the line by which a commit names an issue, for `git log --extended-regexp --grep` */
export function namesIssue(number: number, place: string): string {
  return `(^Issue: #?${number}${isOnGitHub(place) ? "" : `|\\(#${number}\\)`}) *$`;
}

/** @returns a pattern for the start of the first line of a commit for a step */
export function namesStep(step: string): string {
  const name = scopeOf(step);
  return `^([a-z]+\\(${name}\\)|${name}): `;
}

function scopeOf(step: string): string {
  return step.replaceAll(/[^\w-]/g, "-").toLowerCase();
}

/** @returns why the hook refuses a message; undefined if it accepts it */
export function messageProblem(
  message: string,
  hasIssue: (number: number) => boolean,
): string | undefined {
  const lines = message.split("\n").filter((line) => !line.startsWith("#"));
  const first = lines[0] ?? "";
  if (first === RECORDS_MESSAGE || /^(Merge|Revert|fixup!|squash!|amend!) ?/.test(first)) {
    return undefined;
  }
  const [isTyped, reference] = /^[a-z]+(?:\([^()]+\))?!?: \S.*?(?: \(#(\d{1,9})\))?$/.exec(first) ??
    [];
  const [, trailer] = /^Issue: #?(\d{1,9})\s*$/m.exec(lines.slice(1).join("\n")) ?? [];
  const number = reference ?? trailer;
  if (isTyped === undefined || number === undefined) {
    return "its first line must read: type: description (#ISSUE), " +
      "or type: description above a trailer, Issue: NUMBER";
  }
  return hasIssue(Number(number)) ? undefined : `there is no issue #${number}`;
}
