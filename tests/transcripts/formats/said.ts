import { readTranscript } from "../../../lib/transcripts/mod.ts";

/** JSON lines, as hosts write them. */
export function lines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** What is said in a recording: `user: text`, `tool(name): text`. */
export function said(text: string): string[] {
  return readTranscript(text).messages.map(({ role, tool, text }) =>
    `${role}${tool === undefined ? "" : `(${tool})`}: ${text.trim()}`
  );
}
