// Refs, trees and commits, in the form of GitHub's REST answers.

import type { Json, Site } from "../call.ts";
import type { Commit, Repository } from "../records.ts";
import { node } from "./account.ts";
import { repositoryUrl } from "./repository.ts";

export function refView(site: Site, repository: Repository, ref: string, target: string): Json {
  const root = repositoryUrl(site, repository);
  return {
    ref,
    node_id: node("REF", ref.length),
    url: `${root}/git/${ref}`,
    object: { type: "commit", sha: target, url: `${root}/git/commits/${target}` },
  };
}

export function treeView(
  site: Site,
  repository: Repository,
  id: string,
  entries: readonly Json[],
): Json {
  const url = `${repositoryUrl(site, repository)}/git/trees/${id}`;
  return { sha: id, url, truncated: false, tree: entries };
}

export function commitView(site: Site, repository: Repository, commit: Commit): Json {
  const url = (sha: string) => `${repositoryUrl(site, repository)}/git/commits/${sha}`;
  const person = { name: "Ada", email: "ada@example.com", date: "2026-11-01T00:00:00Z" };
  return {
    sha: commit.sha,
    node_id: node("C", commit.sha.length),
    url: url(commit.sha),
    html_url: url(commit.sha),
    author: person,
    committer: person,
    tree: { sha: commit.tree, url: `${repositoryUrl(site, repository)}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: url(parent),
      html_url: url(parent),
    })),
    verification: {
      verified: false,
      reason: "unsigned",
      signature: null,
      payload: null,
      verified_at: null,
    },
  };
}
