// Reads what other tools exported: a file of JSON or of JSON lines, or a folder of Backlog.md. What it is
// follows from its content. A record that cannot be read does not hide the others.

import { isObject, type JsonObject, tryParseJson } from "../../../base/checks.ts";
import { AgentxError } from "../../../base/errors.ts";
import { sys } from "../../../sys/mod.ts";
import { fieldsOf, readTask } from "./backlog.ts";
import { JSON_FORMATS } from "./json_formats.ts";
import { type FieldCounts, Fields, type ImportedIssue } from "./record.ts";

/** What was exported. */
export interface Export {
  /** Which tool wrote it. */
  format: string;
  /** How many records it has, those included that cannot be read. */
  records: number;
  /** Those that are issues. */
  issues: ImportedIssue[];
  /** How many were deleted there, or put into an archive. */
  deleted: number;
  /** What became of the fields of the issues. */
  fields: FieldCounts;
  /** What could not be read, and where. */
  problems: ImportProblem[];
}

/** A record that was not imported. */
export interface ImportProblem {
  /** Such as `issues.jsonl:12`. */
  at: string;
  /** Without a final period. */
  why: string;
}

/** The folders of Backlog.md that hold work; its archive holds what was given up. */
const TASK_FOLDERS = ["tasks", "drafts", "completed"];
const MAX_TASK_BYTES = 1_048_576;

/**
 * Reads the issues in an export; `file` is its name in messages.
 *
 * @throws {AgentxError} `INVALID_INPUT` if no known tool wrote it
 */
export function readExport(text: string, file: string, types: readonly string[]): Export {
  const whole = tryParseJson(text);
  const listed = isObject(whole) && Array.isArray(whole.issues) ? whole.issues : whole;
  const records: Array<[at: string, value: unknown]> = Array.isArray(listed)
    ? listed.map((value, index) => [`${file}, issue ${index + 1}`, value])
    : text.replace(/^\uFEFF/, "").split("\n").flatMap((line, index) =>
      line.trim() === "" ? [] : [[`${file}:${index + 1}`, tryParseJson(line)]]
    );
  const objects = records.map(([, value]) => value).filter(isObject);
  const format = JSON_FORMATS.find(({ fits }) => objects.some(fits));
  if (format === undefined) throw unknownFormat(file);
  const result = emptyExport(format.name, records.length);
  for (const [at, value] of records) {
    if (!isObject(value)) result.problems.push({ at, why: "it is not a JSON object" });
    else if (!format.fits(value)) {
      result.problems.push({ at, why: `it is not an issue of ${format.name}` });
    } else add(result, at, value, (fields) => format.read(fields, types));
  }
  return result;
}

/**
 * Reads the issues in a `backlog` folder, or in one that holds it.
 *
 * @throws {AgentxError} `INVALID_INPUT` if there are no tasks
 */
export async function readBacklog(
  folder: string,
  name: string,
  types: readonly string[],
): Promise<Export> {
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
  for (const file of filesIn(`${base}/milestones`)) {
    const { id, title } = await read(`milestones/${file}`) ?? {};
    milestones.set(String(id).toLowerCase(), String(title));
  }
  for (const part of TASK_FOLDERS) {
    const place = { isCompleted: part === "completed", milestones };
    for (const file of filesIn(`${base}/${part}`)) {
      const at = `${part}/${file}`;
      result.records++;
      const value = await read(at);
      if (value !== undefined) add(result, at, value, (fields) => readTask(fields, place, types));
    }
  }
  result.deleted = filesIn(`${base}/archive/tasks`).length;
  return result;
}

function emptyExport(format: string, records: number): Export {
  const fields = { taken: {}, left: {} };
  return { format, records, issues: [], deleted: 0, fields, problems: [] };
}

function add(
  result: Export,
  at: string,
  value: JsonObject,
  read: (fields: Fields) => Omit<ImportedIssue, "at"> | undefined,
): void {
  const fields = new Fields(value);
  const issue = read(fields);
  if (issue === undefined) result.deleted++;
  else {
    result.issues.push({ at, ...issue });
    fields.count(result.fields);
  }
}

function filesIn(folder: string): string[] {
  return sys.readDir(folder).filter((name) => /\.md$/.test(name) && !/^readme\.md$/i.test(name))
    .sort();
}

function unknownFormat(name: string): AgentxError<"INVALID_INPUT"> {
  const why = "it is not an export of agentx, beads, Backlog.md or gh";
  return new AgentxError("INVALID_INPUT", `Cannot import "${name}": ${why}`, {
    details: { field: "FILE", value: name },
    next: "Give what `agentx issue export`, `.beads/issues.jsonl`, a backlog/ folder or " +
      "`gh issue list --state all --json number,title,body,...` holds",
  });
}
