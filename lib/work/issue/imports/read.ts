// Reads the export of another tool: a JSON file, a JSON Lines file, or a Backlog.md folder. The content shows which
// tool wrote it. A record that cannot be read does not hide the others.

import { isObject, isText, type JsonObject, tryParseJson } from "../../../base/checks.ts";
import { AgentxError } from "../../../base/errors.ts";
import { sys } from "../../../sys/mod.ts";
import { fieldsOf, readTask } from "./backlog.ts";
import { github, JSON_FORMATS } from "./json_formats.ts";
import { type FieldCounts, Fields, type Here, type ImportedIssue } from "./record.ts";
import { Statuses, type StatusUse } from "./statuses.ts";
import { taskMaster, tasksIn } from "./task_master.ts";

/** The content of an export. */
export interface Export {
  /** Name of the tool that wrote it. */
  format: string;
  /** Number of records, including unreadable ones. */
  records: number;
  /** The records that are issues. */
  issues: ImportedIssue[];
  /** The records to store in memory. */
  memories: ImportedMemory[];
  /** Number of skipped records by kind, such as `pull requests`. */
  skipped: Record<string, number>;
  /** Which fields of the issues were imported or dropped. */
  fields: FieldCounts;
  /** The statuses that occurred, each with its column. */
  statuses: StatusUse[];
  /** The unreadable records, each with its place. */
  problems: ImportProblem[];
}

/** A note to remember that a tracker stores among its issues. */
export interface ImportedMemory {
  /** Such as `issues.jsonl:12`. */
  at: string;
  /** Name of the note in the tracker. */
  key: string;
  text: string;
}

/** A record that was not imported. */
export interface ImportProblem {
  /** Such as `issues.jsonl:12`. */
  at: string;
  /** The reason, without a final period. */
  why: string;
}

/** The Backlog.md folders that hold work. Its archive holds abandoned tasks and is not read. */
const TASK_FOLDERS = ["tasks", "drafts", "completed"];
const MAX_TASK_BYTES = 1_048_576;

/** Options of the readers. */
export interface ReadOptions extends Omit<Here, "statuses"> {
  /** The columns that a person chose for statuses, by the tracker's names. */
  columns: Readonly<Record<string, string>>;
}

/** A record, and its place in the export. */
type Found = [at: string, value: unknown];

/**
 * Reads the issues of an export; `file` is its name in messages.
 *
 * @throws {AgentxError} `INVALID_INPUT` if the format is unknown
 */
export function readExport(
  text: string,
  file: string,
  { columns, ...options }: ReadOptions,
): Export {
  const here = { ...options, statuses: new Statuses(columns) };
  const plain = text.replace(/^\uFEFF/, "");
  const tasks = tasksIn(tryParseJson(plain));
  const records: Found[] = tasks === undefined
    ? recordsIn(plain, file)
    : tasks.map((task) => [`${file}, task ${task.id}`, task]);
  const objects = records.map(([, value]) => value).filter(isObject);
  const format = tasks === undefined
    ? JSON_FORMATS.find(({ fits }) => objects.some(fits))
    : taskMaster;
  if (format === undefined) throw unknownFormat(file);
  const result = emptyExport(format.name, records.length);
  for (const [at, value] of records) {
    if (!isObject(value)) result.problems.push({ at, why: "it is not a JSON object" });
    else if (value._type === "memory") remember(result, at, value);
    else if (!format.fits(value)) {
      result.problems.push({ at, why: `it is not an issue of ${format.name}` });
    } else add(result, at, value, (fields) => format.read(fields, here));
  }
  result.statuses = here.statuses.used();
  return result;
}

/** Reads issues in the form of `gh`; `at` is the name of each in messages. */
export function readGitHubIssues(
  records: ReadonlyArray<[at: string, issue: JsonObject]>,
  { columns, ...options }: ReadOptions,
): Pick<Export, "issues" | "skipped"> {
  const here = { ...options, statuses: new Statuses(columns) };
  const result = emptyExport(github.name, records.length);
  for (const [at, value] of records) add(result, at, value, (fields) => github.read(fields, here));
  return result;
}

