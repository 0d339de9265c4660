// Reads a chat in markdown or plain text: a heading, a bold name or a name with a colon starts a
// message.

import { cutClosedParts } from "../../redact/redact.ts";
import { Recorder } from "../recorder.ts";
import type { Transcript } from "../transcript.ts";
import { markdownLines, type Speaker, speakerOf, speakersIn } from "./speakers.ts";

/** A date and a time; seconds (captured) and zone (captured) may be missing. */
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/;

/** Reads a whole file. Without speakers, all of it is attributed to the agent. */
export function readMarkdown(text: string): Transcript {
  const recorder = new Recorder("markdown");
  const open = cutClosedParts(text); // before it is split into messages: a part may contain headings
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

/** The name of a tool follows a colon or is in brackets, next to the word tool. */
function toolIn(line: string): string | undefined {
  return /tool[^:([]{0,20}[:([*\s]{1,8}`?([A-Za-z_][\w.-]{0,60})/i.exec(line)?.[1];
}

/** A time without a zone is read as UTC, so that the result is the same everywhere. */
function timeIn(line: string): string | undefined {
  const match = TIME.exec(line);
  if (match === null) return undefined;
  const [time, seconds = ":00", zone = "Z"] = match;
  return `${time.slice(0, 16).replace(" ", "T")}${seconds}${zone}`;
}
