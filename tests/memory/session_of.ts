/**
 * Sessions for tests of extraction.
 *
 * @module
 */

import { extractFromTranscript } from "../../lib/memory/extract/extract.ts";
import type { Observation } from "../../lib/memory/schema.ts";
import type { TranscriptMessage } from "../../lib/transcripts/mod.ts";

/** What somebody said: `user: text`, `assistant: text`, `tool: text`, `$ command: what it printed`, `note:`. */
export type Line = string;

/**
 * @param lines the messages
 * @param recalled memory that was found in the recording
 * @returns what is remembered of it
 */
export function observationsOf(lines: Line[], recalled: string[] = []): Observation[] {
  const messages = lines.map((line): TranscriptMessage => {
    const [role] = line.split(":", 1);
    if (role === "note") return { role: "tool", tool: "memory_note", text: "", isNote: true };
    if (role.startsWith("$ ")) {
      return {
        role: "tool",
        tool: "Bash",
        command: role.slice(2),
        text: line.slice(role.length + 2),
      };
    }
    return { role: role as TranscriptMessage["role"], text: line.slice(role.length + 2) };
  });
  return extractFromTranscript(
    { format: "claude", sessionId: "s", messages, recalled, problems: [] },
    { agent: "engineer", issueNumber: 42, sessionId: "s" },
  );
}

/**
 * @param lines the messages
 * @returns `category: content` of what is remembered
 */
export function remembered(...lines: Line[]): string[] {
  return observationsOf(lines).map(({ category, content }) => `${category}: ${content}`);
}
