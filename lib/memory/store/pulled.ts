/**
 * What came to some issue files since the index was made, as a pull brings it, read beside the index:
 * who looks right after it does not wait until it is taken in. The next writer does that, or who looks later.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { hashesOf, hiddenBy, type SourceVersion } from "../search/index_head.ts";
import { hash53 } from "../hash.ts";
import type { Observation } from "../schema.ts";
import type { IndexedPlace, IndexReader } from "../search/index_reader.ts";
import type { IndexView } from "../search/index_view.ts";
import { Segment } from "../search/segment.ts";
import { indexedDocument, SegmentBuilder } from "../search/segment_builder.ts";
import { differenceOf, issuesThatDiffer } from "./difference.ts";
import { issueOfFile } from "./file_versions.ts";
import { IssueFiles } from "./issue_files.ts";

/** Reading more each time takes longer than taking it in once: so many files, and so much of all they say. */
const MAX_FILES = 128;
const MAX_BYTES = 2_000_000;
/** What came longer ago, and nobody wrote since, would be read again and again. */
const MAX_AGE_MS = 60_000;
/** Characters that are new: finding the words in them takes far longer than comparing what is known. */
const MAX_NEW = 250_000;

/** The index, with what some issue files have and it has not. */
export interface Pulled {
  view: IndexView;
  /** What came: the last documents of the view, in their order. */
  added: readonly Observation[];
  /** Whether anything that was there is hidden now. */
  hides: boolean;
  /** What the files looked like before. */
  before: SourceVersion;
}

/**
 * Reads the index with what some issue files have and it has not. The journal must be empty.
 *
 * @param folder `.agentx/memory`
 * @param index its index
 * @param source what its files look like now
 * @returns undefined where that is too much, or came a while ago; where something went away, of which
 *   nothing may stay in the index; where a file is damaged, which has to be said; and where the index cannot
 *   be relied on
 * @throws {StaleIndex} where the index is damaged, or changes meanwhile
 */
export function readBeside(
  folder: string,
  index: IndexReader,
  source: SourceVersion,
): Pulled | undefined {
  const head = index.readHead();
  if (head === undefined || head.damaged || head.source.manifest !== source.manifest) {
    return undefined;
  }
  const [known, now] = [head.source, source].map(({ files }) => new Map(Object.entries(files)));
  const changed = issuesThatDiffer(known, now);
  const names = [...now.keys()].filter((name) => changed.has(issueOfFile(name)!));
  if (Math.max(changed.size, names.length) > MAX_FILES) return undefined;
  const infoOf = (name: string) => sys.lstat(`${folder}/${name}`);
  const isLate = (name: string) =>
    known.get(name) !== now.get(name) &&
    sys.now() - (infoOf(name)?.modifiedMs ?? 0) > MAX_AGE_MS;
  const bytes = sumOf(names.map((name) => infoOf(name)?.size ?? 0));
  if (names.some(isLate) || bytes > MAX_BYTES) return undefined;
  const files = new IssueFiles(folder);
  const documents = index.documentsOf(head, changed);
  const read = unknownIn(files, changed, documents) ?? readAll(files, changed, documents);
  if (read === undefined) return undefined;
  const before = index.observationsOf(head, read.known);
  const { added, removed, retracted } = differenceOf(before, read.observations);
  const isMuch = sumOf(added.map(({ content }) => content.length)) > MAX_NEW;
  if (isMuch || removed.length > 0) return undefined;
  const { superseded } = hiddenBy(added);
  const view = index.viewOf(head, {
    segments: added.length === 0 ? [] : [segmentOf(added)],
    gone: retracted.map(hash53),
    superseded,
  });
  const hides = retracted.length > 0 || superseded.length > 0;
  return { view, added, hides, before: head.source };
}

/** What is to be compared: observations of some issues, and those that the index has of them. */
interface Compared {
  observations: Observation[];
  known: readonly IndexedPlace[];
}

/** What stands in no line that is known; undefined where that does not tell all. */
function unknownIn(
  files: IssueFiles,
  issueNumbers: ReadonlySet<number>,
  documents: readonly IndexedPlace[],
): Compared | undefined {
  const lines = new Set(documents.map(({ line }) => line));
  const seen = new Set<number>();
  const isKnown = (line: number) => lines.has(line) && seen.add(line).has(line);
  const contents = Array.from(issueNumbers, (issueNumber) => files.read(issueNumber, isKnown));
  const observations = contents.flatMap(({ observations }) => observations);
  const ids = new Set(hashesOf(observations));
  const isRepeated = documents.some(({ line, idHash }) => seen.has(line) && ids.has(idHash));
  const isPartial = contents.some(({ failures, file }) => failures.length > 0 || file?.forgotten);
  if (isRepeated || isPartial) return undefined;
  return { observations, known: documents.filter(({ line }) => !seen.has(line)) };
}

/** All of it; undefined where a file is damaged. */
function readAll(
  files: IssueFiles,
  issueNumbers: ReadonlySet<number>,
  known: readonly IndexedPlace[],
): Compared | undefined {
  const contents = Array.from(issueNumbers, (issueNumber) => files.read(issueNumber));
  if (contents.some(({ failures }) => failures.length > 0)) return undefined;
  return { observations: contents.flatMap(({ observations }) => observations), known };
}

function segmentOf(observations: readonly Observation[]): Segment {
  const builder = new SegmentBuilder();
  const stems = new Map<string, string>();
  for (const each of observations) builder.add(indexedDocument(each, stems));
  return Segment.of(builder.build());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
