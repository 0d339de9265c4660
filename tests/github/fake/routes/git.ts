// Refs, trees and commits, after GitHub's documentation.

import {
  created,
  needsCommits,
  needsContents,
  notFound,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Repository } from "../records.ts";
import { sha } from "../state.ts";
import { commitView, refView, treeView } from "../views/git.ts";

export const GIT: Operations = {
  "git/get-ref": (call) => {
    const { names, repository } = call;
    needsCommits(repository);
    const ref = `refs/${names.ref}`;
    const target = repository.refs.get(ref);
    if (target === undefined) throw notFound();
    return ok(refView(call, repository, ref, target));
  },
  "git/list-matching-refs": (call) => {
    const { names, repository } = call;
    needsCommits(repository);
    const found = [...repository.refs].filter(([name]) => name.startsWith(`refs/${names.ref}`));
    return ok(found.sort().map(([name, target]) => refView(call, repository, name, target)));
  },
  "git/create-tree": (call) => {
    needsContents(call);
    const entries = call.body.tree as {
      path?: string;
      mode?: string;
      type?: string;
      content?: string;
    }[];
    if (entries.length === 0) throw new Refusal(422, "Invalid tree info");
    const tree = entries.map(({ path, mode, type, content }) => {
      if (path === undefined || mode === undefined || content === undefined) {
        throw new Refusal(422, "tree.path, tree.mode and tree.content are required by the fake");
      }
      return { path, mode, type: type ?? "blob", sha: sha(content) };
    });
    const made = sha(JSON.stringify(tree));
    call.repository.trees.add(made);
    return created(treeView(call, call.repository, made, tree));
  },
  "git/create-ref": (call) => {
    needsContents(call);
    const { repository, body } = call;
    const ref = String(body.ref);
    if (!/^refs\/[^/]+\/.+/.test(ref)) {
      throw new Refusal(
        422,
        "Reference name must start with 'refs/' and have at least two slashes.",
      );
    }
    if (repository.refs.has(ref)) throw new Refusal(422, "Reference already exists");
    if (!repository.commits.has(String(body.sha))) throw new Refusal(422, "Object does not exist");
    repository.refs.set(ref, String(body.sha));
    return created(refView(call, repository, ref, String(body.sha)));
  },
  "git/update-ref": (call) => {
    needsContents(call);
    const { repository, names, body } = call;
    const ref = `refs/${names.ref}`;
    const from = repository.refs.get(ref);
    const to = String(body.sha);
    if (from === undefined) throw new Refusal(422, "Reference does not exist");
    if (!repository.commits.has(to)) throw new Refusal(422, "Object does not exist");
    if (body.force !== true && !isAncestor(repository, from, to)) {
      throw new Refusal(422, "Update is not a fast forward");
    }
    repository.refs.set(ref, to);
    return ok(refView(call, repository, ref, to));
  },
  "git/delete-ref": (call) => {
    needsContents(call);
    if (!call.repository.refs.delete(`refs/${call.names.ref}`)) {
      throw new Refusal(422, "Reference does not exist");
    }
    return { status: 204 };
  },
  "git/get-commit": (call) => {
    const { names, repository } = call;
    needsCommits(repository);
    const commit = repository.commits.get(names.commit_sha!);
    if (commit === undefined) throw notFound();
    return ok(commitView(call, repository, commit));
  },
  "git/create-commit": (call) => {
    needsContents(call);
    const { repository, body, state } = call;
    const tree = String(body.tree);
    const parents = (body.parents ?? []) as string[];
    if (!repository.trees.has(tree)) {
      throw new Refusal(422, "Tree SHA does not exist");
    }
    if (parents.some((parent) => !repository.commits.has(parent))) {
      throw new Refusal(422, "Parent SHA does not exist or is not a commit object");
    }
    const made = { tree, message: String(body.message), parents };
    // GitHub fills in the time of the request, in whole seconds.
    const commit = { ...made, sha: sha(JSON.stringify([made, state.now()])) };
    repository.commits.set(commit.sha, commit);
    return created(commitView(call, repository, commit));
  },
};

/** Whether the commit `old` is `next` or one before it. */
export function isAncestor(repository: Repository, old: string, next: string): boolean {
  const open = [next];
  for (const sha of open) {
    if (sha === old) return true;
    open.push(...repository.commits.get(sha)?.parents ?? []);
  }
  return false;
}
