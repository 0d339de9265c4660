// The JSON files of memory as text: readable with `cat` and `jq`, and one observation per line, so
// that a version control system shows what came and what went (SPEC-AgentX section 4.2). An
// archive may be packed, as eddb0df had it.
//
// Keys that are not ours come back as they were. A file that a merge put together is read line by
// line: what both branches observed is there, each observation once.

import { checkVersion } from "../../base/input_checks.ts";
import { isListOfTexts, isObject, objectOf, parseJson, tryParseJson } from "../../base/checks.ts";
import { AgentxError } from "../../base/errors.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { isObservation, type Observation } from "../schema.ts";

/** A file of version 1, of which only some keys are ours. */
interface VersionedFile {
  version: 1;
  /** ISO-8601, UTC. */
  updatedAt: string;
  [key: string]: unknown;
}

/** `issue-{n}.json`, a sealed part of it, or its archive. */
export interface IssueFile extends VersionedFile {
  issueNumber: number;
  observations: Observation[];
  /** Fingerprints of observations that somebody had removed: they are not captured again. */
  forgotten?: string[];
}

/** An issue file as it was read. */
export interface ParsedIssueFile {
  file: IssueFile;
  /** Whether it has conflict markers, which were skipped. */
  conflict?: AgentxError<"CORRUPT_STATE">;
}

/** A file that cannot be read: readers skip it, and nothing changes it. */
class UnreadableFile extends AgentxError<"CORRUPT_STATE"> {
  constructor(
    path: string,
    why: string,
    { cause, next = MEND_IT }: { cause?: unknown; next?: string } = {},
  ) {
    const details = { path, line: null };
    super("CORRUPT_STATE", `Cannot read "${path}": ${why}`, { details, next, cause });
  }
}

const MEND_IT = "The file was not changed; fix it, or move it away to continue without it";

/** Each element of the list gets a line of its own. */
export function encodeIssueFile({ observations, ...header }: IssueFile): string {
  return encodeLines({ ...header, observations }, ["observations"]);
}

/** Refuses a file that is damaged (`UnreadableFile`), newer, or somebody else's. */
export function parseIssueFile(text: string, path: string, issueNumber: number): ParsedIssueFile {
  const { value, hasConflict } = parseMerged(text, path);
  const packedFile = versionedFile(value, path) as IssueFile | undefined;
  const file = packedFile && unpacked(packedFile, path);
  if (file === undefined) {
    throw new AgentxError("CORRUPT_STATE", `Cannot read "${path}": it is not a file of memory`, {
      details: { path, line: null },
      next: "Nothing was changed; move it away if something else put it there",
    });
  }
  if (file.issueNumber !== issueNumber) {
    throw new UnreadableFile(path, `issueNumber must be ${issueNumber}, as in its file name`);
  }
  const wrong = file.observations.findIndex((each) => !isObservation(each, issueNumber));
  if (wrong >= 0) throw new UnreadableFile(path, `observations[${wrong}] is not an observation`);
  if (!isListOfTexts(file.forgotten ?? [])) {
    throw new UnreadableFile(path, "forgotten is not a list of strings");
  }
  if (!hasConflict) return { file };
  const why = "it has conflict markers, which were skipped";
  const next = "Remove the markers and keep both sides";
  return { file, conflict: new UnreadableFile(path, why, { next }) };
}

/** Refuses a manifest that a newer program wrote; one that is damaged or somebody else's says nothing. */
export function refuseNewer(text: string, path: string, newest: number): void {
  checkVersion(tryParseJson(text.replace(BYTE_ORDER_MARK, "")), path, newest);
}

/** The file with what is packed in it among its observations. */
function unpacked(file: IssueFile, path: string): IssueFile {
  const { packed = [], ...rest } = file;
  if (!isListOfTexts(packed)) {
    throw new UnreadableFile(path, "packed is not a list of strings");
  }
  if (packed.length === 0) return rest as IssueFile;
  const contents = packed.map((text, index) => {
    const unpacked = sys.unpackText(text);
    if (unpacked === undefined) throw new UnreadableFile(path, `packed[${index}] is damaged`);
    // What else is there, an undo of eddb0df read.
    const value = jsonOf(unpacked, path);
    const observations = Array.isArray(value) ? value : objectOf(value).observations;
    if (Array.isArray(observations)) return observations;
    throw new UnreadableFile(
      path,
      `packed[${index}] has a form that this version of agentx does not know`,
    );
  });
  return { ...rest, observations: [...file.observations, ...contents.flat()] } as IssueFile;
}

function parseMerged(text: string, path: string): { value: unknown; hasConflict: boolean } {
  let value: unknown;
  let failure: unknown;
  try {
    value = jsonOf(text, path);
    if (!isObject(value) || !hasRepeatedKey(text, value)) return { value, hasConflict: false };
  } catch (error) {
    failure = error;
  }
  const merged = readMergedLines(
    text,
    (element, last) => typeof element === "string" ? last : "observations",
  );
  if (merged !== undefined) {
    const { hasConflict } = merged;
    return { value: { observations: [], ...mergeLines(merged) }, hasConflict };
  }
  if (failure !== undefined) throw failure;
  return { value, hasConflict: false };
}

