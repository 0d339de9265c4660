// Input that the commands of issues share.

import { agentName, issueNumber, text } from "../../cli/inputs.ts";
import { argument, optional, rule, type Spec, word } from "../../cli/spec.ts";
import {
  checkStatus,
  isDay,
  isStatus,
  ISSUE_STATUSES,
  MAX_ISSUE_BODY,
  MAX_TITLE,
} from "../../work/issue/issue.ts";

/** The title of an issue: `--title`, or an argument. */
export const title = argument(text(MAX_TITLE), "Title, on one line", {
  short: "t",
  placeholder: "TITLE",
});

/** The text of an issue: `--body`. */
export const body = argument(text(MAX_ISSUE_BODY), "Markdown", { short: "b" });

/** The text of a comment: `--comment`. */
export const comment = argument(text(MAX_ISSUE_BODY), "A comment", { short: "c" });

/** A column of the board, in any spelling: `--status`. */
export const status: Spec<string> = {
  ...rule(isStatus, `be one of ${ISSUE_STATUSES.join(", ")}`),
  description: ISSUE_STATUSES.join(", "),
  short: "s",
  placeholder: "STATUS",
  read: checkStatus,
};

/** Labels with commas, or with repeated flags: `--label`. */
export const labels: Spec<string[]> = {
  ...word,
  kind: "list",
  description: "Labels separated by commas, or repeat the flag",
  placeholder: "LABEL,...",
  read: (text) => text.split(","),
};

const BLOCKERS = /^#?[1-9]\d{0,8}(?:,#?[1-9]\d{0,8})*$/;

/** Blockers such as `--blocked-by 12,14`, read as the labels of these dependencies. */
export const blockedBy: Spec<string[]> = {
  ...rule(BLOCKERS, "be numbers of issues, such as 12,14"),
  kind: "list",
  description: "Issues that it waits for, separated by commas",
  placeholder: "N,...",
  read: (text) => text.split(",").map(blockerLabel),
};

/** Returns the label of an issue that waits for another. */
export function blockerLabel(number: number | string): string {
  return `blocked_by:#${`${number}`.replace("#", "")}`;
}

const COLUMN = /^[^=]*[^=\s][^=]*=(.+)$/;

/** Statuses and their columns, with commas or with repeated flags: `--status NAME=COLUMN`. */
export const statusMap: Spec<Array<[name: string, column: string]>> = {
  ...rule(
    (text) => text.split(",").every((each) => isStatus(COLUMN.exec(each)?.[1] ?? "")),
    `be a name and one of ${ISSUE_STATUSES.join(", ")}, such as review=in-review`,
  ),
  kind: "list",
  description: "Names and columns",
  short: "s",
  placeholder: "NAME=COLUMN,...",
  read: (text) =>
    text.split(",").map((each) => {
      const [name, column] = each.split("=");
      return [name, checkStatus(column)];
    }),
};

export const parent: Spec<number | undefined> = optional(
  issueNumber,
  "Parent issue",
  {
    short: undefined,
  },
);

/** The version of title and body that the caller has read: `--seen`. */
export const seen: Spec<string | undefined> = optional({
  ...rule(/^[0-9a-f]{16}$/, "be the version of issue view --json, 16 hexadecimal digits"),
  description: "Refuse if title or body changed since this version (issue view --json)",
  placeholder: "VERSION",
});

const NONE = "none";

const assigned = agentName("Agent to assign, or none to unassign; only people may use this");

/** The agent to assign, or null for nobody: `--assignee`. */
export const assignee: Spec<string | null | undefined> = optional({
  ...assigned,
  read: (text) => text === NONE ? null : assigned.read(text),
});

/** A day, or null for none: `--due`. */
export const due: Spec<string | null | undefined> = optional({
  ...rule((text) => text === NONE || isDay(text), "be a day such as 2026-12-24, or none"),
  description: "Due date, such as 2026-12-24, or none",
  placeholder: "DATE",
  read: (text) => text === NONE ? null : text,
});

/** A milestone, or null for none: `--milestone`. */
export const milestone: Spec<string | null | undefined> = optional({
  ...text(MAX_TITLE),
  description: "Milestone, or none",
  read: (text) => text === NONE ? null : text,
});
