// Finds the issue that a commit message names. Pure.

/** An issue of this repository that a commit message names. */
export interface IssueReference {
  number: number;
  /** Whether the number is a local one. agentx writes such a line if the remote is on GitHub. */
  isLocal: boolean;
}

/** The forms of references, the most certain first. The first form that matches counts. */
const FORMS: readonly (Pick<IssueReference, "isLocal"> & { pattern: RegExp })[] = [
  { isLocal: true, pattern: /^Issue: #?(\d{1,9})\s*$/m },
  {
    isLocal: false,
    pattern: /(?<![\w/])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:#|GH-)(\d{1,9})(?!\w)/i,
  },
  { isLocal: false, pattern: /^[^\n]*\(#(\d{1,9})\)\s*(?:\n|$)/ },
  // A number on its own may be a color.
  {
    isLocal: false,
    pattern:
      /\b(?:issues?|prs?|request|see|refs?|part of|relate[sd]? to|for):? (?:#|GH-)(\d{1,9})(?![\w-])/i,
  },
];

/** @returns the issue that a message names; undefined if it names none, or only one such as `owner/name#12` */
export function issueNamedBy(message: string): IssueReference | undefined {
  for (const { isLocal, pattern } of FORMS) {
    const number = Number(pattern.exec(message)?.[1]);
    if (number > 0) return { number, isLocal };
  }
  return undefined;
}
