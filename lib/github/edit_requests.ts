// Turns an edit into requests. GitHub has fields of its own for some values, such as the milestone; all other values
// become labels.

import { type JsonObject, listOf, objectOf, stringOf } from "../base/checks.ts";
import { Fields, fittingLabels, typeLabel } from "../work/issue/imports/record.ts";
import { ISSUE_STATUSES } from "../work/issue/issue.ts";
import type { Edit } from "./edits.ts";
import { fieldLabel, isStatusLabel, numberIn } from "./record.ts";
import type { IssueField, RepositoryShape } from "./shape.ts";

/** One request. The path is relative to the path of the repository. */
export interface EditRequest {
  method: "POST" | "PATCH" | "DELETE";
  path: string;
  body?: JsonObject;
}

/** The data, besides the edit itself, from which the requests are made. */
export interface EditContext {
  /** The number of the issue on GitHub, and GitHub's latest answer about it. */
  number: number;
  fresh: JsonObject;
  blockers: readonly JsonObject[];
  shape: RepositoryShape;
  /** The issue types that have a workflow. */
  types: readonly string[];
  /** The new body for GitHub; undefined if the body does not change. */
  body: string | undefined;
  /** Returns the number of a milestone on GitHub, and creates the milestone if it is missing. */
  milestone: (title: string) => Promise<number | undefined>;
  /**
   * Returns GitHub's id of an issue, given as `#12` (a local number), `acme/other#12` or a `uid`; undefined if it is
   * not on GitHub.
   */
  idOf: (ref: string) => Promise<number | undefined>;
  /** Returns the number on GitHub of the issue with a `uid`. */
  numberOf: (uid: string) => number | undefined;
}

const WAITS = /^blocked[_-]by:(.*?)#?(\d+)$/i;

/** Returns the requests in order; an empty list if nothing can be changed. Throws `SYNC_ERROR`. */
export async function requestsFor(edit: Edit, context: EditContext): Promise<EditRequest[]> {
  const { number, fresh, body } = context;
  const issue = `/issues/${number}`;
  const change: JsonObject = {
    ...edit.title !== undefined && { title: edit.title },
    ...body !== undefined && { body },
    ...edit.state !== undefined && { state: edit.state },
  };
  if (edit.milestone !== undefined) {
    const milestone = edit.milestone && await context.milestone(edit.milestone);
    if (milestone !== undefined) change.milestone = milestone;
  }
  const labels = await labelsOf(edit, context);
  if (labels.type !== undefined) change.type = labels.type;
  if (labels.values.length > 0) change.issue_field_values = labels.values;
  const requests: EditRequest[] = [];
  if (Object.keys(change).length > 0) {
    requests.push({ method: "PATCH", path: issue, body: change });
  }
  if (labels.add.length > 0) {
    requests.push({ method: "POST", path: `${issue}/labels`, body: { labels: labels.add } });
  }
  for (const name of labels.remove) {
    requests.push({ method: "DELETE", path: `${issue}/labels/${encodeURIComponent(name)}` });
  }
  for (const id of labels.cleared) {
    requests.push({ method: "DELETE", path: `${issue}/issue-field-values/${id}` });
  }
  return [
    ...requests,
    ...assigneeRequests(edit, context, `${issue}/assignees`),
    ...labels.links,
    ...parentRequests(edit, context, fresh),
  ];
}

/** The places into which the labels of an edit go. */
interface LabelPlaces {
  type?: string | null;
  values: Array<{ field_id: number; value: string | number }>;
  /** The ids of the fields to clear. */
  cleared: number[];
  add: string[];
  remove: string[];
  links: EditRequest[];
}

