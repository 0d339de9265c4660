// Which issue a commit message names. Pure.

/** An issue of the repository, as a commit message names it. */
export interface IssueReference {
  number: number;
  /** Whether the line is one that agentx writes beside a remote on GitHub: the number is a local one. */
  isLocal: boolean;
}

/** From the surest form to the weakest; the first that matches counts. */
const FORMS: readonly (Pick<IssueReference, "isLocal"> & { pattern: RegExp })[] = [
  { isLocal: true, pattern: /^Issue: #?(\d{1,9})\s*$/m },
  {
    isLocal: false,
    pattern: /(?<![\w/])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:#|GH-)(\d{1,9})(?!\w)/i,
  },
  { isLocal: false, pattern: /^[^\n]*\(#(\d{1,9})\)\s*(?:\n|$)/ },
  // A number alone may be a colour.
  {
    isLocal: false,
    pattern:
      /\b(?:issues?|prs?|request|see|refs?|part of|relate[sd]? to|for):? (?:#|GH-)(\d{1,9})(?![\w-])/i,
  },
];

/** @returns undefined where the message names none; `owner/name#12` is an issue of another repository */
export function issueNamedBy(message: string): IssueReference | undefined {
  for (const { isLocal, pattern } of FORMS) {
    const number = Number(pattern.exec(message)?.[1]);
    if (number > 0) return { number, isLocal };
  }
  return undefined;
}
