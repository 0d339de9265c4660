// JSON formats of issues, written by other tools or by agentx. Pure.

import { HUB, HUMAN } from "../../../base/agent_names.ts";
import {
  isObject,
  isText,
  type JsonObject,
  listOf,
  objectOf,
  stringOf,
} from "../../../base/checks.ts";
import { DONE, ISSUE_STATUSES } from "../issue.ts";
import { notBeforeLabel } from "../labels.ts";
import {
  bodyOf,
  type Fields,
  fittingLabels,
  type Here,
  importedComments,
  type ImportedIssue,
  typeLabel,
  UNKNOWN,
} from "./record.ts";

/** A JSON format of issues. */
export interface IssueFormat {
  /** Name of the format in messages. */
  name: string;
  /** Returns whether a record has this format. */
  fits(record: JsonObject): boolean;
  /** Reads one record. If the record is not an issue, returns its kind, such as `pull requests`. */
  read(fields: Fields, here: Here): Omit<ImportedIssue, "at"> | string;
}

const own: IssueFormat = {
  name: "agentx",
  fits: ({ uid, number, title }) => isText(uid) && typeof number === "number" && isText(title),
  read(fields, { types }) {
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
        importedComments(author, body, created)
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
const beads: IssueFormat = {
  name: "beads",
  fits: ({ id, title, status, issue_type, created_at }) =>
    isText(id) && isText(title) && [status, issue_type, created_at].some(isText),
  read(fields, { types, statuses, now }) {
    const id = fields.text("id");
    const status = fields.text("status");
    if (status === "tombstone") return "deleted there";
    const closed = fields.time("closed_at");
    const reason = fields.text("close_reason");
    const until = fields.time("defer_until");
    const isPutOff = until !== undefined && until > now;
    const isPinned = fields.take("pinned") === true && status === "open";
    const links = linksOfBead(fields);
    const priority = fields.take("priority");
    const isRanked = typeof priority === "number" && priority >= 0 && priority <= 3;
    if (priority !== undefined && !isRanked) fields.leave(`priority ${priority}`, "priority");
    const labels = [
      ...typeLabel(fields.text("issue_type"), types),
      ...isRanked ? [`priority:p${priority}`] : [],
      ...isPutOff ? [notBeforeLabel(until)] : [],
      ...fields.texts("labels"),
    ];
    fields.take("_type");
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
      status: statuses.columnOf(
        isPinned ? "pinned" : isPutOff && status === "deferred" ? "deferred until a day" : status,
      ),
      labels: fittingLabels(labels, fields, types),
      assignee: fields.text("assignee") || null,
      ...links,
      comments: [
        ...fields.objects("comments").flatMap(({ author, text, created_at }) =>
          importedComments(author, text, created_at)
        ),
        ...reason === "Closed" ? [] : importedComments(UNKNOWN, reason, closed),
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

/** Types of beads dependencies that make an issue wait. */
const BLOCKING = ["blocks", "conditional-blocks", "waits-for"];

function linksOfBead(fields: Fields): Pick<ImportedIssue, "parent" | "blockedBy" | "blocks"> {
  const of = (wanted: readonly unknown[]) =>
    dependencies.filter(({ type = "blocks" }) => wanted.includes(type))
      .flatMap(({ depends_on_id }) => stringOf(depends_on_id) ?? []);
  const dependencies = fields.objects("dependencies");
  for (const { type = "blocks" } of dependencies) {
    if (type !== "parent-child" && !BLOCKING.includes(String(type))) {
      fields.leave(`dependencies ${type}`);
    }
  }
  const [parent = null, ...others] = [fields.text("parent"), ...of(["parent-child"])].filter((id) =>
    id !== ""
  );
  for (const other of others) if (other !== parent) fields.leave("parents beyond the first");
  return { parent, blockedBy: of(BLOCKING), blocks: [] };
}

/** The output of `gh issue list --json`, `gh issue view --json` and `gh api`. */
export const github: IssueFormat = {
  name: "GitHub (gh)",
  fits: ({ number, title }) => typeof number === "number" && isText(title),
  read(fields, { types }) {
    if (isObject(fields.take("pull_request"))) return "pull requests";
    const number = Number(fields.take("number"));
    const repository = repositoryOf(fields.first("html_url", "url"));
    const state = fields.text("state").toUpperCase();
    const isClosed = fields.take("closed") === true || state === "CLOSED";
    const reason = fields.first("stateReason", "state_reason").toLowerCase().replace("_", " ");
    const closed = fields.time("closedAt") ?? fields.time("closed_at");
    const [assignee, ...others] = fields.objects("assignees").flatMap((user) =>
      loginOf(user) ?? []
    );
    for (const _ of others) fields.leave("assignees beyond the first");
    const milestone = objectOf(fields.take("milestone"));
    const names = listOf(fields.take("labels")).flatMap((label) =>
      (isObject(label) ? stringOf(label.name) : stringOf(label)) ?? []
    );
    const type = stringOf(objectOf(fields.take("issueType") ?? fields.take("type")).name) ?? "";
    const { labels, ...links } = linksAmong(names);
    const waitsFor = issuesOf(fields.take("blockedBy")).map((each) => refOf(each, repository));
    const [parent = null] = issuesOf([fields.take("parent")]).map((each) =>
      refOf(each, repository)
    );
    const isElsewhere = (ref: string) => !ref.startsWith("#");
    if (parent !== null && isElsewhere(parent)) fields.leave(`parent ${parent}`, "parent");
    return {
      keys: [`github:${repository}#${number}`],
      ids: [`#${number}`],
      number,
      title: fields.text("title"),
      body: fields.text("body"),
      status: isClosed ? DONE : fields.text("column", ISSUE_STATUSES[0]),
      labels: fittingLabels(
        [
          ...typeLabel(type.toLowerCase(), types),
          ...waitsFor.filter(isElsewhere).map((ref) => `blocked_by:${ref}`),
          ...labels,
        ],
        fields,
        types,
      ),
      blockedBy: [...links.blockedBy, ...waitsFor.filter((ref) => !isElsewhere(ref))],
      blocks: links.blocks,
      assignee: assignee ?? null,
      parent: parent !== null && isElsewhere(parent) ? null : parent,
      comments: [
        ...fields.objects("comments").flatMap(({ author, body, createdAt, key }) =>
          importedComments(loginOf(author), body, createdAt).map((comment) =>
            typeof key === "string" ? { ...comment, id: key } : comment
          )
        ),
        ...isClosed && !["", "completed"].includes(reason)
          ? importedComments(UNKNOWN, `Closed as ${reason}`, closed)
          : [],
      ],
      due: stringOf(milestone.dueOn ?? milestone.due_on)?.slice(0, "2026-12-24".length) ?? null,
      milestone: stringOf(milestone.title) ?? null,
      author: loginOf(fields.take("author")) ?? loginOf(fields.take("user")) ?? UNKNOWN,
      created: fields.time("createdAt") ?? fields.time("created_at"),
      updated: fields.time("updatedAt") ?? fields.time("updated_at"),
      closed,
    };
  },
};

/** Returns the login of a user, with `@` before `human` and `hub`, because these names are reserved. */
function loginOf(user: unknown): string | undefined {
  const login = stringOf(objectOf(user).login);
  return login === HUMAN || login === HUB ? `@${login}` : login;
}

/** Returns `owner/name` from the URL of an issue; empty if the URL is not one. */
function repositoryOf(url: unknown): string {
  const [, repository = ""] =
    /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/issues\/\d+$/.exec(stringOf(url) ?? "") ?? [];
  return repository;
}

/** Returns the issues in a list, or in `{ nodes }`. */
function issuesOf(value: unknown): JsonObject[] {
  return listOf(objectOf(value).nodes ?? value).map(objectOf)
    .filter(({ number }) => typeof number === "number");
}

/** Returns `#12`, or `owner/name#12` for an issue of another repository. */
function refOf({ number, url, repository }: JsonObject, here: string): string {
  const there = repositoryOf(url) || (stringOf(objectOf(repository).nameWithOwner) ?? "");
  return there === "" || there === here ? `#${number}` : `${there}#${number}`;
}

/** The formats in the order of detection. The agentx format is first because its records also fit the others. */
export const JSON_FORMATS: readonly IssueFormat[] = [own, beads, github];

/** Splits names into labels and links. Labels such as `blocked_by:#12` use the issue numbers of the tracker. */
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

/** Converts each line of a text to an item of a task list. */
function asTasks(text: string): string {
  return text.split(/\r?\n/).map((line) =>
    line.trim() === "" || /^\s*[-*+]\s+\[[ xX~-]\]/.test(line)
      ? line
      : line.replace(/^(\s*)(?:[-*+]\s+|\d{1,9}[.)]\s+)?/, "$1- [ ] ")
  ).join("\n");
}
