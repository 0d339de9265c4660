/**
 * Reads a chat in markdown or plain text: a heading, a bold name or a name with a colon begins what
 * somebody says.
 *
 * @module
 */

import { lineSpans } from "./json_lines.ts";
import { Recorder } from "./recorder.ts";
import type { Transcript, TranscriptMessage } from "./transcript.ts";

type Role = TranscriptMessage["role"];

/** Names that mean a speaker wherever they begin a line. */
const SPEAKERS = new Map<string, Role>([
  ...names("user", ["user", "human", "you", "you said", "me"]),
  ...names("assistant", ["assistant", "agent", "ai", "claude", "claude code", "chatgpt"]),
  ...names("assistant", ["chatgpt said", "gpt", "codex", "gemini", "copilot", "github copilot"]),
  ...names("assistant", ["cursor", "cline", "aider"]),
  ...names("tool", ["tool", "tool result", "tool output", "command output"]),
  ...names("system", ["system", "tool call", "tool use"]),
]);

/** Names that also head a section of what somebody says: speakers only on the level of the others. */
const SECTIONS = new Map<string, Role>([
  ...names("user", ["developer", "prompt", "request"]),
  ...names("assistant", ["response", "answer", "reply", "model", "bot"]),
  ...names("tool", ["output", "result", "results"]),
  ...names("system", ["thinking", "reasoning", "thoughts"]),
]);

/** The ways to begin what somebody says; a file keeps to one. The name is captured, and the rest. */
const STYLES = [
  /^(#{1,6}) +(?:[^\w\s]{1,4} +)?[*_]{0,2}([A-Za-z][A-Za-z -]{1,20}?)[*_]{0,2}(?: *[:(\[@,-] *(.{0,80}))?$/,
  /^(\*\*)([A-Za-z][A-Za-z -]{1,20}?)(?: \([^)]{0,60}\))?(?:\*\*:?|:\*\*)(?: +(.*))?$/,
  /^(\[?)([A-Za-z][A-Za-z -]{1,20}?)\]?(?: \([^)]{0,60}\))?:(?: +(.*))?$/,
];

const HEADINGS = STYLES[0];

/** A date and a time; seconds (captured) and zone (captured) may be missing. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

const MAX_SPEAKER_LINE = 4_000;

interface Style {
  pattern: RegExp;
  /** What the names begin with: in headings, how many hashes. */
  mark: string;
}

interface Speaker {
  role: Role;
  mark: string;
  /** The whole line: it may name a time, or a tool. */
  line: string;
  /** What is said on it. */
  text: string;
}

/**
 * @param text the whole file
 * @returns the session; where nobody is named, the whole is taken for the agent's
 */
export function readMarkdown(text: string): Transcript {
  const recorder = new Recorder("markdown");
  const style = styleOf(text);
  let speaker: Speaker = { role: "assistant", mark: "", line: "", text: "" };
  let lines: string[] = [];
  for (const { line, isCode } of markdownLines(text)) {
    const next = style === undefined || isCode ? undefined : speakerOf(line, style);
    if (next === undefined) {
      lines.push(line);
      continue;
    }
    add(recorder, speaker, lines);
    speaker = next;
    lines = next.text === "" ? [] : [next.text];
  }
  add(recorder, speaker, lines);
  if (style === undefined && text.trim() !== "") {
    recorder.problems.push("Nobody is named in the text: all of it was taken for the agent's");
  }
  return recorder.transcript();
}

function names(role: Role, list: string[]): [string, Role][] {
  return list.map((name) => [name, role]);
}

/** The style in which most speakers are named at the start of the file. */
function styleOf(text: string): Style | undefined {
  let best: Style | undefined;
  let most = 0;
  for (const pattern of STYLES) {
    let count = 0;
    let mark: string | undefined;
    for (const { line, isCode } of markdownLines(text.slice(0, 262_144))) {
      const speaker = isCode ? undefined : speakerOf(line, { pattern, mark: "" });
      if (speaker === undefined) continue;
      mark ??= speaker.mark;
      count++;
    }
    if (mark === undefined || count <= most) continue;
    best = { pattern, mark };
    most = count;
  }
  return best;
}

function* markdownLines(text: string): Generator<{ line: string; isCode: boolean }> {
  let fence: string | undefined;
  for (const { start, end } of lineSpans(text)) {
    const line = text.slice(start, end);
    const mark = FENCE.exec(line)?.[1];
    yield { line, isCode: fence !== undefined || mark !== undefined };
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
  }
}

function speakerOf(line: string, style: Style): Speaker | undefined {
  const match = line.length > MAX_SPEAKER_LINE ? null : style.pattern.exec(line.trimEnd());
  if (match === null) return undefined;
  const mark = match[1];
  const name = match[2].trim().toLowerCase();
  const isHeading = style.pattern === HEADINGS;
  if (isHeading && style.mark !== "" && mark !== style.mark) return undefined;
  const section = isHeading && style.mark !== "" ? SECTIONS.get(name) : undefined;
  const role = SPEAKERS.get(name) ?? section;
  return role && { role, mark, line, text: isHeading ? "" : match[3] ?? "" };
}

function add(recorder: Recorder, speaker: Speaker, lines: string[]): void {
  const text = lines.join("\n");
  const name = speaker.line.slice(0, speaker.line.length - speaker.text.length);
  const time = timeIn(name);
  if (speaker.role === "tool") recorder.result(toolIn(name), text, time);
  else recorder.say(speaker.role, text, time);
}

/** Its name stands after a colon or in brackets, beside the word tool. */
function toolIn(line: string): string | undefined {
  return /tool[^:([]{0,20}[:([*\s]+`?([A-Za-z_][\w.-]{0,60})/i.exec(line)?.[1];
}

/** A time without a zone is read as UTC, so that one recording reads alike everywhere. */
function timeIn(line: string): string | undefined {
  const match = TIME.exec(line);
  if (match === null) return undefined;
  const [time, seconds = ":00", zone = "Z"] = match;
  return `${time.slice(0, 16).replace(" ", "T")}${seconds}${zone}`;
}
