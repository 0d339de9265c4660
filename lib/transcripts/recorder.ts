// Collects the messages of a recording while it is read.

import { cutPrivate, cutPrivateParts } from "../redact/redact.ts";
import { inputOf } from "./json_value.ts";
import { withoutRecall } from "./own_recall.ts";
import { withoutScaffolding } from "./scaffolding.ts";
import type { Transcript, TranscriptFormat, TranscriptMessage } from "./transcript.ts";
import { listOf, objectOf, tryParseJson } from "../base/checks.ts";

/** The tool of a call, and whether the call reads or writes the memory of agentx. */
interface Call {
  tool: string;
  /** The command line, if the tool runs one. */
  command?: string;
  isRecall: boolean;
  isNote: boolean;
}

const LONGEST_COMMAND = 300;

/** Matches a command line of agentx, or the name of its MCP tool with or without the server. */
const OWN = String.raw`(?:(?<![a-z])agentx(?![a-z])[^\n]{0,60}(?<![a-z])|^)`;

/** Matches a call that prints the content of memory. */
const OWN_RECALL = new RegExp(
  `${OWN}(?:memory[ _](?:search|get|view|log|timeline|recall|export|review|retract|compact)|hook[ _]start)\\b`,
);

/** Matches a call that keeps a note; its result contains the id of the note. */
const OWN_NOTE = new RegExp(String.raw`${OWN}memory[ _]note\b`);
const NOTED = /\bobs-/;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Collects messages, recalled memory and problems. */
export class Recorder {
  readonly #format: TranscriptFormat;
  readonly #messages: TranscriptMessage[] = [];
  readonly #recalled: string[] = [];
  readonly #calls = new Map<string, Call>();
  readonly problems: string[] = [];
  /** The session id of the host; readers keep the first one. */
  sessionId: string | null = null;

  constructor(format: TranscriptFormat) {
    this.#format = format;
  }

  /** Adds a message, unless all of it is scaffolding. A timestamp that is not ISO-8601 is dropped. */
  say(role: "user" | "assistant" | "system", text: string, timestamp?: unknown): void {
    this.#messages.push({ role, text, ...timeOf(timestamp) });
  }

  /** Records a call under the id that its result will have, so that the result gets the name of the tool. */
  call(id: unknown, tool: string | undefined, input: unknown): void {
    if (typeof id !== "string" || tool === undefined) return;
    const called = `${tool}\n${inputOf(input).slice(0, 4_000)}`;
    const [isRecall, isNote] = [OWN_RECALL, OWN_NOTE].map((own) => own.test(called));
    const command = calledCommand(input);
    this.#calls.set(id, { tool, isRecall, isNote, ...(command && { command }) });
  }

  /** Adds the result of a tool, by the id of its call or the name of the tool. */
  result(call: string | undefined, text: string, timestamp?: unknown): void {
    const { isRecall = false, isNote = false, ...known }: Partial<Call> = call === undefined
      ? {}
      : this.#calls.get(call) ?? { tool: call };
    if (isRecall) {
      this.#recalled.push(text);
      return;
    }
    const noted = isNote && NOTED.test(text) ? { isNote } : {};
    this.#messages.push({ role: "tool", text, ...known, ...noted, ...timeOf(timestamp) });
  }

  /** Searches for recalled memory in a text that is not a message, such as context that a hook added. */
  context(text: string): void {
    withoutRecall(text, this.#recalled);
  }

  /**
   * Returns the cleaned messages. Private parts are removed first, so that other removals cannot split their tags. A
   * private part may span several messages, but the result of a tool, such as a file, is treated separately.
   */
  #said(): TranscriptMessage[] {
    const spoken = this.#messages.filter(({ role }) => role !== "tool");
    const parts = cutPrivateParts(spoken.map(({ text }) => text));
    const open = new Map(spoken.map((message, index) => [message, parts[index]]));
    return this.#messages.flatMap((message) => {
      const whole = open.get(message) ?? cutPrivate(message.text);
      const text = withoutScaffolding(withoutRecall(whole, this.#recalled));
      return text.trim() === "" && !message.isNote ? [] : [{ ...message, text }];
    });
  }

  /** Returns the transcript of everything that was added. */
  transcript(): Transcript {
    return {
      format: this.#format,
      sessionId: this.sessionId,
      messages: this.#said(),
      recalled: this.#recalled,
      problems: this.problems,
    };
  }
}

function timeOf(timestamp: unknown): { timestamp?: string } {
  if (typeof timestamp === "number" && timestamp > 0 && timestamp < 8.64e15) {
    return { timestamp: new Date(timestamp).toISOString() };
  }
  if (typeof timestamp !== "string" || !ISO_TIME.test(timestamp)) return {};
  const time = Date.parse(timestamp);
  return Number.isNaN(time) || time < 0 ? {} : { timestamp: new Date(time).toISOString() };
}

/**
 * Returns the first line of a command line, or of a list of words; for a shell with `-c`, the command that it gets. The
 * input may be an object, or the same object as JSON.
 */
function calledCommand(input: unknown): string | undefined {
  const values = objectOf(typeof input === "string" ? tryParseJson(input) : input);
  const value = values.command ?? values.cmd;
  const words = listOf(value).filter((word) => typeof word === "string");
  const isShell = words.length === 3 && /^-\w*c$/.test(words[1]);
  const line = typeof value === "string" ? value : isShell ? words[2] : words.join(" ");
  const [first] = line.trim().split("\n", 1);
  return first === "" || first.length > LONGEST_COMMAND ? undefined : first;
}
