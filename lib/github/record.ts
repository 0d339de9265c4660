// Turns issues of the REST API into records in the form of `gh`, which the import of `gh` records then reads. Pure.

import { isObject, type JsonObject, listOf, objectOf, stringOf } from "../base/checks.ts";
import { hashOf } from "../base/hash.ts";
import { isoTime } from "../base/time.ts";
import { sys } from "../sys/mod.ts";
import { readGitHubIssues } from "../work/issue/imports/read.ts";
import type { ImportedIssue } from "../work/issue/imports/record.ts";
import { DONE, isStatus, type Issue, MAX_TITLE } from "../work/issue/issue.ts";
import { isThreadLabel } from "./labels.ts";
import { withMentions } from "./mentions.ts";
import { markedBody } from "./posts.ts";
import type { Target } from "./target.ts";

/** An issue with the results of the other requests about it. */
export interface WholeIssue {
  issue: JsonObject;
  /** The issues that this issue waits for. */
  blockers: readonly JsonObject[];
  comments: readonly JsonObject[];
}

/** Reads issues; leaves out pull requests. */
export async function issuesFrom(
  all: readonly WholeIssue[],
  { target, types, names, birth }: {
    target: Target;
    /** The issue types that have a workflow. */
    types: readonly string[];
    /** Earlier names of the repository. */
    names: readonly string[];
    /** The id of the state. */
    birth: string;
  },
): Promise<ImportedIssue[]> {
  const uids = new Map<unknown, string>();
  const records: [string, JsonObject][] = [];
  for (const whole of all) {
    const { number, body, author_association: role } = whole.issue;
    const { text, uid, isOurs } = await markedBody(stringOf(body) ?? "", birth);
    if (uid !== undefined && (isOurs || WRITERS.includes(String(role)))) uids.set(number, uid);
    const record = { ...recordOf(whole, target), body: withMentions(text) };
    records.push([`${target.repository}#${number}`, record]);
  }
  const { issues } = readGitHubIssues(records, { types, columns: {}, now: isoTime(sys.now()) });
  return issues.map((issue) => {
    const uid = uids.get(issue.number);
    const before = names.map((name) => `github:${name}#${issue.number}`);
    const made = uid === undefined ? [] : [`agentx:${uid}`];
    return { ...issue, uid, keys: [...issue.keys, ...before, ...made] };
  });
}

/** Roles with write access. Only their word counts for an issue marker that this state did not make. */
const WRITERS = ["OWNER", "MEMBER", "COLLABORATOR"];

/** Returns the number of an issue on GitHub; undefined if it is not in a repository with one of these names. */
export function numberThere(
  { source = "" }: Pick<Issue, "source">,
  names: readonly string[],
): number | undefined {
  const prefix = names.map((name) => `github:${name}#`).find((each) => source.startsWith(each));
  return prefix === undefined ? undefined : Number(source.slice(prefix.length));
}

function recordOf({ issue, blockers, comments }: WholeIssue, target: Target): JsonObject {
  const { host, repository } = target;
  const addressOf = (of: string, number: unknown) => `https://${host}/${of}/issues/${number}`;
  const parent = numberIn(issue.parent_issue_url);
  const parentIn = repositoryIn(issue.parent_issue_url) ?? repository;
  const labels = [
    ...listOf(issue.labels).flatMap((label) => stringOf(objectOf(label).name) ?? []),
    ...listOf(issue.issue_field_values).flatMap(fieldLabel),
  ].filter((name) => !isThreadLabel(name));
  return {
    ...pick(issue, "number state state_reason user type assignees"),
    title: fitting(issue.title),
    milestone: isObject(issue.milestone)
      ? { ...issue.milestone, title: fitting(issue.milestone.title) }
      : null,
    ...pick(issue, "pull_request created_at updated_at closed_at"),
    labels: labels.filter((name) => !isStatusLabel(name)),
    column: STATUS.exec(labels.find(isStatusLabel) ?? "")?.[1],
    html_url: addressOf(repository, issue.number),
    ...parent !== undefined && { parent: { number: parent, url: addressOf(parentIn, parent) } },
    blockedBy: blockers.map(({ number, repository_url }) => ({
      number,
      url: addressOf(repositoryIn(repository_url) ?? repository, number),
    })),
    comments: comments.map(({ id, body, user, created_at, updated_at }) => ({
      author: user,
      body,
      createdAt: created_at,
      key: `c${String(id).padStart(15, "0")}-${hashOf(`${updated_at} ${body}`)}`,
    })).sort((a, b) => a.key < b.key ? -1 : 1),
  };
}

/** Returns a title cut to the local maximum. A title on GitHub may have 256 characters. */
function fitting(title: unknown): unknown {
  const characters = [...stringOf(title) ?? ""];
  if (characters.length <= MAX_TITLE) return title;
  return `${characters.slice(0, MAX_TITLE - 3).join("")}...`;
}

function pick(object: JsonObject, names: string): JsonObject {
  return Object.fromEntries(names.split(" ").map((name) => [name, object[name]]));
}

const STATUS = /^status\s*:\s*(.+)$/i;

/**
 * Whether a label, or a field in label form, names a column of the board. The last column does not count, because an
 * issue in it is closed on GitHub.
 */
export function isStatusLabel(name: string): boolean {
  const column = STATUS.exec(name)?.[1] ?? "";
  return isStatus(column) && column.toLowerCase() !== DONE.toLowerCase();
}

/** Returns a field of an issue as a label: `priority:high`, or `Effort: 3`. */
export function fieldLabel(value: unknown): string[] {
  const field = objectOf(value);
  const name = stringOf(field.issue_field_name) ?? stringOf(field.name);
  const said = stringOf(objectOf(field.single_select_option).name) ?? field.value;
  if (name === undefined || said === undefined || said === null || said === "") return [];
  return [`${name}: ${said}`];
}

/** Returns the number in an address such as `.../repos/acme/shop/issues/12`. */
export function numberIn(address: unknown): number | undefined {
  const number = /\/issues\/(\d+)$/.exec(stringOf(address) ?? "")?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Returns `acme/shop` from the address of an issue or of the repository. */
function repositoryIn(address: unknown): string | undefined {
  return /\/repos\/([^/]+\/[^/]+)(?:\/issues\/\d+)?$/.exec(stringOf(address) ?? "")?.[1];
}
