// The things that a request names, or GitHub's refusal where they are not there.

import { type Call, has, Moved, notFound, Refusal } from "../call.ts";
import type { Comment, Issue } from "../records.ts";

/** The issue of the path. */
export function issueOf(call: Call): Issue {
  const issue = call.repository.issues.get(Number(call.names.issue_number));
  if (issue === undefined) throw notFound();
  if (issue.gone) throw new Refusal(410, "This issue was deleted");
  const { movedTo } = issue;
  if (movedTo === undefined) return issue;
  if (!isReadable(call, movedTo)) throw notFound();
  const { repository, number } = movedTo;
  throw new Moved(301, `${call.base}/repositories/${repository.id}/issues/${number}`);
}

/** The issue with this id, in any repository that the account may read. */
export function issueById(call: Call, id: unknown): Issue {
  const found = call.state.find(id);
  if (found === undefined || !isReadable(call, found)) throw notFound();
  return found;
}

export function isReadable({ state, account }: Call, { repository }: Issue): boolean {
  return has(state.permission(account.login, repository), "read");
}

/** The pull request of the path, as the issue that it is. */
export function pullOf(call: Call): Issue {
  const issue = call.repository.issues.get(Number(call.names.pull_number));
  if (issue?.pull === undefined) throw notFound();
  return issue;
}

/** The comment of the path. */
export function commentOf(call: Call): Comment {
  const comment = call.repository.comments.get(Number(call.names.comment_id));
  if (comment === undefined) throw notFound();
  return comment;
}

/** Sets the time of the last change. */
export function touch(call: Call, ...issues: Issue[]): void {
  const now = call.state.now();
  for (const issue of issues) issue.updated = now;
}
