/**
 * What somebody writes down, beside what sessions are found to have brought.
 *
 * @module
 */

import { cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { withRelativePaths } from "./extract/relative_paths.ts";
import { hash53 } from "./hash.ts";
import { noteSessionId } from "./identity.ts";
import { MAX_CONTENT, newObservation, type Observation, truncate } from "./schema.ts";

/** As that of every id. */
const SUFFIX = 6;

/** What is written down. */
export interface Note
  extends Pick<Observation, "agent" | "issueNumber" | "category" | "content" | "supersedes"> {
  /**
   * The call of a tool that writes it down: one that is made again finds what it wrote. Its id, when it
   * began, in milliseconds since the epoch, and its session.
   *
   * @default {none}
   */
  call?: { id: string; timestampMs: number; sessionId: string };
}

/** @returns the id of what a call writes down, the same when it is made again; undefined for other notes */
export function idOfCall({ agent, issueNumber, call }: Note): string | undefined {
  if (call === undefined) return undefined;
  const suffix = hash53(call.id).toString(36).slice(-SUFFIX).padStart(SUFFIX, "0");
  return `obs-${agent}-${issueNumber}-${call.timestampMs}-${suffix}`;
}

/** Makes an observation of a note, without secrets and with the paths of any clone. */
export async function noteDown(
  note: Note,
  { folders, notify }: { folders: readonly string[]; notify: (message: string) => void },
): Promise<Observation> {
  const { agent, issueNumber, category, content: written, supersedes, call } = note;
  const content = await cutting((cut) => {
    const kept = withRelativePaths(cut("content", written.toWellFormed()), folders);
    return truncate(kept, MAX_CONTENT); // the marks of a cut may have made it longer
  }, { what: "the note", notify });
  const sessionId = call?.sessionId ?? noteSessionId(agent, issueNumber);
  const timestampMs = call?.timestampMs ?? sys.now();
  const id = idOfCall(note);
  return {
    ...newObservation({ agent, issueNumber, category, content, timestampMs, sessionId, id }),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}
