// Finds out how a chat in markdown or plain text names its speakers.

import { countNames } from "../../base/groups.ts";
import { lineSpans } from "../json_lines.ts";
import type { TranscriptMessage } from "../transcript.ts";

type Role = TranscriptMessage["role"];

export interface Speaker {
  role: Role;
  /** The line without the message; it may contain a time or the name of a tool. */
  beside: string;
  /** The part of the message on the same line. */
  text: string;
}

/** The way that a file names its speakers. */
export interface Speakers {
  /** Captures a mark, a name, and the text on the same line. */
  pattern: RegExp;
  /** The mark before the names of speakers; for headings, the hashes. */
  mark: string;
  /** The roles, by name in lower case. */
  roles: ReadonlyMap<string, Role>;
}

/** Names that mean a speaker wherever they start a line. */
const SPEAKERS = new Map<string, Role>([
  ...named("user", ["user", "human", "you", "you said", "me"]),
  ...named("assistant", ["assistant", "agent", "ai", "claude", "claude code", "chatgpt"]),
  ...named("assistant", ["chatgpt said", "gpt", "codex", "gemini", "copilot", "github copilot"]),
  ...named("assistant", ["cursor", "cline", "aider"]),
  ...named("tool", ["tool", "tool result", "tool output", "command output"]),
  ...named("system", ["system", "tool call", "tool use"]),
]);

/** Names that are also common headings inside a message. They count only at the heading level of the other speakers. */
const SECTIONS = new Map<string, Role>([
  ...named("user", ["developer", "prompt", "request"]),
  ...named("assistant", ["response", "answer", "reply", "model", "bot"]),
  ...named("tool", ["output", "result", "results"]),
  ...named("system", ["thinking", "reasoning", "thoughts"]),
]);

const HEADING =
  /^(#{1,6}) +(?:[^\w\s]{1,4} +)?[*_]{0,3}([A-Za-z][\w. -]{0,30}?)[*_]{0,3}(?: *[:(\[@,-].{0,80})?()$/;

const BOLD =
  /^(?:[^\w\s*]{1,4} +)?_?(\*\*)([A-Za-z][\w. -]{0,30}?)(?: \([^)]{0,60}\))?(?:\*\*_?:?|:\*\*_?)(?: +(.*))?$/;

const PLAIN =
  /^(?:\[[^\]]{4,25}\] )?([[<]?)([A-Za-z][\w. -]{0,30}?)[\]>]?(?: \([^)]{0,60}\))?:(?: +(.*))?$/;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

const LOOKED_AT = 262_144;

const LONGEST_LINE = 4_000;

/**
 * Chooses the style that names most speakers; returns undefined if there are no speakers. A chat has two sides: if only
 * one side has a known name, the most frequent other name is the other side.
 */
export function speakersIn(text: string): Speakers | undefined {
  let best: Speakers | undefined;
  let most = 0;
  for (const pattern of [HEADING, BOLD, PLAIN]) {
    const found = Array.from(
      markdownLines(text.slice(0, LOOKED_AT)),
      ({ line, isCode }) => isCode ? null : match(line, pattern),
    ).filter((each) => each !== null);
    const known = found.filter(({ name }) => SPEAKERS.has(name));
    if (known.length <= most) continue;
    const mark = known[0].mark;
    const roles = new Map(pattern === HEADING ? [...SPEAKERS, ...SECTIONS] : SPEAKERS);
    const others = found.filter((each) => each.mark === mark && !roles.has(each.name));
    const sides = new Set(known.map(({ name }) => SPEAKERS.get(name)));
    const partner = partnerOf(others.map(({ name }) => name), known.length);
    if (partner !== undefined && !sides.has("user")) roles.set(partner, "user");
    else if (partner !== undefined && !sides.has("assistant")) roles.set(partner, "assistant");
    best = { pattern, mark, roles };
    most = known.length;
  }
  return best;
}

/** Returns the speaker if a message starts on the line. */
export function speakerOf(line: string, speakers: Speakers): Speaker | undefined {
  const found = match(line, speakers.pattern);
  const isOnLevel = speakers.pattern !== HEADING || found?.mark === speakers.mark;
  const role = found === null || !isOnLevel ? undefined : speakers.roles.get(found.name);
  if (found === null || role === undefined) return undefined;
  return { role, beside: line.slice(0, line.length - found.text.length), text: found.text };
}

/** Yields the lines of a file, and whether each is code in a fence; a fence that is never closed does not count. */
export function* markdownLines(text: string): Generator<{ line: string; isCode: boolean }> {
  const broken = brokenFence(text);
  for (const { line, start, fence } of fencedLines(text)) {
    yield { line, isCode: fence && start < broken };
  }
}

function brokenFence(text: string): number {
  let opened = Infinity;
  let wasCode = false;
  for (const { start, fence, isOpen } of fencedLines(text)) {
    if (fence && !wasCode) opened = start;
    wasCode = isOpen;
  }
  return wasCode ? opened : Infinity;
}

function* fencedLines(
  text: string,
): Generator<{ line: string; start: number; fence: boolean; isOpen: boolean }> {
  let open: string | undefined;
  for (const { start, end } of lineSpans(text)) {
    const line = text.slice(start, end);
    const mark = FENCE.exec(line)?.[1];
    const fence = open !== undefined || mark !== undefined;
    if (open === undefined) open = mark;
    else if (mark !== undefined && mark.startsWith(open) && line.trim() === mark) open = undefined;
    yield { line, start, fence, isOpen: open !== undefined };
  }
}

function match(
  line: string,
  pattern: RegExp,
): { mark: string; name: string; text: string } | null {
  const found = line.length > LONGEST_LINE ? null : pattern.exec(line.trimEnd());
  return found && { mark: found[1], name: found[2].trim().toLowerCase(), text: found[3] ?? "" };
}

/** Returns the most frequent name, if it is about as frequent as the known ones. */
function partnerOf(names: string[], known: number): string | undefined {
  const [most] = countNames(names);
  return most !== undefined && most.count >= 2 && most.count >= known / 2 ? most.name : undefined;
}

function named(role: Role, names: string[]): [string, Role][] {
  return names.map((name) => [name, role]);
}
