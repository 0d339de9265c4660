// Repositories, their labels and milestones, in the form of GitHub's REST answers.

import { has, type Json, type Site } from "../call.ts";
import type { Milestone, Permission, Repository } from "../records.ts";
import { node, userView, webUrl } from "./account.ts";

const LINKS =
  "archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks git_commits git_refs git_tags hooks issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases stargazers statuses subscribers subscription tags teams trees clone git ssh svn"
    .split(" ");
const COUNTS =
  "forks forks_count open_issues open_issues_count size stargazers_count watchers watchers_count network_count subscribers_count"
    .split(" ");
const FLAGS = "fork has_projects has_wiki has_pages has_discussions has_downloads disabled".split(
  " ",
);

export function repositoryUrl(site: Site, repository: Repository): string {
  return `${site.base}/repos/${fullName(repository)}`;
}

/** The address of a repository for browsers. */
export function pageUrl(site: Site, repository: Repository): string {
  return `${webUrl(site)}/${fullName(repository)}`;
}

export function repositoryView(site: Site, repository: Repository, permission: Permission): Json {
  const url = repositoryUrl(site, repository);
  const time = "2026-11-01T00:00:00Z";
  return {
    id: repository.id,
    node_id: node("R", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    owner: userView(site, repository.owner.login),
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    description: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: "main",
    archived: repository.archived,
    has_issues: repository.hasIssues,
    url,
    html_url: pageUrl(site, repository),
    created_at: time,
    updated_at: time,
    pushed_at: time,
    permissions: {
      pull: has(permission, "read"),
      triage: has(permission, "triage"),
      push: has(permission, "write"),
      maintain: has(permission, "maintain"),
      admin: has(permission, "admin"),
    },
    ...Object.fromEntries(LINKS.map((link) => [`${link}_url`, `${url}/${link}`])),
    mirror_url: null,
    ...Object.fromEntries(COUNTS.map((name) => [name, 0])),
    ...Object.fromEntries(FLAGS.map((name) => [name, false])),
  };
}

export function labelView(site: Site, repository: Repository, name: string): Json {
  const { id, color, description } = site.state.label(repository, name);
  return {
    id,
    node_id: node("LA", id),
    url: `${repositoryUrl(site, repository)}/labels/${encodeURIComponent(name)}`,
    name,
    description,
    color,
    default: false,
  };
}

export function milestoneView(site: Site, repository: Repository, milestone: Milestone): Json {
  const url = `${repositoryUrl(site, repository)}/milestones/${milestone.number}`;
  const issues = [...repository.issues.values()].filter(
    (issue) => issue.milestone === milestone.number && !issue.gone,
  );
  const open = issues.filter((issue) => issue.state === "open").length;
  return {
    url,
    html_url: `${pageUrl(site, repository)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: node("MI", milestone.id),
    number: milestone.number,
    state: milestone.state,
    title: milestone.title,
    description: milestone.description,
    creator: userView(site, milestone.login),
    open_issues: open,
    closed_issues: issues.length - open,
    created_at: milestone.created,
    updated_at: milestone.created,
    closed_at: milestone.state === "closed" ? milestone.created : null,
    due_on: milestone.due,
  };
}

function fullName(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}
