// Reads a chat in markdown or plain text. A heading, a bold name or a name with a colon starts a message.

import { cutClosedParts } from "../../redact/redact.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";
import { markdownLines, type Speaker, speakerOf, speakersIn } from "./speakers.ts";

/** Matches a date and a time; the captured seconds and zone may be missing. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/;

/** Reads a whole file. Without speakers, all of the text is attributed to the agent. */
export function readMarkdown(text: string): Transcript {
  const recorder = new Recorder("markdown");
  const open = cutClosedParts(text); // done before splitting into messages, because a part may contain headings
  const speakers = speakersIn(open);
  let speaker: Speaker = { role: "assistant", beside: "", text: "" };
  let lines: string[] = [];
  for (const { line, isCode } of markdownLines(open)) {
    const next = speakers === undefined || isCode ? undefined : speakerOf(line, speakers);
    if (next === undefined) {
      lines.push(line);
      continue;
    }
    add(recorder, speaker, lines);
    speaker = next;
    lines = next.text === "" ? [] : [next.text];
  }
  add(recorder, speaker, lines);
  if (speakers === undefined && open.trim() !== "") {
    recorder.problems.push("No speakers found; the whole text is attributed to the agent");
  }
  return recorder.transcript();
}

function add(recorder: Recorder, speaker: Speaker, lines: string[]): void {
  const { role, beside } = speaker;
  const text = lines.join("\n");
  const time = timeIn(beside);
  if (role === "tool") recorder.result(toolIn(beside), text, time);
  else recorder.say(role, text, time);
}

/** Returns the name of a tool, which follows the word "tool", after a colon or in brackets. */
function toolIn(line: string): string | undefined {
  return /tool[^:([]{0,20}[:([*\s]{1,8}`?([A-Za-z_][\w.-]{0,60})/i.exec(line)?.[1];
}

/** Returns the time in a line. A time without a zone is read as UTC, so that the result is the same everywhere. */
function timeIn(line: string): string | undefined {
  const match = TIME.exec(line);
  if (match === null) return undefined;
  const [time, seconds = ":00", zone = "Z"] = match;
  return `${time.slice(0, 16).replace(" ", "T")}${seconds}${zone}`;
}
