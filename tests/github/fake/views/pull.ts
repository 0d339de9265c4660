// Pull requests and what belongs to them, in the form of GitHub's REST answers.

import type { Json, Site } from "../call.ts";
import type { ChangedFile, Issue, Repository, Review } from "../records.ts";
import { sha } from "../state.ts";
import { associationOf, node, userView } from "./account.ts";
import { issueUrl, issueView } from "./issue.ts";
import { pageUrl, repositoryUrl, repositoryView } from "./repository.ts";

const OF_THE_ISSUE =
  "number state title body user labels assignee assignees milestone locked created_at updated_at closed_at author_association"
    .split(" ");

/** A pull request as a list has it. */
export function pullView(site: Site, issue: Issue): Json {
  const { repository } = issue;
  const pull = issue.pull!;
  const of = issueView(site, issue);
  const root = repositoryUrl(site, repository);
  const html = `${pageUrl(site, repository)}/pull/${issue.number}`;
  const url = `${root}/pulls/${issue.number}`;
  const links = {
    comments: `${issueUrl(site, issue)}/comments`,
    commits: `${url}/commits`,
    statuses: `${root}/statuses/${headSha(issue)}`,
    html,
    issue: issueUrl(site, issue),
    review_comments: `${url}/comments`,
    review_comment: `${root}/pulls/comments{/number}`,
    self: url,
  };
  return {
    ...Object.fromEntries(OF_THE_ISSUE.map((name) => [name, of[name]])),
    id: pull.id,
    node_id: node("PR", pull.id),
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    head: end(site, pull.from, pull.head),
    base: end(site, repository, pull.base),
    draft: pull.draft,
    merged_at: pull.merged,
    merge_commit_sha: pull.mergeSha,
    auto_merge: null,
    requested_reviewers: [...pull.reviewers].map((login) => userView(site, login)),
    requested_teams: [],
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  };
}

/** A pull request as GitHub shows it alone. */
export function wholePullView(site: Site, issue: Issue): Json {
  const pull = issue.pull!;
  const isOpen = issue.state === "open";
  const sum = (key: "additions" | "deletions") =>
    pull.files.reduce((sum, file) => sum + file[key], 0);
  return {
    ...pullView(site, issue),
    merged: pull.merged !== null,
    merged_by: pull.mergedBy === null ? null : userView(site, pull.mergedBy),
    mergeable: isOpen ? pull.mergeable : null,
    mergeable_state: !isOpen || pull.mergeable === null
      ? "unknown"
      : pull.draft
      ? "draft"
      : pull.mergeable
      ? "clean"
      : "dirty",
    rebaseable: isOpen ? pull.mergeable : null,
    maintainer_can_modify: false,
    comments: issueView(site, issue).comments,
    review_comments: 0,
    commits: 1,
    additions: sum("additions"),
    deletions: sum("deletions"),
    changed_files: pull.files.length,
  };
}

export function reviewView(site: Site, issue: Issue, review: Review): Json {
  const html = `${
    pageUrl(site, issue.repository)
  }/pull/${issue.number}#pullrequestreview-${review.id}`;
  const url = `${repositoryUrl(site, issue.repository)}/pulls/${issue.number}`;
  return {
    id: review.id,
    node_id: node("PRR", review.id),
    user: userView(site, review.login),
    body: review.body,
    state: review.state,
    html_url: html,
    pull_request_url: url,
    author_association: associationOf(issue.repository, review.login),
    _links: { html: { href: html }, pull_request: { href: url } },
    ...(review.submitted === undefined ? {} : { submitted_at: review.submitted }),
    commit_id: review.commit,
  };
}

export function fileView(site: Site, issue: Issue, file: ChangedFile): Json {
  const head = headSha(issue);
  const page = pageUrl(site, issue.repository);
  const path = encodeURIComponent(file.path);
  return {
    sha: sha(file.path),
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${page}/blob/${head}/${path}`,
    raw_url: `${page}/raw/${head}/${path}`,
    contents_url: `${repositoryUrl(site, issue.repository)}/contents/${path}?ref=${head}`,
  };
}

/** The commit at the head of a pull request, or "" once its branch is deleted. */
export function headSha({ pull }: Issue): string {
  return pull!.from.refs.get(`refs/heads/${pull!.head}`) ?? "";
}

function end(site: Site, repository: Repository, ref: string): Json {
  return {
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha: repository.refs.get(`refs/heads/${ref}`) ?? "",
    user: userView(site, repository.owner.login),
    repo: repositoryView(site, repository, "read"),
  };
}