async function labelsOf(
  { add = [], remove = [], status }: Edit,
  { number, fresh, blockers, shape, types, idOf }: EditContext,
): Promise<LabelPlaces> {
  const places: LabelPlaces = { values: [], cleared: [], add: [], remove: [], links: [] };
  const names = listOf(fresh.labels).flatMap((label) => stringOf(objectOf(label).name) ?? []);
  const values = listOf(fresh.issue_field_values).map(objectOf);
  const hasLinks = fresh.issue_dependencies_summary !== undefined;
  const links = `/issues/${number}/dependencies/blocked_by`;
  for (const label of remove) {
    const [, , linked] = WAITS.exec(label) ?? [];
    if (linked !== undefined && hasLinks) {
      const id = await idOf(label.replace(/^[^:]*:/, ""));
      const isThere = blockers.some((blocker) => blocker.id === id);
      if (isThere) places.links.push({ method: "DELETE", path: `${links}/${id}` });
      continue;
    }
    places.remove.push(...names.filter((name) => localForm(name, types) === label));
    const named = values.filter((value) => localForm(fieldLabel(value)[0], types) === label);
    places.cleared.push(...named.map((value) => Number(value.issue_field_id)));
    const type = stringOf(objectOf(fresh.type).name)?.toLowerCase();
    if (type !== undefined && typeLabel(type, types)[0] === label) places.type = null;
  }
  for (const label of add) {
    const [, , linked] = WAITS.exec(label) ?? [];
    if (linked !== undefined && hasLinks) {
      const issue_id = await idOf(label.replace(/^[^:]*:/, ""));
      if (issue_id !== undefined) {
        places.links.push({ method: "POST", path: links, body: { issue_id } });
      }
      continue;
    }
    const type = shape.types.find((name) => `type:${name.toLowerCase()}` === label.toLowerCase());
    const value = fieldValue(label, shape.fields, types);
    if (type !== undefined) places.type = type;
    else if (value !== undefined) places.values.push(value);
    else places.add.push(label);
  }
  if (status !== undefined) {
    const label = `Status: ${status}`;
    const value = fieldValue(label, shape.fields, types);
    places.remove.push(...names.filter(isStatusLabel));
    const had = values.find((value) => isStatusLabel(fieldLabel(value)[0]));
    if (value !== undefined) places.values.push(value);
    else if (had !== undefined) places.cleared.push(Number(had.issue_field_id));
    if (value === undefined && status !== ISSUE_STATUSES[0]) {
      places.add.push(`status:${status.toLowerCase().replaceAll(" ", "-")}`);
    }
  }
  const kept = new Set(places.values.map(({ field_id }) => field_id));
  places.cleared = places.cleared.filter((id) => !kept.has(id));
  return places;
}

/** Returns the local form of a label from GitHub; undefined if it has none. */
function localForm(name: string | undefined, types: readonly string[]): string | undefined {
  return name === undefined ? undefined : fittingLabels([name], new Fields({}), types)[0];
}

/** Returns a label as a field value: `priority:p1` for the field `Priority`, `Effort: 3` for the field `Effort`. */
function fieldValue(
  label: string,
  fields: readonly IssueField[],
  types: readonly string[],
): LabelPlaces["values"][number] | undefined {
  const [, name = "", said = ""] = /^([^:]+):\s*(.+)$/.exec(label) ?? [];
  const field = fields.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (field === undefined) return undefined;
  const wanted = localForm(label, types);
  const value = field.kind === "number"
    ? Number(said)
    : field.kind === "single_select"
    ? field.options.find((option) =>
      localForm(`${field.name}: ${option}`, types)?.toLowerCase() === wanted?.toLowerCase()
    )
    : said;
  const isValue = typeof value === "string" || Number.isFinite(value);
  return isValue ? { field_id: field.id, value: value! } : undefined;
}

/** Removes only the first assignee, because agentx shows only that one. */
function assigneeRequests(
  { assignee }: Edit,
  { fresh }: EditContext,
  path: string,
): EditRequest[] {
  const first = stringOf(objectOf(listOf(fresh.assignees)[0]).login);
  if (assignee === undefined || first === undefined) return [];
  return [{ method: "DELETE", path, body: { assignees: [first] } }];
}

function parentRequests(
  { parent }: Edit,
  { numberOf }: EditContext,
  { id, parent_issue_url: above, sub_issues_summary: has }: JsonObject,
): EditRequest[] {
  if (parent === undefined || has === undefined) return [];
  const before = numberIn(above);
  if (parent === null) {
    return before === undefined
      ? []
      : [{ method: "DELETE", path: `/issues/${before}/sub_issue`, body: { sub_issue_id: id } }];
  }
  const number = numberOf(parent);
  if (number === undefined) return [];
  const body = { sub_issue_id: id, replace_parent: true };
  return [{ method: "POST", path: `/issues/${number}/sub_issues`, body }];
}
