// Issues, after GitHub's documentation.

import {
  type Call,
  canTriage,
  created,
  invalid,
  needsIssues,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import { mentionsIn } from "../mentions.ts";
import type { Issue } from "../records.ts";
import { issueView } from "../views/issue.ts";
import { pushedValues } from "./pushed_values.ts";
import { issueOf } from "./named.ts";

const TITLE_LIMIT = 256;
const BODY_LIMIT = 65536;

export const ISSUES: Operations = {
  "issues/list-for-repo": (call) => ok(listed(call).map((issue) => issueView(call, issue))),
  "issues/create": (call) => {
    needsIssues(call);
    const { state, repository, account, body } = call;
    const values = {
      title: titleOf(body.title),
      body: textOf("Issue", body.body),
      ...pushedValues(call),
    };
    const issue = state.issue(repository, account.login, values);
    notify(call, issue.number, undefined, issue.body ?? "");
    return created(issueView(call, issue));
  },
  "issues/get": (call) => ok(issueView(call, issueOf(call))),
  "issues/update": (call) => {
    needsIssues(call);
    const issue = issueOf(call);
    if (issue.login !== call.account.login && !canTriage(call)) {
      throw new Refusal(403, "Must have admin rights to Repository.");
    }
    const { body } = call;
    const values = {
      ...(body.title === undefined || body.title === null ? {} : { title: titleOf(body.title) }),
      ...(body.body === undefined ? {} : { body: textOf("Issue", body.body) }),
      ...stateValues(call, issue),
      ...pushedValues(call, issue),
    };
    Object.assign(issue, values, { updated: call.state.now() });
    return ok(issueView(call, issue));
  },
};

/** A title; GitHub refuses one without a visible character. */
export function titleOf(value: unknown, resource = "Issue"): string {
  const title = String(value ?? "");
  if (title.trim() === "") throw invalid(resource, "title", "missing_field");
  if ([...title].length > TITLE_LIMIT) throw tooLong(resource, "title", TITLE_LIMIT);
  return title;
}

/** The text of an issue, a pull request or a comment. */
export function textOf(resource: string, value: unknown): string | null {
  const text = value === undefined || value === null ? null : String(value);
  if (text !== null && [...text].length > BODY_LIMIT) throw tooLong(resource, "body", BODY_LIMIT);
  return text;
}

/** Keeps who hears of a text. */
export function notify(call: Call, issue: number, comment: number | undefined, text: string): void {
  const names = mentionsIn(text);
  if (names.length > 0) call.state.notified.push({ issue, comment, names });
}

function tooLong(resource: string, field: string, limit: number): Refusal {
  const message = `${field} is too long (maximum is ${limit} characters)`;
  return invalid(resource, field, "custom", { message });
}

/** GitHub ignores a reason without a change of the state. */
function stateValues({ body, account, state }: Call, issue: Issue): Partial<Issue> {
  if (body.state === undefined || body.state === issue.state) return {};
  if (body.state === "open") {
    if (issue.pull?.merged) throw invalid("PullRequest", "state", "invalid");
    const reason = issue.pull === undefined ? "reopened" : null;
    return { state: "open", closed: null, closedBy: null, reason };
  }
  const reason = (body.state_reason ?? "completed") as Issue["reason"];
  const duplicate = body.duplicate_issue_id;
  const isUnknown = duplicate !== undefined && state.find(duplicate) === undefined;
  if (reason === "reopened") throw invalid("Issue", "state_reason", "invalid");
  if (reason === "duplicate" && isUnknown) throw invalid("Issue", "duplicate_issue_id", "invalid");
  return {
    state: "closed",
    closed: state.now(),
    closedBy: account.login,
    reason: issue.pull === undefined ? reason : null,
  };
}

function listed({ query, repository }: Call): Issue[] {
  const state = query.get("state") ?? "open";
  const since = query.get("since") ?? "";
  const labels = (query.get("labels") ?? "").split(",").filter((name) => name !== "");
  const key = query.get("sort") === "updated" ? "updated" : "created";
  const isUp = query.get("direction") === "asc";
  const milestone = query.get("milestone");
  const isAsked = (asked: string | null, values: readonly string[]) =>
    asked === null ||
    (asked === "none"
      ? values.length === 0
      : asked === "*"
      ? values.length > 0
      : values.includes(asked));
  return [...repository.issues.values()]
    .filter((issue) => !issue.gone && issue.movedTo === undefined)
    .filter((issue) => state === "all" || issue.state === state)
    .filter((issue) => issue.updated >= since)
    .filter((issue) => labels.every((name) => issue.labels.includes(name)))
    .filter((issue) => isAsked(query.get("creator"), [issue.login]))
    .filter((issue) => isAsked(query.get("assignee"), issue.assignees))
    .filter((issue) => isAsked(query.get("type"), issue.type === null ? [] : [issue.type]))
    .filter((issue) => isAsked(milestone, issue.milestone === null ? [] : [`${issue.milestone}`]))
    .sort((a, b) =>
      (isUp ? 1 : -1) * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.number - b.number)
    );
}
