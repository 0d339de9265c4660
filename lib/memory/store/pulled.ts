/**
 * What came to some issue files since the index was made, as a pull brings it, read beside the index:
 * who looks right after it does not wait until it is taken in. The next writer does that, or who looks later.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import { hiddenBy, type SourceVersion } from "../search/index_head.ts";
import { hash53 } from "../hash.ts";
import type { Observation } from "../schema.ts";
import type { IndexReader } from "../search/index_reader.ts";
import type { IndexView } from "../search/index_view.ts";
import { Segment } from "../search/segment.ts";
import { indexedDocument, SegmentBuilder } from "../search/segment_builder.ts";
import { differenceOf, issuesThatDiffer } from "./difference.ts";
import { issueOfFile } from "./file_versions.ts";
import { IssueFiles } from "./issue_files.ts";
import { encodeMemoryFile } from "./memory_file.ts";

/** Reading more each time takes longer than taking it in once: so many files, and so much of all they say. */
const MAX_FILES = 128;
const MAX_BYTES = 2_000_000;
/** What came longer ago, and nobody wrote since, would be read again and again. */
const MAX_AGE_MS = 60_000;
/** Characters that are new: finding the words in them takes far longer than comparing what is known. */
const MAX_NEW = 250_000;

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
): IndexView | undefined {
  const head = index.readHead();
  if (head === undefined || head.damaged || head.source.manifest !== source.manifest) {
    return undefined;
  }
  const [known, now] = [head.source, source].map(({ files }) => new Map(Object.entries(files)));
  const changed = issuesThatDiffer(known, now);
  const names = [...now.keys()].filter((name) => changed.has(issueOfFile(name)!));
  if (Math.max(changed.size, names.length) > MAX_FILES) return undefined;
  const infos = names.flatMap((name) => sys.lstat(`${folder}/${name}`) ?? []);
  const isLate = infos.some(({ modifiedMs }) => sys.now() - modifiedMs > MAX_AGE_MS);
  if (isLate || sumOf(infos.map(({ size }) => size)) > MAX_BYTES) return undefined;
  const files = new IssueFiles(folder, (file) => encodeMemoryFile(file, "observations"));
  const contents = Array.from(changed, (issueNumber) => files.read(issueNumber));
  if (contents.some(({ failures }) => failures.length > 0)) return undefined;
  const current = contents.flatMap(({ observations }) => observations);
  const before = index.observationsOf(head, changed);
  const { added, removed, retracted } = differenceOf(before, current);
  const isMuch = sumOf(added.map(({ content }) => content.length)) > MAX_NEW;
  if (isMuch || removed.length > 0) return undefined;
  return index.read(head.source, () => ({
    segments: added.length === 0 ? [] : [segmentOf(added)],
    gone: retracted.map(hash53),
    superseded: hiddenBy(added).superseded,
  }));
}

function segmentOf(observations: readonly Observation[]): Segment {
  const builder = new SegmentBuilder();
  for (const each of observations) builder.add(indexedDocument(each));
  return Segment.of(builder.build());
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
