// What only an account with push access sets on an issue: labels, assignees, milestone, type and fields.

import { type Call, canPush, invalid, type Json, Refusal } from "../call.ts";
import type { Field, FieldValue, Issue, Repository } from "../records.ts";

export const ASSIGNEES_LIMIT = 10;
const LABEL_LIMIT = 50;

/** The values that a request gives; GitHub drops them in silence where the account may not push. */
export function pushedValues(call: Call, issue?: Issue): Partial<Issue> {
  if (!canPush(call)) return {};
  const { body, repository } = call;
  const type = typeof body.type === "object" && body.type !== null
    ? (body.type as Json).value
    : body.type;
  const assignees = body.assignees ??
    (body.assignee === undefined ? undefined : [body.assignee].filter(Boolean));
  const hasFields = body.issue_field_values !== undefined && repository.fields.length > 0;
  return {
    ...(assignees === undefined ? {} : { assignees: assigneesOf(call, assignees) }),
    ...(body.milestone === undefined ? {} : { milestone: milestoneOf(repository, body.milestone) }),
    ...(type === undefined || repository.types.length === 0
      ? {}
      : { type: typeOf(repository, type) }),
    ...(hasFields
      ? { fields: fieldsWith(repository, issue?.fields, body.issue_field_values) }
      : {}),
    // Last, as it makes labels that are not there.
    ...(body.labels === undefined ? {} : { labels: labelsOf(call, body.labels) }),
  };
}

/** The labels of a request, as the repository spells them; GitHub makes one that is not there. */
export function labelsOf(call: Call, given: unknown): string[] {
  const names = (given as unknown[]).map((label) => nameIn(label, "name"));
  for (const name of names) checkLabel(name);
  return [
    ...new Set(names.map((name) => findLabel(call.repository, name) ?? madeLabel(call, name))),
  ];
}

/** GitHub compares labels without regard to case. */
export function findLabel(repository: Repository, name: string): string | undefined {
  return [...repository.labels.keys()].find((label) => label.toLowerCase() === name.toLowerCase());
}

export function checkLabel(name: string): void {
  if (name.trim() === "") throw invalid("Label", "name", "missing_field");
  if ([...name].length > LABEL_LIMIT) {
    const message = `name is too long (maximum is ${LABEL_LIMIT} characters)`;
    throw invalid("Label", "name", "custom", { message });
  }
}

/** Whether GitHub lets an issue be assigned to this account. */
export function isAssignable(repository: Repository, login: string): boolean {
  return (repository.permissions.get(login) ?? "none") !== "none";
}

/** A login or a name, alone or in an object that says more of it. */
export function nameIn(given: unknown, key: string): string {
  return String(typeof given === "object" ? (given as Json)[key] : given);
}

/** The values of fields, with those that a request gives. */
export function fieldsWith(
  repository: Repository,
  before: Iterable<[number, FieldValue]> | undefined,
  given: unknown,
): Map<number, FieldValue> {
  const fields = new Map(before ?? []);
  for (const { field_id, value } of given as { field_id: number; value: FieldValue }[]) {
    const field = repository.fields.find((each) => each.id === field_id);
    if (field === undefined) throw invalid("IssueFieldValue", "field_id", "invalid");
    if (!fits(field, value)) throw invalid("IssueFieldValue", "value", "invalid");
    fields.set(field.id, value);
  }
  return fields;
}

function fits({ kind, options }: Field, value: FieldValue): boolean {
  if (kind === "number") return typeof value === "number";
  if (kind === "multi_select") {
    return typeof value === "object" && value.every((name) => options.includes(name));
  }
  if (typeof value !== "string") return false;
  if (kind === "date") return /^\d{4}-\d\d-\d\d/.test(value);
  return kind === "text" || options.includes(value);
}

function madeLabel({ state, repository, permission }: Call, name: string): string {
  if (permission === "triage") {
    const errors = [{ resource: "Repository", field: "label", code: "unauthorized" }];
    throw new Refusal(403, "You do not have permission to create labels on this repository.", {
      errors,
    });
  }
  state.label(repository, name);
  return name;
}

function assigneesOf({ repository }: Call, given: unknown): string[] {
  const logins = [...new Set((given as unknown[]).map((each) => nameIn(each, "login")))];
  const value = logins.filter((login) => !isAssignable(repository, login));
  if (value.length > 0) {
    const message = `assignees ${value.join(", ")} cannot be assigned to this issue`;
    throw invalid("Issue", "assignees", "invalid", { value, message });
  }
  return logins.slice(0, ASSIGNEES_LIMIT);
}

function milestoneOf(repository: Repository, given: unknown): number | null {
  if (given === null) return null;
  if (!repository.milestones.has(Number(given))) throw invalid("Issue", "milestone", "invalid");
  return Number(given);
}

function typeOf(repository: Repository, given: unknown): string | null {
  if (given === null) return null;
  const name = String(given).toLowerCase();
  const found = repository.types.find((type) => type.name.toLowerCase() === name);
  if (found === undefined) throw invalid("Issue", "type", "invalid");
  return found.name;
}
