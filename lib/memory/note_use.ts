/**
 * Notes what a recall was worth to a session that is captured.
 *
 * @module
 */

import { sys } from "../sys/mod.ts";
import type { Transcript } from "../transcripts/transcript.ts";
import type { MemoryPipelineOptions } from "./pipeline_options.ts";
import { shortIdOf } from "./schema.ts";
import type { IObservationStore } from "./store/observation_store.ts";
import { displacementOf, recalledIn, type SessionUse } from "./recall/displacement.ts";

/** More observations of one session are not looked at. */
const MAX_TOLD = 500;

/**
 * @param transcript of the session
 * @param session whose it is
 * @param store has what it was told
 * @param options keeps the figures, and gives the files that need not be read again
 * @throws {AgentxError} `LOCK_TIMEOUT`, `CORRUPT_STATE`, `IO_ERROR`
 */
export async function noteUse(
  transcript: Transcript,
  session: Pick<SessionUse, "sessionId" | "agent" | "issueNumber">,
  store: Pick<IObservationStore, "getByIssue">,
  { uses, treeOf }: Pick<MemoryPipelineOptions, "uses" | "treeOf">,
): Promise<void> {
  if (uses === undefined) return;
  const names = recalledIn(transcript).slice(0, MAX_TOLD);
  const keyOf = (issue: number, shortId: string) => `${issue} ${shortId}`;
  const keys = new Set(names.map(({ issueNumber, shortId }) => keyOf(issueNumber, shortId)));
  const issues = new Set(names.map(({ issueNumber }) => issueNumber));
  const read = await Promise.all(Array.from(issues, (issue) => store.getByIssue(issue)));
  const told = read.flat().filter(({ id, issueNumber }) =>
    keys.has(keyOf(issueNumber, shortIdOf(id)))
  );
  if (told.length === 0) return;
  const tree = await treeOf?.("recall");
  const figures = displacementOf(transcript, told, (path) => tree?.read(path));
  await uses.note({ ...session, timestamp: new Date(sys.now()).toISOString(), ...figures });
}
