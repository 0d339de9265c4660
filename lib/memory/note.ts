/**
 * What somebody writes down, beside what sessions are found to have brought.
 *
 * @module
 */

import { cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { withRelativePaths } from "./extract/relative_paths.ts";
import { noteSessionId } from "./identity.ts";
import { MAX_CONTENT, newObservation, type Observation, truncate } from "./schema.ts";

/** What is written down. */
export interface Note
  extends Pick<Observation, "agent" | "issueNumber" | "category" | "content" | "supersedes"> {}

/** Makes an observation of a note, without secrets and with the paths of any clone. */
export async function noteDown(
  { agent, issueNumber, category, content: written, supersedes }: Note,
  { folders, notify }: { folders: readonly string[]; notify: (message: string) => void },
): Promise<Observation> {
  const content = await cutting((cut) => {
    const kept = withRelativePaths(cut("content", written.toWellFormed()), folders);
    return truncate(kept, MAX_CONTENT); // the marks of a cut may have made it longer
  }, { what: "the note", notify });
  const sessionId = noteSessionId(agent, issueNumber);
  const timestampMs = sys.now();
  return {
    ...newObservation({ agent, issueNumber, category, content, timestampMs, sessionId }),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}
