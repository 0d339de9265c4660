// Notes: observations that somebody writes down by hand.

import { cutting } from "../redact/border.ts";
import { sys } from "../sys/mod.ts";
import { noteSessionId } from "./identity.ts";
import { hash53 } from "../base/hash.ts";
import {
  CATEGORIES,
  MAX_CONTENT,
  newObservation,
  type Observation,
  type ObservationCategory,
} from "./schema.ts";
import { checkText, invalidInput } from "../base/input_checks.ts";
import { escapeRegExp } from "../text/reg_exp.ts";

/** Length of the suffix of an id. */
const SUFFIX = 6;

/** A note to write down. */
export interface Note
  extends Pick<Observation, "agent" | "issueNumber" | "category" | "content" | "supersedes"> {
  /**
   * The call of a tool that writes the note down: its id, its start in milliseconds since the epoch, and its session. A
   * repeated call finds the first note.
   */
  call?: { id: string; timestampMs: number; sessionId: string };
}

/** Returns the id of a note that a tool call writes, which is the same on a retry; undefined for other notes. */
export function idOfCall({ agent, issueNumber, call }: Note): string | undefined {
  if (call === undefined) return undefined;
  const suffix = hash53(call.id).toString(36).slice(-SUFFIX).padStart(SUFFIX, "0");
  return `obs-${agent}-${issueNumber}-${call.timestampMs}-${suffix}`;
}

/**
 * Makes an observation from a note: without secrets, and with paths relative to the repository.
 *
 * @throws {AgentxError} `INVALID_INPUT` if the text is empty or longer than {@linkcode MAX_CONTENT}
 */
export async function noteDown(
  note: Note,
  { folders, notify }: { folders: readonly string[]; notify: (message: string) => void },
): Promise<Observation> {
  const { agent, issueNumber, category, content: written, supersedes, call } = note;
  const kept = await cutting((cut) => cut("text", written.toWellFormed()), {
    what: "the note",
    notify,
  });
  const content = checkText("text", withRelativePaths(kept, folders), MAX_CONTENT);
  const sessionId = call?.sessionId ?? noteSessionId(agent, issueNumber);
  const timestampMs = call?.timestampMs ?? sys.now();
  const id = idOfCall(note);
  return {
    ...newObservation({ agent, issueNumber, category, content, timestampMs, sessionId, id }),
    ...(supersedes === undefined ? {} : { supersedes }),
  };
}

/** Maximum number of notes in one text; the next session would not read more. */
export const MAX_NOTES = 5;

const LINE = /^[-*] (?:([a-z-]{5,20}): )?(\S.*)$/;

/**
 * Reads one note, which may begin with its category, or lines such as `- decision: JSON, because it merges`. Notes
 * without a category get `category`.
 *
 * @throws {AgentxError} `INVALID_INPUT` for more than five notes, or a note that is too long
 */
export function notesIn(
  text: string,
  category: ObservationCategory,
): Pick<Observation, "category" | "content">[] {
  const lines = text.toWellFormed().split("\n").filter((line) => line.trim() !== "");
  const notes = lines.map((line) => LINE.exec(line.trim()));
  if (lines.length < 2 || notes.includes(null)) {
    const own = CATEGORIES.find((name) => text.startsWith(`${name}: `));
    const said = own === undefined ? text : text.slice(`${own}: `.length);
    const content = checkText("text", said.toWellFormed(), MAX_CONTENT);
    return [{ category: own ?? category, content }];
  }
  if (lines.length > MAX_NOTES) {
    const why = `it has ${lines.length} notes; the limit is ${MAX_NOTES}`;
    throw invalidInput(
      "text",
      `${text.slice(0, 40)}...`,
      why,
      "Keep what the next session needs most",
    );
  }
  return notes.map((note) => {
    const [, kind, said] = note!;
    const own = CATEGORIES.find((name) => name === kind);
    const content = kind === undefined || own !== undefined ? said : `${kind}: ${said}`;
    return { category: own ?? category, content: checkText("text", content, MAX_CONTENT) };
  });
}

/**
 * Makes paths inside the repository (the main checkout, and the worktree) relative to it. Other paths stay absolute, so
 * that a reader sees that they are valid on this machine only.
 */
export function withRelativePaths(text: string, folders: readonly string[]): string {
  // A worktree may lie inside the main checkout.
  const innerFirst = folders.toSorted((a, b) => b.length - a.length);
  return innerFirst.reduce((text, folder) => {
    const literal = escapeRegExp(`${folder}/`);
    return text.replace(new RegExp(`(?<![\\w./~-])(?:file://)?${literal}(?=[\\w.@])`, "g"), "");
  }, text);
}
