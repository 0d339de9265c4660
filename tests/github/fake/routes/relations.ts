// Sub-issues and dependencies between issues, after GitHub's documentation.

import {
  type Answer,
  type Call,
  created,
  invalid,
  needsTriage,
  notFound,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Issue } from "../records.ts";
import { issueView } from "../views/issue.ts";
import { isReadable, issueById, issueOf, touch } from "./named.ts";

// GitHub's limits, after its documentation of sub-issues and its announcement of dependencies.
const PARTS_LIMIT = 100;
const DEPTH_LIMIT = 8;
const BLOCKERS_LIMIT = 50;

export const RELATIONS: Operations = {
  "issues/get-parent": (call) => {
    const { parent } = issueOf(call);
    if (parent === undefined) throw notFound();
    return ok(issueView(call, issueById(call, parent)));
  },
  "issues/list-sub-issues": (call) => list(call, partsOf(call, issueOf(call))),
  "issues/add-sub-issue": (call) => {
    needsTriage(call);
    const parent = issueOf(call);
    const part = issueById(call, call.body.sub_issue_id);
    const isTaken = part.parent !== undefined && call.body.replace_parent !== true;
    if (part.repository.owner !== call.repository.owner) throw unfit("must have the same owner");
    if (part.parent === parent.id) throw unfit("may not be a duplicate");
    if (isTaken) throw unfit("may only have one parent");
    const above = ancestorsOf(call, parent);
    if (part === parent || above.includes(part)) throw unfit("may not be above its parent");
    if (above.length + 1 + heightOf(call, part) > DEPTH_LIMIT) throw unfit("is too deep");
    const parts = partsOf(call, parent);
    if (parts.length >= PARTS_LIMIT) throw unfit("is one too many");
    part.parent = parent.id;
    part.place = (parts.at(-1)?.place ?? 0) + 1;
    touch(call, part, parent);
    return created(issueView(call, parent));
  },
  "issues/remove-sub-issue": (call) => {
    needsTriage(call);
    const parent = issueOf(call);
    const part = partNamed(call, parent, call.body.sub_issue_id);
    part.parent = undefined;
    touch(call, part, parent);
    return ok(issueView(call, parent));
  },
  "issues/reprioritize-sub-issue": (call) => {
    needsTriage(call);
    const parent = issueOf(call);
    const { sub_issue_id, after_id, before_id } = call.body;
    const part = partNamed(call, parent, sub_issue_id);
    if ((after_id === undefined) === (before_id === undefined)) {
      throw new Refusal(422, "Validation Failed", {
        errors: ["Either after_id or before_id should be specified"],
      });
    }
    const beside = partNamed(call, parent, after_id ?? before_id);
    const parts = partsOf(call, parent).filter((each) => each !== part);
    parts.splice(parts.indexOf(beside) + (after_id === undefined ? 0 : 1), 0, part);
    parts.forEach((each, index) => each.place = index + 1);
    touch(call, parent);
    return ok(issueView(call, parent));
  },
  "issues/list-dependencies-blocked-by": (call) => {
    const { blockedBy } = issueOf(call);
    return list(call, call.state.issues().filter((each) => blockedBy.has(each.id)));
  },
  "issues/list-dependencies-blocking": (call) => {
    const { id } = issueOf(call);
    return list(call, call.state.issues().filter((each) => each.blockedBy.has(id)));
  },
  "issues/add-blocked-by-dependency": (call) => {
    needsTriage(call);
    const issue = issueOf(call);
    const blocker = issueById(call, call.body.issue_id);
    if (blocker.pull !== undefined) throw new Refusal(422, "Target issue may only be an issue");
    const isUnfit = blocker === issue || issue.blockedBy.has(blocker.id) ||
      issue.blockedBy.size >= BLOCKERS_LIMIT;
    if (isUnfit) throw invalid("IssueDependency", "issue_id", "invalid");
    issue.blockedBy.add(blocker.id);
    touch(call, issue);
    return created(issueView(call, blocker));
  },
  "issues/remove-dependency-blocked-by": (call) => {
    needsTriage(call);
    const issue = issueOf(call);
    const blocker = issueById(call, Number(call.names.issue_id));
    if (!issue.blockedBy.delete(blocker.id)) throw notFound();
    touch(call, issue);
    return ok(issueView(call, blocker));
  },
};

/** Lists what the account may read. */
function list(call: Call, issues: readonly Issue[]): Answer {
  return ok(
    issues.filter((issue) => isReadable(call, issue)).map((issue) => issueView(call, issue)),
  );
}

function partsOf({ state }: Call, parent: Issue): Issue[] {
  return state.issues().filter((each) => each.parent === parent.id)
    .sort((a, b) => a.place - b.place || a.id - b.id);
}

function partNamed(call: Call, parent: Issue, id: unknown): Issue {
  const part = issueById(call, id);
  if (part.parent !== parent.id) throw notFound();
  return part;
}

function ancestorsOf({ state }: Call, issue: Issue): Issue[] {
  const above: Issue[] = [];
  for (let at = issue.parent; at !== undefined; at = above.at(-1)?.parent) {
    const found = state.find(at);
    if (found === undefined) break;
    above.push(found);
  }
  return above;
}

function heightOf(call: Call, issue: Issue): number {
  return 1 + Math.max(0, ...partsOf(call, issue).map((part) => heightOf(call, part)));
}

function unfit(why: string): Refusal {
  return new Refusal(
    422,
    `An error occurred while adding the sub-issue to the parent issue. Sub issue ${why}`,
  );
}
