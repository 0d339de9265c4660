// Reads tasks of task-master: `tasks.json`, with a list for each tag, and subtasks inside their task. Pure.

import { isObject, type JsonObject, listOf, objectOf } from "../../../base/checks.ts";
import { DONE } from "../issue.ts";
import type { IssueFormat } from "./json_formats.ts";
import { bodyOf, fittingLabels, rankLabel, UNKNOWN } from "./record.ts";

/** The tag for a file with one list, as earlier versions of task-master wrote it. */
const ONLY_TAG = "master";

/** Returns one record per task and subtask of a file; undefined if the file has another format. */
export function tasksIn(file: unknown): JsonObject[] | undefined {
  if (!isObject(file)) return undefined;
  const lists = [[ONLY_TAG, file] as const, ...Object.entries(file)]
    .filter(([, tag]) => Array.isArray(objectOf(tag).tasks));
  if (lists.length === 0) return undefined;
  return lists.flatMap(([tag, value]) =>
    listOf(objectOf(value).tasks).map(objectOf).flatMap((task) => recordsOf(task, tag))
  );
}

/** Returns a task, then its subtasks. Ids may be numbers or texts; `parentId` is redundant. */
function recordsOf({ subtasks, parentId: _p, ...task }: JsonObject, tag: string): JsonObject[] {
  const id = String(task.id);
  const parts = listOf(subtasks).map(objectOf);
  const ids = new Set(parts.map((part) => String(part.id)));
  const named = (value: unknown) => ids.has(String(value)) ? `${id}.${value}` : String(value);
  const given = (value: unknown) => listOf(value).filter((each) => each !== null);
  const own = { ...task, tag, id, dependencies: given(task.dependencies).map(String) };
  return [
    own,
    ...parts.map(({ parentId: _, ...part }) => ({
      ...part,
      tag,
      id: `${id}.${part.id}`,
      parent: id,
      dependencies: given(part.dependencies).map(named),
    })),
  ];
}

/** <https://github.com/eyaltoledano/claude-task-master>: `.taskmaster/tasks/tasks.json`. */
export const taskMaster: IssueFormat = {
  name: "task-master",
  fits: ({ tag, title }) => typeof tag === "string" && typeof title === "string",
  read(fields, { types, statuses }) {
    const tag = fields.text("tag");
    const id = fields.text("id");
    const full = (id: string) => `${tag}/${id}`;
    const parent = fields.text("parent");
    const priority = fields.text("priority");
    const rank = rankLabel(priority);
    if (priority !== "" && rank === undefined) fields.leave(`priority ${priority}`, "priority");
    const status = statuses.columnOf(fields.text("status"));
    const updated = fields.time("updatedAt");
    const labels = [
      ...rank === undefined ? [] : [rank],
      ...tag === ONLY_TAG ? [] : [tag],
      ...fields.texts("labels"),
    ];
    return {
      keys: [`task-master:${full(id)}`],
      ids: [full(id)],
      number: null,
      title: fields.text("title"),
      body: bodyOf(fields.text("description"), [
        ["Details", fields.text("details")],
        ["Test strategy", fields.text("testStrategy")],
      ]),
      status,
      labels: fittingLabels(labels, fields, types),
      assignee: fields.text("assignee") || null,
      parent: parent === "" ? null : full(parent),
      blockedBy: fields.texts("dependencies").map(full),
      blocks: [],
      comments: [],
      due: null,
      milestone: null,
      author: UNKNOWN,
      created: undefined,
      updated,
      closed: status === DONE ? updated : undefined,
    };
  },
};