/** Some editors put it there. */
const BYTE_ORDER_MARK = /^\ufeff/;

function jsonOf(text: string, path: string): unknown {
  try {
    return parseJson(text.replace(BYTE_ORDER_MARK, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadableFile(path, why, { cause: error });
  }
}

/** Undefined if it is not a file of agentx. */
function versionedFile(value: unknown, path: string): VersionedFile | undefined {
  if (!isObject(value)) throw new UnreadableFile(path, "it is not a JSON object");
  const { version, observations } = value;
  checkVersion(value, path, 1);
  if (version === 1 && Array.isArray(observations)) return value as unknown as VersionedFile;
  if (version === 1 || Object.keys(value).length === 0) {
    throw new UnreadableFile(path, "it has no list of observations");
  }
  return undefined;
}

/** What the lines of a file say. */
export interface MergedLines {
  /** Each key with the values that stand for it, in the order of their lines. */
  values: Map<string, unknown[]>;
  /** The elements of each list, in the order of their lines. */
  lists: Map<string, unknown[]>;
  /** Whether it contains unresolved conflict markers. */
  hasConflict: boolean;
}

/** Conflict markers. */
const MARK = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** In three-way conflicts, the common ancestor. */
const BASE_BEGINS = /^\|{7}/;
const BASE_ENDS = /^={7}/;

/** A key of the file itself, in the form in which we write it. */
const KEY = /^ {2}"/gm;

/** Brackets on their own. */
const STRUCTURE = /^[[\]{}]{0,2},?$/;

/** The beginning of a list whose elements follow, or a list that has none. */
const LIST = /^"([^"\\]+)": \[(?:\],?)?$/;

/**
 * Encodes a file with each key and each element of some lists on a line of its own.
 *
 * @param file what to write; keys that are undefined are left out
 */
function encodeLines(
  file: object,
  lists: readonly string[],
): string {
  const keys = Object.entries(file).filter(([, value]) => value !== undefined);
  const pair = ([key, value]: [string, unknown]) => `${encodeJson(key)}: ${encodeJson(value)}`;
  const lines = keys.flatMap(([key, value]) => {
    if (!lists.includes(key) || !Array.isArray(value) || value.length === 0) {
      return `  ${pair([key, value])}`;
    }
    const elements = value.map((element) => `    ${encodeJson(element)}`);
    return `  ${encodeJson(key)}: [\n${elements.join(",\n")}\n  ]`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Tells whether a file that parses may still be the work of a merge: a key stands there twice. */
function hasRepeatedKey(text: string, file: object): boolean {
  return (text.match(KEY)?.length ?? 0) > Object.keys(file).length;
}

/**
 * Reads what {@linkcode encodeLines} wrote, in whatever order and with whatever commas.
 *
 * @param listOf the list that an element belongs to, which need not be the one that began last: a
 *   merge may put the lines of one branch behind those of the other
 * @returns what its lines say; undefined if one of them cannot be read, or the end is missing
 */
function readMergedLines(
  text: string,
  listOf: (element: unknown, lastList: string) => string,
): MergedLines | undefined {
  if (!/\n\}\s*$/.test(text)) return undefined;
  const merged: MergedLines = { values: new Map(), lists: new Map(), hasConflict: false };
  let list = "";
  let isBase = false;
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (MARK.test(line)) {
      merged.hasConflict = true;
      isBase = BASE_BEGINS.test(line) || isBase && !BASE_ENDS.test(line);
      continue;
    }
    if (isBase || STRUCTURE.test(line)) continue;
    const [, begun] = LIST.exec(line) ?? [];
    if (begun !== undefined) {
      list = begun;
      push(merged.lists, list);
      continue;
    }
    const bare = line.replace(/,$/, "");
    const element = tryParseJson(bare);
    if (element !== undefined) {
      push(merged.lists, listOf(element, list), element);
      continue;
    }
    const header = tryParseJson(`{${bare}}`);
    if (!isObject(header)) return undefined;
    for (const [key, value] of Object.entries(header)) push(merged.values, key, value);
  }
  return merged;
}

/**
 * Makes one value of all that stand for the same key, whichever branch comes first: lists are
 * united; of everything else the greatest counts, which of times is the latest.
 */
function mergeLines({ values, lists }: MergedLines): Record<string, unknown> {
  const merged = Array.from(values, ([key, all]) => {
    const elements = lists.get(key);
    if (elements === undefined) return [key, mergeValues(all)];
    return [key, unite([...elements, ...all.flat()])];
  });
  const rest = Array.from(lists).filter(([key]) => !values.has(key));
  return Object.fromEntries([...merged, ...rest.map(([key, all]) => [key, unite(all)])]);
}

function mergeValues(values: readonly unknown[]): unknown {
  if (values.length === 1) return values[0];
  if (values.every((value) => Array.isArray(value))) return unite(values.flat());
  return values.toSorted(compare).at(-1);
}

/** Each value once, in an order that does not depend on that of the lines. */
function unite(values: readonly unknown[]): unknown[] {
  const united = new Map(values.map((each) => [JSON.stringify(each), each]));
  return [...united.values()].sort(compare);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

function push(map: Map<string, unknown[]>, key: string, ...values: unknown[]): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, values);
  else list.push(...values);
}
