// Issue types, and issue fields with their values, after GitHub's documentation.

import { type Answer, type Call, needsPush, notFound, ok, type Operations } from "../call.ts";
import type { FieldValue, Repository } from "../records.ts";
import { fieldValues, issueField, issueType } from "../views/issue.ts";
import { issueOf, touch } from "./named.ts";
import { fieldsWith } from "./pushed_values.ts";

export const FIELDS: Operations = {
  "orgs/list-issue-types": (call) =>
    ok(once(repositoriesOf(call).flatMap((each) => each.types)).map(issueType)),
  "repos/list-issue-types": ({ repository }) => {
    if (repository.owner.type !== "Organization") throw notFound();
    return ok(repository.types.map(issueType));
  },
  "orgs/list-issue-fields": (call) =>
    ok(once(repositoriesOf(call).flatMap((each) => each.fields)).map(issueField)),
  "issues/list-issue-field-values-for-issue": (call) =>
    ok(fieldValues(call.repository, issueOf(call))),
  "issues/add-issue-field-values": (call) => {
    const given = (call.body.issue_field_values ?? []) as unknown[];
    // "Adding an empty array will clear all existing field values for the issue."
    return setFields(call, given.length === 0 ? [] : issueOf(call).fields, given);
  },
  "issues/set-issue-field-values": (call) =>
    setFields(call, [], call.body.issue_field_values ?? []),
  "issues/delete-issue-field-value": (call) => {
    needsPush(call);
    const issue = issueOf(call);
    if (!issue.fields.delete(Number(call.names.issue_field_id))) throw notFound();
    touch(call, issue);
    return { status: 204 };
  },
};

function setFields(call: Call, before: Iterable<[number, FieldValue]>, given: unknown): Answer {
  needsPush(call);
  const issue = issueOf(call);
  issue.fields = fieldsWith(call.repository, before, given);
  touch(call, issue);
  return ok(fieldValues(call.repository, issue));
}

function repositoriesOf({ state, names }: Call): Repository[] {
  if (state.accounts.get(names.org!)?.type !== "Organization") throw notFound();
  return [...state.repositories.values()].filter((each) => each.owner.login === names.org);
}

/** What several repositories have in common comes once. */
function once<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((each) => [each.name, each])).values()];
}