/** Returns the records of a JSON list, of JSON lines, or of concatenated documents, as `gh api --paginate` prints. */
function recordsIn(text: string, file: string): Found[] {
  const whole = tryParseJson(text);
  const listed = isObject(whole) && Array.isArray(whole.issues) ? whole.issues : whole;
  const numbered = (values: unknown[]): Found[] =>
    values.map((value, index) => [`${file}, issue ${index + 1}`, value]);
  if (Array.isArray(listed)) return numbered(listed.flat());
  const isPaged = /^\s*(?:\[|\{\s*\n)/.test(text);
  if (isPaged) return numbered(documentsIn(text).map(tryParseJson).flat());
  return text.split("\n").flatMap((line, index): Found[] => {
    if (line.trim() === "") return [];
    const value = tryParseJson(line);
    const at = `${file}:${index + 1}`;
    return Array.isArray(value) ? value.map((each): Found => [at, each]) : [[at, value]];
  });
}

/** Splits a text after each top-level object or list. */
function documentsIn(text: string): string[] {
  const documents: string[] = [];
  let [start, depth] = [0, 0];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (token.length > 1) continue;
    depth += "[{".includes(token) ? 1 : -1;
    if (depth > 0) continue;
    documents.push(text.slice(start, index + 1));
    start = index + 1;
    depth = 0;
  }
  return documents;
}

/**
 * Reads the issues of a `backlog` folder, or of a folder that contains one.
 *
 * @throws {AgentxError} `INVALID_INPUT` if there is no folder `tasks`
 */
export async function readBacklog(
  folder: string,
  name: string,
  { columns, ...options }: ReadOptions,
): Promise<Export> {
  const here = { ...options, statuses: new Statuses(columns) };
  const base = [folder, `${folder}/backlog`].find((each) =>
    sys.lstat(`${each}/tasks`) !== undefined
  );
  if (base === undefined) throw unknownFormat(name);
  const result = emptyExport("Backlog.md", 0);
  const read = async (at: string) => {
    try {
      return await fieldsOf(sys.readTextFile(`${base}/${at}`, MAX_TASK_BYTES) ?? "");
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      result.problems.push({ at, why: error.summary });
      return undefined;
    }
  };
  const milestones = new Map<string, string>();
  for (const at of filesBelow(base, "milestones")) {
    const { id, title } = await read(at) ?? {};
    milestones.set(String(id).toLowerCase(), String(title));
  }
  for (const part of TASK_FOLDERS) {
    for (const at of filesBelow(base, part)) {
      result.records++;
      const value = await read(at);
      if (value === undefined) continue;
      add(result, at, value, (fields) => readTask(fields, { part, milestones }, here));
    }
  }
  skip(result, "archived", filesBelow(base, "archive/tasks").length);
  result.statuses = here.statuses.used();
  return result;
}

function emptyExport(format: string, records: number): Export {
  const fields = { taken: {}, left: {}, byRecord: [] };
  return {
    format,
    records,
    fields,
    issues: [],
    memories: [],
    skipped: {},
    statuses: [],
    problems: [],
  };
}

function add(
  result: Export,
  at: string,
  value: JsonObject,
  read: (fields: Fields) => Omit<ImportedIssue, "at"> | string,
): void {
  const fields = new Fields(value);
  const issue = read(fields);
  if (typeof issue === "string") return skip(result, issue);
  result.issues.push({ at, ...issue });
  fields.count(at, result.fields);
}

function skip({ skipped }: Export, what: string, count = 1): void {
  if (count > 0) skipped[what] = (skipped[what] ?? 0) + count;
}

/** Stores a note of beads: `{ "_type": "memory", "key": ..., "value": ... }`. */
function remember(result: Export, at: string, { key, value }: JsonObject): void {
  if (isText(key) && isText(value)) result.memories.push({ at, key, text: value });
  else result.problems.push({ at, why: "it has no key and value to remember" });
}

/** Returns the Markdown files in a folder and its subfolders; links are not followed. */
function filesBelow(base: string, folder: string): string[] {
  return sys.readDir(`${base}/${folder}`).sort().flatMap((name) => {
    const at = `${folder}/${name}`;
    const { kind } = sys.lstat(`${base}/${at}`) ?? {};
    if (kind === "directory") return filesBelow(base, at);
    return kind === "file" && /\.md$/.test(name) && !/^readme\.md$/i.test(name) ? [at] : [];
  });
}

function unknownFormat(name: string): AgentxError<"INVALID_INPUT"> {
  const why = "it is not an export of agentx, beads, Backlog.md, task-master or gh";
  return new AgentxError("INVALID_INPUT", `Cannot import "${name}": ${why}`, {
    details: { field: "FILE", value: name },
    next: "Give what `agentx issue export`, `.beads/issues.jsonl`, a backlog/ folder, " +
      "`.taskmaster/tasks/tasks.json` or `gh issue list --state all --json number,title,body,...` holds",
  });
}
