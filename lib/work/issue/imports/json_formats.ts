// Issues that other tools, or we, wrote as JSON. Pure.

import {
  isObject,
  isText,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
} from "../../../base/checks.ts";
import { DONE, ISSUE_STATUSES } from "../issue.ts";
import {
  bodyOf,
  columnOf,
  commentOf,
  type Fields,
  fittingLabels,
  type ImportedIssue,
  typeLabel,
  UNKNOWN,
} from "./record.ts";

/** A form in which issues are written. */
export interface Format {
  /** What it is called in messages. */
  name: string;
  /** Whether a record has this form. */
  fits(record: JsonObject): boolean;
  /** Reads one; undefined if it was deleted there. */
  read(fields: Fields, types: readonly string[]): Omit<ImportedIssue, "at"> | undefined;
}

const own: Format = {
  name: "agentx",
  fits: ({ uid, number, title }) => isText(uid) && typeof number === "number" && isText(title),
  read(fields, types) {
    const uid = fields.text("uid");
    const number = Number(fields.take("number"));
    const source = fields.text("source");
    const status = fields.text("status", ISSUE_STATUSES[0]);
    const { labels, ...links } = linksAmong(fields.texts("labels"));
    return {
      keys: [...source === "" ? [] : [source], `agentx:${uid}`],
      ids: [uid, `#${number}`],
      number,
      title: fields.text("title"),
      body: fields.text("body"),
      status: fields.take("state") === "closed" ? DONE : status,
      ...links,
      labels: fittingLabels(labels, fields, types),
      assignee: fields.text("assignee") || null,
      parent: fields.text("parent") || null,
      comments: fields.objects("comments").flatMap(({ author, body, created }) =>
        commentOf(author, body, created)
      ),
      due: fields.day("due"),
      milestone: fields.text("milestone") || null,
      author: fields.text("author", UNKNOWN),
      created: fields.time("created"),
      updated: fields.time("updated"),
      closed: fields.time("closed"),
    };
  },
};

/** <https://github.com/steveyegge/beads>: `.beads/issues.jsonl`. */
const beads: Format = {
  name: "beads",
  fits: ({ id, title, status }) => isText(id) && isText(title) && isText(status),
  read(fields, types) {
    const id = fields.text("id");
    const status = fields.text("status");
    if (status === "tombstone") return undefined;
    const closed = fields.time("closed_at");
    const reason = fields.text("close_reason");
    const links = linksOfBead(fields);
    const priority = fields.take("priority");
    const isRanked = typeof priority === "number" && priority >= 0 && priority <= 3;
    if (priority !== undefined && !isRanked) fields.leave(`priority ${priority}`, "priority");
    const labels = [
      ...typeLabel(fields.text("issue_type"), types),
      ...isRanked ? [`priority:p${priority}`] : [],
      ...fields.texts("labels"),
    ];
    return {
      keys: [`beads:${id}`],
      ids: [id],
      number: null,
      title: fields.text("title"),
      body: bodyOf(fields.text("description"), [
        ["Design", fields.text("design")],
        ["Acceptance criteria", asTasks(fields.text("acceptance_criteria"))],
        ["Notes", fields.text("notes")],
      ]),
      status: columnOf(status, fields),
      labels: fittingLabels(labels, fields, types),
      assignee: fields.text("assignee") || null,
      ...links,
      comments: [
        ...fields.objects("comments").flatMap(({ author, text, created_at }) =>
          commentOf(author, text, created_at)
        ),
        ...reason === "Closed" ? [] : commentOf(UNKNOWN, reason, closed),
      ],
      due: fields.day("due_at"),
      milestone: null,
      author: fields.text("created_by", UNKNOWN),
      created: fields.time("created_at"),
      updated: fields.time("updated_at"),
      closed,
    };
  },
};

function linksOfBead(fields: Fields): Pick<ImportedIssue, "parent" | "blockedBy" | "blocks"> {
  const of = (wanted: string) =>
    dependencies.filter(({ type = "blocks" }) => type === wanted)
      .flatMap(({ depends_on_id }) => stringOf(depends_on_id) ?? []);
  const dependencies = fields.objects("dependencies");
  for (const { type = "blocks" } of dependencies) {
    if (type !== "blocks" && type !== "parent-child") fields.leave(`dependencies ${type}`);
  }
  const parent = fields.text("parent") || of("parent-child")[0];
  return { parent: parent ?? null, blockedBy: of("blocks"), blocks: [] };
}

/** What `gh issue list --json` and `gh issue view --json` print. */
const github: Format = {
  name: "GitHub (gh)",
  fits: ({ number, title }) => typeof number === "number" && isText(title),
  read(fields, types) {
    const number = Number(fields.take("number"));
    const url = fields.text("url");
    const [, repository = ""] = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/issues\/\d+$/.exec(url) ?? [];
    const state = fields.text("state").toUpperCase();
    const isClosed = fields.take("closed") === true || state === "CLOSED";
    const [assignee, ...others] = fields.objects("assignees").flatMap(({ login }) =>
      stringOf(login) ?? []
    );
    for (const _ of others) fields.leave("assignees beyond the first");
    const milestone = objectOf(fields.take("milestone"));
    const names = listOf(fields.take("labels")).flatMap((label) =>
      (isObject(label) ? stringOf(label.name) : stringOf(label)) ?? []
    );
    const { labels, ...links } = linksAmong(names);
    return {
      keys: [`github:${repository}#${number}`],
      ids: [`#${number}`],
      number,
      title: fields.text("title"),
      body: fields.text("body"),
      status: isClosed ? DONE : ISSUE_STATUSES[0],
      labels: fittingLabels(labels, fields, types),
      ...links,
      assignee: assignee ?? null,
      parent: null,
      comments: fields.objects("comments").flatMap(({ author, body, createdAt }) =>
        commentOf(objectOf(author).login, body, createdAt)
      ),
      due: stringOf(milestone.dueOn)?.slice(0, "2026-12-24".length) ?? null,
      milestone: stringOf(milestone.title) ?? null,
      author: stringOf(objectOf(fields.take("author")).login) ?? UNKNOWN,
      created: fields.time("createdAt"),
      updated: fields.time("updatedAt"),
      closed: fields.time("closedAt"),
    };
  },
};

/** Ours first: it has what the others have, too. */
export const JSON_FORMATS: readonly Format[] = [own, beads, github];

/** Labels such as `blocked_by:#12` name issues by the numbers that they have there. */
function linksAmong(
  names: readonly string[],
): Pick<ImportedIssue, "labels" | "blockedBy" | "blocks"> {
  const links: Pick<ImportedIssue, "labels" | "blockedBy" | "blocks"> = {
    labels: [],
    blockedBy: [],
    blocks: [],
  };
  for (const name of names) {
    const [, kind, number] = /^(blocked[_-]by|blocks):#?(\d{1,9})$/i.exec(name) ?? [];
    if (kind === undefined) links.labels.push(name);
    else links[kind.toLowerCase() === "blocks" ? "blocks" : "blockedBy"].push(`#${number}`);
  }
  return links;
}

/** Turns lines of text into a task list. */
function asTasks(text: string): string {
  return text.split(/\r?\n/).map((line) =>
    line.trim() === "" || /^\s*[-*+]\s+\[[ xX]\]/.test(line)
      ? line
      : line.replace(/^(\s*)(?:[-*+]\s+|\d{1,9}[.)]\s+)?/, "$1- [ ] ")
  ).join("\n");
}
