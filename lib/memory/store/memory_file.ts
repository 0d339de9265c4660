/**
 * The JSON files of memory as text: readable with `cat` and `jq`, and one observation per line, so
 * that a version control system shows what came and what went (SPEC-AgentX section 4.2); the archive is
 * packed.
 *
 * Keys that are not ours come back as they were. A file that a merge put together is read line by
 * line (`line_json.ts`): what both branches observed is there, each observation once.
 *
 * @module
 */

import { isListOfTexts, isObject } from "../../checks.ts";
import { AgentxError } from "../../errors.ts";
import { encodeLines, hasRepeatedKey, mergeLines, readMergedLines } from "../../line_json.ts";
import { sys } from "../../sys/mod.ts";
import { encodeJson } from "../../text/text.ts";
import { isObservation, isObservationIndex } from "../is_observation.ts";
import { isJoined, type Joined } from "../joined.ts";
import { byTime, type Observation, type ObservationIndex } from "../schema.ts";

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
  /** The sealed parts that come before: `issue-{n}.{part}.json`. Absent while there are none. */
  parts?: number[];
  /** Fingerprints of observations that somebody had removed: they are not captured again. */
  forgotten?: string[];
  /** In an archive: the observations that stand for those in it, which has them whole. */
  replacedBy?: string[];
  /** In an archive: those that stand for what was joined in them, and what they do not say of it. */
  joined?: Joined[];
  /** In an archive: in which order those of one time were, which a summary does not say. */
  order?: string[];
}

/** What is packed; where it has nothing but observations, it is the list of them. */
interface PackedContent {
  observations: Observation[];
  joined: Joined[];
  order: string[];
}

/** An issue file as it was read. */
export interface ParsedIssueFile {
  file: IssueFile;
  /** Whether it is not as we write it: a merge has left marks, lines twice, or another order. */
  needsRewrite: boolean;
  /** Whether it contains the marks of an unresolved conflict. */
  hasConflict: boolean;
}

/** `manifest.json`. */
export interface ManifestFile extends VersionedFile {
  /** How many observations there are in all; absent in files of the original AgentX. */
  total?: number;
  entries: ObservationIndex[];
}

/** A file cannot be read: readers go on without it, and it is left as it is. */
export class UnreadableFile extends AgentxError<"CORRUPT_STATE"> {
  constructor(
    path: string,
    why: string,
    { cause, next = MEND_IT }: { cause?: unknown; next?: string } = {},
  ) {
    const details = { path, line: null };
    super("CORRUPT_STATE", `Cannot read "${path}": ${why}`, { details, next, cause });
  }
}

/** A file was read around the marks of a conflict, and is not written before they are gone. */
export function conflictIn(path: string): UnreadableFile {
  const why = "it has conflict markers, and was read around them";
  const next = "Keep what both sides observed with: agentx doctor --fix";
  return new UnreadableFile(path, why, { next });
}

const MEND_IT = "The file was left as it is; fix it, or move it aside to go on without it";

/** Each element of the list gets a line of its own. */
export function encodeMemoryFile(
  file: IssueFile | ManifestFile,
  list: "observations" | "entries",
): string {
  const { [list]: elements, ...header } = file;
  return encodeLines({ ...header, [list]: elements }, [list]);
}

/**
 * A file of the archive, which is read to undo a compaction: packed, it takes a third of the room. Two
 * branches that both archived leave a line each, and both are read.
 */
export function encodePacked(
  { observations, joined = [], order = [], ...header }: IssueFile,
): string {
  const isPlain = joined.length + order.length === 0;
  const content = isPlain ? observations : { observations, joined, order };
  const isEmpty = observations.length + joined.length === 0;
  const packed = isEmpty ? [] : [sys.packText(encodeJson(content))];
  return encodeLines({ ...header, observations: [], packed }, ["packed"]);
}

/** Refuses a file that is damaged (`UnreadableFile`), newer, or somebody else's. */
export function parseIssueFile(text: string, path: string, issueNumber: number): ParsedIssueFile {
  const { value, isMerged, hasConflict } = parseMerged(text, path, "observations");
  const packedFile = checkVersion(value, path, "observations") as IssueFile | undefined;
  const file = packedFile && unpacked(packedFile, path);
  if (file === undefined) {
    throw new AgentxError("CORRUPT_STATE", `Cannot read "${path}": it is not a file of memory`, {
      details: { path, line: null },
      next: "Nothing was changed; move it away if something else put it there",
    });
  }
  if (file.issueNumber !== issueNumber) {
    throw new UnreadableFile(path, `issueNumber must be ${issueNumber}, as in the file's name`);
  }
  const wrong = file.observations.findIndex((each) => !isObservation(each, issueNumber));
  if (wrong >= 0) throw new UnreadableFile(path, `observations[${wrong}] is not an observation`);
  const { parts = [], forgotten = [], replacedBy = [] } = file;
  if (!isListOf(parts, (part) => Number.isSafeInteger(part) && Number(part) >= 1)) {
    throw new UnreadableFile(path, "parts is not a list of numbers");
  }
  for (const [key, list] of Object.entries({ forgotten, replacedBy })) {
    if (isListOfTexts(list)) continue;
    throw new UnreadableFile(path, `${key} is not a list of strings`);
  }
  return { file, needsRewrite: isMerged || !isInOrder(file.observations), hasConflict };
}

