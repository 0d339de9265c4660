// Pull requests, after GitHub's documentation.

import {
  type Call,
  canPush,
  created,
  has,
  invalid,
  needsContents,
  needsPulls,
  notFound,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Issue, Pull, Repository } from "../records.ts";
import { fileView, headSha, pullView, wholePullView } from "../views/pull.ts";
import { isAncestor } from "./git.ts";
import { notify, textOf, titleOf } from "./issues.ts";
import { pullOf, touch } from "./named.ts";

export const PULLS: Operations = {
  "pulls/list": (call) => ok(listed(call).map((pull) => pullView(call, pull))),
  "pulls/create": (call) => {
    needsPulls(call);
    const { state, repository, account, body } = call;
    const { from, head } = headOf(call);
    const base = String(body.base);
    checkRefs(repository, base, from, head);
    // "You must have write access to the head or the source branch."
    if (!canPush(call) && !has(state.permission(account.login, from), "write")) throw notFound();
    const isThere = [...repository.issues.values()].some(({ pull, state }) =>
      state === "open" && pull?.from === from && pull.head === head && pull.base === base
    );
    if (isThere) {
      throw custom(`A pull request already exists for ${from.owner.login}:${head}.`);
    }
    const issue = state.issue(repository, account.login, {
      title: titleOf(body.title, "PullRequest"),
      body: textOf("PullRequest", body.body),
      pull: { from, head, base, draft: body.draft === true },
    });
    notify(call, issue.number, undefined, issue.body ?? "");
    return created(wholePullView(call, issue));
  },
  "pulls/get": (call) => ok(wholePullView(call, pullOf(call))),
  "pulls/update": (call) => {
    needsPulls(call);
    const { body } = call;
    const issue = pullOf(call);
    if (issue.login !== call.account.login && !canPush(call)) throw notFound();
    if (body.base !== undefined) {
      checkRefs(call.repository, String(body.base), issue.pull!.from, issue.pull!.head);
    }
    if (body.state === "open" && issue.pull!.merged !== null) {
      throw invalid("PullRequest", "state", "invalid");
    }
    const values = {
      ...(body.title === undefined ? {} : { title: titleOf(body.title, "PullRequest") }),
      ...(body.body === undefined ? {} : { body: textOf("PullRequest", body.body) }),
    };
    Object.assign(issue, values, stateValues(call, issue));
    if (body.base !== undefined) issue.pull!.base = String(body.base);
    touch(call, issue);
    return ok(wholePullView(call, issue));
  },
  "pulls/list-files": (call) => {
    const issue = pullOf(call);
    return ok(issue.pull!.files.map((file) => fileView(call, issue, file)));
  },
  "pulls/check-if-merged": (call) => {
    if (pullOf(call).pull!.merged === null) throw notFound();
    return { status: 204 };
  },
  "pulls/merge": (call) => {
    needsPulls(call);
    const { repository, body } = call;
    const issue = pullOf(call);
    needsContents(call);
    const pull = issue.pull!;
    if (pull.draft) throw new Refusal(405, "Pull Request is still a draft");
    if (issue.state === "closed" || pull.mergeable !== true) {
      throw new Refusal(405, "Pull Request is not mergeable");
    }
    const head = headSha(issue);
    if (body.sha !== undefined && body.sha !== head) {
      throw new Refusal(409, "Head branch was modified. Review and try the merge again.");
    }
    const as = (body.merge_method ?? "merge") as NonNullable<Pull["mergedAs"]>;
    call.state.merge(repository, issue, { by: call.account.login, as });
    return ok({ sha: pull.mergeSha, merged: true, message: "Pull Request successfully merged" });
  },
};

function listed({ query, repository }: Call): Issue[] {
  const state = query.get("state") ?? "open";
  const [head, base] = [query.get("head"), query.get("base")];
  const key = query.get("sort") === "updated" ? "updated" : "created";
  // GitHub begins with the newest where nothing else is said, and with the least where another key sorts.
  const usual = (query.get("sort") ?? "created") === "created" ? "desc" : "asc";
  const isUp = (query.get("direction") ?? usual) === "asc";
  return [...repository.issues.values()]
    .filter((issue) => issue.pull !== undefined && (state === "all" || issue.state === state))
    .filter(({ pull }) => head === null || head === `${pull!.from.owner.login}:${pull!.head}`)
    .filter(({ pull }) => base === null || base === pull!.base)
    .sort((a, b) => (isUp ? 1 : -1) * (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.id - b.id));
}

/** The head of a new pull request: a branch, or `owner:branch` of a fork. */
function headOf({ state, repository, body }: Call): { from: Repository; head: string } {
  const [, owner, head] = /^(?:([^:]+):)?(.*)$/.exec(String(body.head))!;
  if (owner === undefined || owner === repository.owner.login) {
    return { from: repository, head: head! };
  }
  const fork = body.head_repo ?? repository.name;
  const from = state.repositories.get(`${owner}/${fork}`.toLowerCase());
  if (from === undefined) throw invalid("PullRequest", "head", "invalid");
  return { from, head: head! };
}

function checkRefs(repository: Repository, base: string, from: Repository, head: string): void {
  const [to, at] = [repository.refs.get(`refs/heads/${base}`), from.refs.get(`refs/heads/${head}`)];
  if (at === undefined) throw invalid("PullRequest", "head", "invalid");
  if (to === undefined) throw invalid("PullRequest", "base", "invalid");
  if (isAncestor(repository, at, to)) throw custom(`No commits between ${base} and ${head}`);
}

function custom(message: string): Refusal {
  return new Refusal(422, "Validation Failed", {
    errors: [{ resource: "PullRequest", code: "custom", message }],
  });
}

function stateValues({ body, state, account }: Call, issue: Issue): Partial<Issue> {
  if (body.state === undefined || body.state === issue.state) return {};
  return body.state === "open"
    ? { state: "open", closed: null, closedBy: null }
    : { state: "closed", closed: state.now(), closedBy: account.login };
}
