// Comments on issues and pull requests, after GitHub's documentation.

import {
  type Answer,
  type Call,
  canPush,
  created,
  invalid,
  needsIssues,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Comment } from "../records.ts";
import { commentView } from "../views/issue.ts";
import { notify, textOf } from "./issues.ts";
import { commentOf, issueOf } from "./named.ts";

export const COMMENTS: Operations = {
  "issues/list-comments": (call) => {
    const issue = issueOf(call);
    return all(call, listed(call).filter((each) => each.issue === issue.number));
  },
  "issues/list-comments-for-repo": (call) => all(call, listed(call)),
  "issues/create-comment": (call) => {
    needsIssues(call);
    const issue = issueOf(call);
    if (issue.locked && !canPush(call)) {
      throw new Refusal(403, "Unable to create comment because issue is locked.");
    }
    const body = bodyOf(call);
    const comment = call.state.comment(call.repository, issue, call.account.login, body);
    notify(call, issue.number, comment.id, body);
    return created(commentView(call, call.repository, comment));
  },
  "issues/get-comment": (call) => ok(commentView(call, call.repository, commentOf(call))),
  "issues/update-comment": (call) => {
    const comment = ownComment(call);
    comment.body = bodyOf(call);
    notify(call, comment.issue, comment.id, comment.body);
    comment.updated = call.repository.issues.get(comment.issue)!.updated = call.state.now();
    return ok(commentView(call, call.repository, comment));
  },
  "issues/delete-comment": (call) => {
    const comment = ownComment(call);
    call.repository.comments.delete(comment.id);
    call.repository.issues.get(comment.issue)!.updated = call.state.now();
    return { status: 204 };
  },
};

function all(call: Call, comments: readonly Comment[]): Answer {
  return ok(comments.map((each) => commentView(call, call.repository, each)));
}

function listed({ query, repository }: Call): Comment[] {
  const since = query.get("since") ?? "";
  const all = [...repository.comments.values()].filter((comment) => comment.updated >= since);
  return query.get("direction") === "desc" ? all.reverse() : all;
}

function bodyOf(call: Call): string {
  const body = textOf("IssueComment", call.body.body) ?? "";
  if (body.trim() === "") throw invalid("IssueComment", "body", "missing_field");
  return body;
}

function ownComment(call: Call): Comment {
  needsIssues(call);
  const comment = commentOf(call);
  if (comment.login !== call.account.login && !canPush(call)) {
    throw new Refusal(403, "Must have admin rights to Repository.");
  }
  return comment;
}