/**
 * Each observation once, in the order of its first appearance; of two that differ, the one that was
 * retracted.
 */
export function uniteObservations(observations: readonly Observation[]): Observation[] {
  const byId = new Map<string, Observation>();
  for (const each of observations) {
    const known = byId.get(each.id);
    if (known === undefined || isPreferred(each, known)) byId.set(each.id, each);
  }
  return [...byId.values()];
}

/** The choice between two does not depend on their order. */
function isPreferred(a: Observation, b: Observation): boolean {
  const [isRetractedA, isRetractedB] = [a, b].map(({ retracted }) => retracted !== undefined);
  if (isRetractedA !== isRetractedB) return isRetractedA;
  return JSON.stringify(a) > JSON.stringify(b);
}

/** By time, and none twice. */
function isInOrder(observations: readonly Observation[]): boolean {
  return new Set(observations.map(({ id }) => id)).size === observations.length &&
    observations.every((each, index) => index === 0 || byTime(observations[index - 1], each) <= 0);
}

/** Refuses what is newer, and as unreadable what is damaged or something else: it can be rebuilt. */
export function parseManifest(text: string, path: string): ManifestFile {
  const file = checkVersion(parseJson(text, path), path, "entries") as ManifestFile | undefined;
  if (file === undefined) throw new UnreadableFile(path, "it is not a manifest of memory");
  if (!file.entries.every(isObservationIndex)) {
    throw new UnreadableFile(path, "an entry is not an observation");
  }
  return file;
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
    const value = parseJson(unpacked, path);
    const content = Array.isArray(value) ? { observations: value, joined: [], order: [] } : value;
    if (isPackedContent(content)) return content;
    throw new UnreadableFile(path, `packed[${index}] is in a form that this agentx does not know`);
  });
  const joined = contents.flatMap(({ joined }) => joined);
  const order = contents.flatMap(({ order }) => order);
  const observations = [...file.observations, ...contents.flatMap((each) => each.observations)];
  return { ...rest, observations, joined, order } as IssueFile;
}

/** Whatever else is there, a newer version put there: it would be lost when it is written again. */
function isPackedContent(value: unknown): value is PackedContent {
  if (!isObject(value) || Object.keys(value).length !== 3) return false;
  const { observations, joined, order } = value;
  return Array.isArray(observations) && isListOf(joined, isJoined) &&
    isListOfTexts(order);
}

function isListOf(value: unknown, isElement: (element: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isElement);
}

function parseMerged(text: string, path: string, list: string) {
  let value: unknown;
  let failure: unknown;
  try {
    value = parseJson(text, path);
    if (!isObject(value) || !hasRepeatedKey(text, value)) {
      return { value, isMerged: false, hasConflict: false };
    }
  } catch (error) {
    failure = error;
  }
  const merged = readMergedLines(
    text,
    (element, last) => typeof element === "string" ? last : list,
  );
  if (merged !== undefined) {
    const { hasConflict } = merged;
    return { value: { [list]: [], ...mergeLines(merged) }, isMerged: true, hasConflict };
  }
  if (failure !== undefined) throw failure;
  return { value, isMerged: false, hasConflict: false };
}

function parseJson(text: string, path: string): unknown {
  try {
    // Some editors put a byte order mark there.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadableFile(path, why, { cause: error });
  }
}

/** Undefined where it is somebody else's. */
function checkVersion(value: unknown, path: string, list: string): VersionedFile | undefined {
  if (!isObject(value)) throw new UnreadableFile(path, "it is not a JSON object");
  const { version, [list]: elements } = value;
  if (typeof version === "number" && version > 1) {
    const why = `a newer agentx wrote it (version ${version})`;
    throw new AgentxError("NEWER_STATE", `Cannot read "${path}": ${why}`, {
      details: { path, version },
      next: "Update agentx; nothing was changed",
    });
  }
  if (version === 1 && Array.isArray(elements)) return value as unknown as VersionedFile;
  if (version === 1 || Object.keys(value).length === 0) {
    throw new UnreadableFile(path, `it has no list of ${list}`);
  }
  return undefined;
}
