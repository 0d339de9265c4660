// Reads a task of Backlog.md: markdown with front matter.

import type { JsonObject } from "../../../base/checks.ts";
import { AgentxError } from "../../../base/errors.ts";
import { parseFrontMatter } from "../../../text/yaml.ts";
import { DONE, type IssueComment } from "../issue.ts";
import {
  type Fields,
  fittingLabels,
  type Here,
  importedComments,
  type ImportedIssue,
  rankLabel,
  typeLabel,
  UNKNOWN,
} from "./record.ts";

const COMMENTS = /<!-- COMMENTS:BEGIN -->([\s\S]*?)<!-- COMMENTS:END -->/;
const COMMENT =
  /^(?:author:(.*)\n)?created:(.*)\n(?:[a-z_]+:.*\n)*---\n([\s\S]*?)\n---\s*(?=^(?:author|created):|$(?![\s\S]))/gm;

/** Reads the front matter of a file, and its text as `body`. Throws `INVALID_INPUT` if the fields are not YAML. */
export async function fieldsOf(text: string): Promise<JsonObject> {
  const [, head, body] = /^---\n([\s\S]*?)\n---(?:\n|$)([\s\S]*)$/.exec(
    text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, ""),
  ) ?? [];
  if (head === undefined) throw unreadable("it has no front matter");
  const parse = async (text: string) => await parseFrontMatter(text, unreadable, "failsafe");
  const read = await parse(head).catch((error) =>
    parse(head.replaceAll(PLAIN, quotedLine)).catch(() => {
      throw error;
    })
  );
  return { ...read, body };
}

/** Matches a field with an unquoted value, which may not be valid YAML: it may have `: ` or an inner apostrophe. */
const PLAIN = /^([a-z_]+): +([^\s"[{|>&*!#].*?)[ \t]*$/gm;

function quotedLine(_: string, name: string, value: string): string {
  return `${name}: ${JSON.stringify(value.replace(/^'(.*)'$/, "$1"))}`;
}

function unreadable(why: string): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", why, { details: { field: "task", value: null } });
}

/** Data of the Backlog.md folder that a task file does not have. */
export interface BacklogFolder {
  /** The subfolder of the task: `tasks`, `drafts` or `completed`. */
  part: string;
  /** Titles of milestones, by lower-case id. */
  milestones: ReadonlyMap<string, string>;
}

/** Converts a task to an issue. */
export function readTask(
  fields: Fields,
  { part, milestones }: BacklogFolder,
  { types, statuses }: Here,
): Omit<ImportedIssue, "at"> {
  const id = idOf(fields.text("id"));
  const said = fields.text("status");
  const status = statuses.columnOf(PART_STATUSES[part] ?? said);
  const priority = fields.text("priority");
  const rank = rankLabel(priority);
  if (priority !== "" && rank === undefined) fields.leave(`priority ${priority}`, "priority");
  const [assignee, ...others] = fields.texts("assignee");
  for (const _ of others) fields.leave("assignees beyond the first");
  const labels = [
    ...typeLabel(fields.text("type"), types),
    ...rank === undefined ? [] : [rank],
    ...fields.texts("labels"),
  ];
  const updated = fields.time("updated_date");
  const milestone = fields.text("milestone");
  const text = fields.text("body");
  const isDone = status === DONE;
  const done = fields.time("completed_date");
  return {
    keys: [`backlog:${id}`],
    ids: [id],
    number: null,
    title: fields.text("title"),
    body: plainBody(text),
    status,
    labels: fittingLabels(labels, fields, types),
    assignee: nameOf(assignee) || null,
    parent: idOf(fields.text("parent_task_id")) || null,
    blockedBy: fields.texts("dependencies").map(idOf),
    blocks: [],
    comments: commentsIn(text),
    due: fields.day("due_date"),
    milestone: (milestones.get(milestone.toLowerCase()) ?? milestone) || null,
    author: nameOf(fields.text("reporter")) || UNKNOWN,
    created: fields.time("created_date"),
    updated,
    closed: isDone ? done ?? updated : undefined,
    isOwnFile: true,
  };
}

/** Statuses of the subfolders that override the status in a task file. */
const PART_STATUSES: Record<string, string> = { drafts: "draft", completed: "done" };

/**
 * Normalizes a task id. A project may have changed its prefix or the width of its numbers, so `task-007`, `BACK-7`
 * and `7` are the same task. `draft-7` is another task.
 */
function idOf(text: string): string {
  return text.trim().toLowerCase().replace(/^(?!draft-)[a-z]+-(?=\d)/, "")
    .replaceAll(/(?<!\d)0+(?=\d)/g, "");
}

function nameOf(name = ""): string {
  return name.trim().replace(/^@/, "");
}

function commentsIn(text: string): IssueComment[] {
  const [, comments = ""] = COMMENTS.exec(text) ?? [];
  return Array.from(
    comments.matchAll(COMMENT),
    ([, author, created, body]) => importedComments(nameOf(author), body.trim(), created.trim()),
  ).flat();
}

/** Removes HTML comments and marks that only Backlog.md reads, such as `#1` before a list item. */
function plainBody(text: string): string {
  return text
    .replace(COMMENTS, "")
    .replace(/^## Comments\s*(?=^## |$(?![\s\S]))/m, "")
    .replaceAll(/^<!-- [A-Z_:]+:(?:BEGIN|END) -->\n?/gm, "")
    .replaceAll(/^(\s*- \[[ xX~-]\] )#\d+ /gm, "$1")
    .trim();
}
