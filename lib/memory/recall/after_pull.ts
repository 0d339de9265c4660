/**
 * Whether a recall still holds after a pull. Most of what is pulled is about other issues, and a session that
 * starts right after it need not wait for a recall that says the same.
 *
 * @module
 */

import { areSameFiles, type SourceVersion } from "../search/index_head.ts";
import { findDocuments, MAX_HITS } from "../search/search.ts";
import { ReadyIndex } from "../store/ready_index.ts";

/** What was recalled, and from what. */
export interface RecallBefore {
  issueNumber: number;
  /** What was searched for. */
  queries: readonly string[];
  /** The version of each issue file, by its name. */
  files: SourceVersion["files"];
}

/**
 * Tells that nothing of what came to the issue files since then would be a candidate of the recall, and that
 * nothing went away or is hidden; false where that cannot be told without the whole store.
 *
 * @param folder `.agentx/memory`
 * @throws {AgentxError} `NEWER_STATE`, `IO_ERROR`
 */
export async function holdsAfterPull(
  folder: string,
  { issueNumber, queries, files }: RecallBefore,
): Promise<boolean> {
  const holds = await new ReadyIndex(folder).look(async (view, pulled) => {
    if (pulled === undefined || pulled.hides || !areSameFiles(pulled.before.files, files)) {
      return false;
    }
    if (pulled.added.some((each) => each.issueNumber === issueNumber)) return false;
    const first = view.size - pulled.added.length;
    for (const query of queries) {
      const { ranked } = await findDocuments(query, view, MAX_HITS);
      if (ranked.some(({ document }) => document >= first)) return false;
    }
    return true;
  });
  return holds ?? false;
}
