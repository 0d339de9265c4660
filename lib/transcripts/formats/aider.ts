// Reads `.aider.chat.history.md`. Lines that a person typed start with `#### `, lines that aider printed start with
// `> `, and all other lines are from the model.

import { cutClosedParts } from "../../redact/redact.ts";
import { lineSpans } from "../json_lines.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript, TranscriptMessage } from "../transcript.ts";

const SESSION = /^# aider chat started at (\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/;

/** Matches a command of aider; for the captured ones, the text after the command goes to the model. */
const COMMAND = /^\/(?:(ask|code|architect|context)(?:\s+|$)|[a-z-]+)/;

/** Matches the output of a command that the user shared with the model. */
const SHARED_OUTPUT = /^I ran (?:this|the) command/;

/** Reads the last session of a file. aider appends sessions, so the earlier ones are finished. */
export function readAider(text: string): Transcript {
  const recorder = new Recorder("aider");
  const open = cutClosedParts(text); // done before splitting into messages, because a part may contain headings
  const { start, earlier } = lastSession(open);
  if (earlier > 0) {
    recorder.problems.push(`The file holds ${earlier + 1} sessions; only the last one was read`);
  }
  let role: TranscriptMessage["role"] = "assistant";
  let lines: string[] = [];
  let timestamp: string | undefined;
  const finish = () => {
    add(recorder, role, { text: lines.join("\n"), timestamp });
    lines = [];
  };
  const session = open.slice(start);
  for (const span of lineSpans(session)) {
    const line = session.slice(span.start, span.end);
    const began = SESSION.exec(line);
    if (began !== null) {
      timestamp = `${began[1]}T${began[2]}.000Z`;
      recorder.sessionId = `aider-${began[1]}-${began[2].replaceAll(":", "-")}`;
      continue;
    }
    const next = line.startsWith("#### ") || line === "####"
      ? "user"
      : line.startsWith("> ")
      ? "tool"
      : "assistant";
    if (next !== role) finish();
    role = next;
    lines.push(next === "user" ? line.slice(5) : next === "tool" ? line.slice(2) : line);
  }
  finish();
  return recorder.transcript();
}

function lastSession(text: string): { start: number; earlier: number } {
  let start = 0;
  let sessions = 0;
  for (const { index } of text.matchAll(/^# aider chat started at \d{4}-/gm)) {
    start = index;
    sessions++;
  }
  return { start, earlier: Math.max(0, sessions - 1) };
}

function add(
  recorder: Recorder,
  role: TranscriptMessage["role"],
  said: { text: string; timestamp: string | undefined },
): void {
  const { text, timestamp } = said;
  if (role === "tool") {
    recorder.result("aider", text, timestamp);
  } else if (role === "assistant") {
    recorder.say("assistant", text, timestamp);
  } else if (SHARED_OUTPUT.test(text)) {
    recorder.result("run", text, timestamp);
  } else {
    const command = COMMAND.exec(text);
    if (command !== null && command[1] === undefined) return;
    recorder.say("user", text.slice(command?.[0].length ?? 0), timestamp);
  }
}
