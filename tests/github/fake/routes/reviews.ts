// Reviews of pull requests, and who is asked for one, after GitHub's documentation.

import {
  type Call,
  canPush,
  created,
  needsPulls,
  notFound,
  ok,
  type Operations,
  Refusal,
} from "../call.ts";
import type { Issue, Review } from "../records.ts";
import { userView } from "../views/account.ts";
import { headSha, pullView, reviewView } from "../views/pull.ts";
import { notify, textOf } from "./issues.ts";
import { pullOf, touch } from "./named.ts";

const STATES: Record<string, Review["state"]> = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
};

export const REVIEWS: Operations = {
  "pulls/list-reviews": (call) => {
    const issue = pullOf(call);
    const shown = issue.pull!.reviews.filter((review) =>
      review.state !== "PENDING" || review.login === call.account.login
    );
    return ok(shown.map((review) => reviewView(call, issue, review)));
  },
  "pulls/create-review": (call) => {
    needsPulls(call);
    const issue = pullOf(call);
    const review = newReview(call, issue);
    issue.pull!.reviews.push(review);
    if (review.state !== "PENDING") issue.pull!.reviewers.delete(review.login);
    notify(call, issue.number, review.id, review.body);
    touch(call, issue);
    return ok(reviewView(call, issue, review));
  },
  "pulls/get-review": (call) => ok(reviewView(call, pullOf(call), reviewOf(call))),
  "pulls/update-review": (call) => {
    needsPulls(call);
    const review = reviewOf(call);
    if (review.login !== call.account.login) throw notFound();
    review.body = textOf("PullRequestReview", call.body.body) ?? "";
    touch(call, pullOf(call));
    return ok(reviewView(call, pullOf(call), review));
  },
  "pulls/list-requested-reviewers": (call) => {
    const users = [...pullOf(call).pull!.reviewers].map((login) => userView(call, login));
    return ok({ users, teams: [] });
  },
  "pulls/request-reviewers": (call) => {
    const issue = ask(call);
    const asked = (call.body.reviewers ?? []) as string[];
    if (asked.includes(issue.login)) {
      throw new Refusal(422, "Review cannot be requested from pull request author.");
    }
    const { repository } = call;
    const name = `${repository.owner.login}/${repository.name}`;
    if (!asked.every((login) => repository.permissions.has(login))) {
      throw new Refusal(
        422,
        `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${name} repository.`,
      );
    }
    for (const login of asked) issue.pull!.reviewers.add(login);
    touch(call, issue);
    return created(pullView(call, issue));
  },
  "pulls/remove-requested-reviewers": (call) => {
    const issue = ask(call);
    for (const login of call.body.reviewers as string[]) issue.pull!.reviewers.delete(login);
    touch(call, issue);
    return ok(pullView(call, issue));
  },
};

function newReview(call: Call, issue: Issue): Review {
  const { body, state, account } = call;
  const event = body.event as string | undefined;
  const text = textOf("PullRequestReview", body.body) ?? "";
  const isOwn = issue.login === account.login;
  if (isOwn && event === "APPROVE") throw refused("Can not approve your own pull request");
  if (isOwn && event === "REQUEST_CHANGES") {
    throw refused("Can not request changes on your own pull request");
  }
  if ((event === "REQUEST_CHANGES" || event === "COMMENT") && text.trim() === "") {
    throw refused("Body can't be blank");
  }
  const isPending = event === undefined;
  const isSecond = issue.pull!.reviews.some((review) =>
    review.state === "PENDING" && review.login === account.login
  );
  if (isPending && isSecond) {
    throw refused("User can only have one pending review per pull request");
  }
  return {
    id: state.nextId(),
    login: account.login,
    state: isPending ? "PENDING" : STATES[event]!,
    body: text,
    commit: String(body.commit_id ?? headSha(issue)),
    submitted: isPending ? undefined : state.now(),
  };
}

/** The review of the path; a pending one shows to its author alone. */
function reviewOf(call: Call): Review {
  const found = pullOf(call).pull!.reviews.find(({ id }) => id === Number(call.names.review_id));
  const isHidden = found?.state === "PENDING" && found.login !== call.account.login;
  if (found === undefined || isHidden) throw notFound();
  return found;
}

/** The pull request, for an account that may ask for reviews of it. */
function ask(call: Call): Issue {
  needsPulls(call);
  const issue = pullOf(call);
  if (!canPush(call)) throw new Refusal(403, "Must have push access to repository.");
  return issue;
}

function refused(why: string): Refusal {
  return new Refusal(422, "Unprocessable Entity", { errors: [why] });
}
