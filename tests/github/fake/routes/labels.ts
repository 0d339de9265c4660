// Labels, assignees and milestones, after GitHub's documentation.

import {
  type Answer,
  type Call,
  canPush,
  created,
  invalid,
  type Json,
  needsIssues,
  needsPush,
  needsTriage,
  notFound,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Issue, Milestone } from "../records.ts";
import { userView } from "../views/account.ts";
import { issueView } from "../views/issue.ts";
import { labelView, milestoneView } from "../views/repository.ts";
import { issueOf, touch } from "./named.ts";
import {
  ASSIGNEES_LIMIT,
  checkLabel,
  findLabel,
  isAssignable,
  labelsOf,
  nameIn,
} from "./pushed_values.ts";

const DESCRIPTION_LIMIT = 100;

export const LABELS: Operations = {
  "issues/list-labels-for-repo": (call) => labels(call, [...call.repository.labels.keys()]),
  "issues/get-label": (call) => {
    const name = findLabel(call.repository, call.names.name!);
    if (name === undefined) throw notFound();
    return ok(labelView(call, call.repository, name));
  },
  "issues/create-label": (call) => {
    needsPush(call);
    const { state, repository, body } = call;
    const name = String(body.name);
    const description = body.description as string | undefined;
    checkLabel(name);
    if (findLabel(repository, name) !== undefined) throw invalid("Label", "name", "already_exists");
    if (body.color !== undefined && !/^[\da-f]{6}$/i.test(String(body.color))) {
      throw invalid("Label", "color", "invalid");
    }
    if ([...description ?? ""].length > DESCRIPTION_LIMIT) {
      const message = `description is too long (maximum is ${DESCRIPTION_LIMIT} characters)`;
      throw invalid("Label", "description", "custom", { message });
    }
    state.label(repository, name, body.color as string | undefined, description);
    return created(labelView(call, repository, name));
  },
  "issues/list-labels-on-issue": (call) => labels(call, issueOf(call).labels),
  "issues/add-labels": (call) => setLabels(call, ({ labels }, given) => [...labels, ...given]),
  "issues/set-labels": (call) => setLabels(call, (_, given) => given),
  "issues/remove-all-labels": (call) => {
    needsTriage(call);
    const issue = issueOf(call);
    issue.labels = [];
    touch(call, issue);
    return { status: 204 };
  },
  "issues/remove-label": (call) => {
    needsTriage(call);
    const issue = issueOf(call);
    const name = findLabel(call.repository, call.names.name!);
    if (name === undefined || !issue.labels.includes(name)) {
      throw new Refusal(404, "Label does not exist");
    }
    issue.labels = issue.labels.filter((each) => each !== name);
    touch(call, issue);
    return labels(call, issue.labels);
  },
  "issues/list-assignees": (call) => {
    const { repository } = call;
    const logins = [...repository.permissions.keys()];
    return ok(
      logins.filter((login) => isAssignable(repository, login)).map((each) => userView(call, each)),
    );
  },
  "issues/check-user-can-be-assigned": ({ repository, names }) => {
    if (!isAssignable(repository, names.assignee!)) throw notFound();
    return { status: 204 };
  },
  "issues/add-assignees": (call) => {
    const issue = assigned(call, (issue, logins) => [
      ...issue.assignees,
      ...logins.filter((login) => isAssignable(call.repository, login)),
    ]);
    return created(issueView(call, issue));
  },
  "issues/remove-assignees": (call) => {
    const issue = assigned(
      call,
      (issue, logins) => issue.assignees.filter((login) => !logins.includes(login)),
    );
    return ok(issueView(call, issue));
  },
  "issues/list-milestones": (call) => {
    const { query, repository } = call;
    const state = query.get("state") ?? "open";
    const isUp = query.get("direction") !== "desc";
    const found = [...repository.milestones.values()]
      .filter((each) => state === "all" || each.state === state)
      .sort((a, b) => (isUp ? 1 : -1) * ((a.due ?? "9") < (b.due ?? "9") ? -1 : 1));
    return ok(found.map((each) => milestoneView(call, repository, each)));
  },
  "issues/get-milestone": (call) => {
    const found = call.repository.milestones.get(Number(call.names.milestone_number));
    if (found === undefined) throw notFound();
    return ok(milestoneView(call, call.repository, found));
  },
  "issues/create-milestone": (call) => {
    needsPush(call);
    const { state, repository, account, body } = call;
    const title = String(body.title).trim();
    const all = [...repository.milestones.values()];
    if (title === "") throw invalid("Milestone", "title", "missing_field");
    if (all.some((each) => each.title === title)) {
      throw invalid("Milestone", "title", "already_exists");
    }
    const made: Milestone = {
      id: state.nextId(),
      number: all.length + 1,
      login: account.login,
      title,
      description: (body.description ?? null) as string | null,
      state: (body.state ?? "open") as Milestone["state"],
      due: (body.due_on ?? null) as string | null,
      created: state.now(),
    };
    repository.milestones.set(made.number, made);
    return created(milestoneView(call, repository, made));
  },
};

function labels(call: Call, names: readonly string[]): Answer {
  return ok(names.map((name) => labelView(call, call.repository, name)));
}

function setLabels(call: Call, next: (issue: Issue, given: string[]) => string[]): Answer {
  needsTriage(call);
  const issue = issueOf(call);
  const { body } = call;
  const given = Array.isArray(body) ? body : (body as Json).labels ?? [];
  issue.labels = [...new Set(next(issue, labelsOf(call, given)))];
  touch(call, issue);
  return labels(call, issue.labels);
}

/** GitHub ignores in silence what an account without push access asks for. */
function assigned(call: Call, next: (issue: Issue, logins: string[]) => string[]): Issue {
  needsIssues(call);
  const issue = issueOf(call);
  if (!canPush(call)) return issue;
  const logins = ((call.body.assignees ?? []) as unknown[]).map((each) => nameIn(each, "login"));
  issue.assignees = [...new Set(next(issue, logins))].slice(0, ASSIGNEES_LIMIT);
  touch(call, issue);
  return issue;
}
