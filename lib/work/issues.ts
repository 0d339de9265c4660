/**
 * Local issues: `.agentx/issues/{n}.json` (DESIGN section 4). A reader only.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";

/** What clarifications need to know of an issue. */
export interface IssueSummary {
  title: string;
  body: string;
  labels: string[];
}

/**
 * @param folder `.agentx/issues`
 * @param issueNumber from 1
 * @returns the issue; undefined if it is not kept here or cannot be read, which stops nobody
 */
export function readIssue(folder: string, issueNumber: number): IssueSummary | undefined {
  const text = sys.readTextFile(`${folder}/${issueNumber}.json`);
  if (text === undefined) return undefined;
  let issue: unknown;
  try {
    issue = JSON.parse(text);
  } catch {
    return undefined; // a question can be asked without it
  }
  const { title, body, labels } = (issue ?? {}) as Record<string, unknown>;
  return {
    title: typeof title === "string" ? title : "",
    body: typeof body === "string" ? body : "",
    labels: Array.isArray(labels) ? labels.filter((label) => typeof label === "string") : [],
  };
}

/**
 * @param issue an issue, if there is one
 * @returns the type that its `type:` label names: the type of its workflow
 */
export function typeOf(issue: IssueSummary | undefined): string | undefined {
  return issue?.labels.find((label) => label.startsWith("type:"))?.slice("type:".length);
}
