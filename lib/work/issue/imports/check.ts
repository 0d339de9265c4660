// Checks that imported issues keep the rules for typed issues: limits, and no secrets. Pure.

import { AgentxError } from "../../../base/errors.ts";
import type { Cut } from "../../../redact/border.ts";
import {
  checkComment,
  checkDue,
  checkIssueBody,
  checkLine,
  checkStatus,
  checkTitle,
  MAX_TITLE,
} from "../issue.ts";
import type { ImportProblem } from "./read.ts";
import type { ImportedIssue } from "./record.ts";

const MAX_NAME = 100;

/** Splits issues into those that can be imported, and problems with the reason for each other issue. */
export function checkImport(
  records: readonly ImportedIssue[],
  cut: Cut,
): { checked: ImportedIssue[]; problems: ImportProblem[] } {
  const problems: ImportProblem[] = [];
  const checked = records.flatMap((record) => {
    try {
      return [checkRecord(record, cut)];
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      problems.push({ at: record.at, why: error.summary });
      return [];
    }
  });
  return { checked, problems };
}

function checkRecord(record: ImportedIssue, cut: Cut): ImportedIssue {
  const line = (field: string, max: number) => (text: unknown) => checkLine(field, text, max);
  const checkName = line("name", MAX_NAME);
  const name = (text: string) => cut("name", checkName(text), checkName);
  const { title, body, milestone, assignee, due } = record;
  checkDue(due);
  const checkMilestone = line("milestone", MAX_TITLE);
  return {
    ...record,
    title: cut("title", checkTitle(title.trim().replaceAll(/\s+/g, " ")), checkTitle),
    body: cut("body", checkIssueBody(body), checkIssueBody),
    status: checkStatus(record.status),
    labels: record.labels.map((label) => cut("label", label)),
    assignee: assignee === null ? null : name(assignee),
    milestone: milestone === null
      ? null
      : cut("milestone", checkMilestone(milestone), checkMilestone),
    author: name(record.author),
    keys: record.keys.map(line("id", MAX_TITLE)),
    comments: record.comments.map((comment) => ({
      ...comment,
      author: name(comment.author),
      body: cut("comment", checkComment(comment.body), checkComment),
    })),
  };
}
