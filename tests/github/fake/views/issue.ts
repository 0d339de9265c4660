// Issues, comments, types and fields, in the form of GitHub's REST answers.

import type { Json, Site } from "../call.ts";
import type { Comment, Field, Issue, Repository } from "../records.ts";
import { associationOf, node, userView } from "./account.ts";
import { labelView, milestoneView, pageUrl, repositoryUrl } from "./repository.ts";

export function issueUrl(site: Site, issue: Issue): string {
  return `${repositoryUrl(site, issue.repository)}/issues/${issue.number}`;
}

export function issueView(site: Site, issue: Issue): Json {
  const { repository } = issue;
  const root = repositoryUrl(site, repository);
  const url = issueUrl(site, issue);
  const assignees = issue.assignees.map((login) => userView(site, login));
  const type = repository.types.find((each) => each.name === issue.type);
  const parent = issue.parent === undefined ? undefined : site.state.find(issue.parent);
  return {
    id: issue.id,
    node_id: node("I", issue.id),
    number: issue.number,
    url,
    html_url: `${pageUrl(site, repository)}/${issue.pull ? "pull" : "issues"}/${issue.number}`,
    repository_url: root,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    state: issue.state,
    state_reason: issue.reason,
    title: issue.title,
    body: issue.body,
    user: userView(site, issue.login),
    labels: issue.labels.map((name) => labelView(site, repository, name)),
    assignee: assignees[0] ?? null,
    assignees,
    milestone: issue.milestone === null
      ? null
      : milestoneView(site, repository, repository.milestones.get(issue.milestone)!),
    locked: issue.locked,
    active_lock_reason: null,
    comments: [...repository.comments.values()].filter((each) => each.issue === issue.number)
      .length,
    created_at: issue.created,
    updated_at: issue.updated,
    closed_at: issue.closed,
    closed_by: issue.closedBy === null ? null : userView(site, issue.closedBy),
    author_association: associationOf(repository, issue.login),
    ...(repository.owner.type === "Organization" && !site.state.isEnterprise
      ? { type: type === undefined ? null : issueType(type) }
      : {}),
    ...(parent === undefined ? {} : { parent_issue_url: issueUrl(site, parent) }),
    ...summaries(site, issue),
    ...(repository.fields.length === 0
      ? {}
      : { issue_field_values: fieldValues(repository, issue) }),
    ...(issue.pull === undefined ? {} : {
      draft: issue.pull.draft,
      pull_request: {
        url: `${root}/pulls/${issue.number}`,
        html_url: `${pageUrl(site, repository)}/pull/${issue.number}`,
        diff_url: `${pageUrl(site, repository)}/pull/${issue.number}.diff`,
        patch_url: `${pageUrl(site, repository)}/pull/${issue.number}.patch`,
        merged_at: issue.pull.merged,
      },
    }),
  };
}

export function commentView(site: Site, repository: Repository, comment: Comment): Json {
  const root = repositoryUrl(site, repository);
  const html = `${pageUrl(site, repository)}/issues/${comment.issue}`;
  return {
    id: comment.id,
    node_id: node("IC", comment.id),
    url: `${root}/issues/comments/${comment.id}`,
    html_url: `${html}#issuecomment-${comment.id}`,
    issue_url: `${root}/issues/${comment.issue}`,
    user: userView(site, comment.login),
    body: comment.body,
    created_at: comment.created,
    updated_at: comment.updated,
    author_association: associationOf(repository, comment.login),
    performed_via_github_app: null,
  };
}

/** An issue type as GitHub lists it. */
export function issueType(type: { readonly id: number; readonly name: string }): Json {
  return {
    id: type.id,
    node_id: node("IT", type.id),
    name: type.name,
    description: null,
    is_enabled: true,
  };
}

/** An issue field as GitHub lists it. */
export function issueField(field: Field): Json {
  const options = field.options.map((name) => ({ ...option(field, name), description: null }));
  return {
    id: field.id,
    node_id: node("IF", field.id),
    name: field.name,
    description: null,
    data_type: field.kind,
    ...(field.kind.endsWith("_select") ? { options } : {}),
  };
}

/** The values of the fields of an issue, as GitHub lists them. */
export function fieldValues(repository: Repository, issue: Issue): Json[] {
  return repository.fields.filter((field) => issue.fields.has(field.id)).map((field) => {
    const value = issue.fields.get(field.id)!;
    return {
      issue_field_id: field.id,
      issue_field_name: field.name,
      node_id: node("IFV", field.id),
      data_type: field.kind,
      ...(typeof value === "object"
        ? { value: null, multi_select_options: value.map((name) => option(field, name)) }
        : { value }),
      ...(field.kind === "single_select"
        ? { single_select_option: option(field, String(value)) }
        : {}),
    };
  });
}

function option(field: Field, name: string) {
  return { id: field.id * 100 + field.options.indexOf(name), name, color: "gray" };
}

function summaries(site: Site, issue: Issue): Json {
  const all = site.state.issues();
  const parts = all.filter((each) => each.parent === issue.id);
  const completed = parts.filter((each) => each.state === "closed").length;
  const blockers = all.filter((each) => issue.blockedBy.has(each.id));
  const blocked = all.filter((each) => each.blockedBy.has(issue.id));
  const open = (issues: Issue[]) => issues.filter((each) => each.state === "open").length;
  const percent = parts.length === 0 ? 0 : Math.round(100 * completed / parts.length);
  const sub_issues_summary = { total: parts.length, completed, percent_completed: percent };
  return {
    ...(site.state.isEnterprise ? {} : { sub_issues_summary }),
    issue_dependencies_summary: {
      blocked_by: open(blockers),
      blocking: open(blocked),
      total_blocked_by: blockers.length,
      total_blocking: blocked.length,
    },
  };
}
