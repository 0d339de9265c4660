// Renders the latest event of a clarification on one line for a terminal. Pure.
//
// The log has the event and the id of the clarification; the texts are in the ledger.

import type { LogLine } from "../../events/follower.ts";
import type { Mark } from "../../text/style.ts";
import { displayWidth, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { DAY_MS, isoTime } from "../../base/time.ts";
import type { ClarificationRecord, ThreadEntryType } from "../../clarify/schema.ts";
import { agentLabel } from "../../text/agent_label.ts";

interface Happening {
  words: string;
  mark: Mark;
  /** The type of the thread entry that the event added, if its text is worth showing. */
  entry: ThreadEntryType | null;
}

const HAPPENINGS: Readonly<Record<string, Happening>> = {
  "clarification-requested": { words: "asks", mark: "yellow", entry: "question" },
  "clarification-answered": { words: "answers", mark: "cyan", entry: "answer" },
  "clarification-stale": { words: "has no answer in time", mark: "yellow", entry: null },
  "clarification-resolved": { words: "resolved", mark: "green", entry: "resolution" },
  "clarification-escalated": { words: "needs a human", mark: "red", entry: null },
};

/** Maximum width of a word from outside; a longer one would leave no room for the rest. */
const MAX_WORD = 24;

/** Renders time, id, sender and receiver, the event, and the text. An event that is a day old gets a date. */
export function renderEvent(
  line: LogLine,
  record: ClarificationRecord | undefined,
  nowMs: number,
  { style, width }: RenderView,
): string {
  const { time, operation, clarificationId } = line;
  const { words, mark, entry } = Object.hasOwn(HAPPENINGS, operation)
    ? HAPPENINGS[operation]
    : { words: operation.replace(/^clarification-/, ""), mark: "dim" as const, entry: null };
  const isOld = nowMs - Date.parse(time) >= DAY_MS;
  const iso = isoTime(time);
  const names = [line.fromAgent, entry === "answer" ? line.agent ?? line.toAgent : line.toAgent]
    .map((name) => terminalLine(agentLabel(String(name)), MAX_WORD));
  if (entry === "answer") names.reverse();
  const start = [
    isOld ? iso.slice(5, 16).replace("T", " ") : iso.slice(11, 19),
    terminalLine(String(clarificationId), MAX_WORD),
    names.join(" -> "),
    terminalLine(words, MAX_WORD),
  ];
  const [clock, id, who, what] = start;
  const marked = [style.dim(clock), style.bold(id), who, style[mark](what)].join("  ");
  const room = Math.max(40, width) - displayWidth(start.join("  ")) - "  : ".length;
  const text = record === undefined ? "" : textOf(line, record, entry);
  return text === "" || room < 4 ? `  ${marked}` : `  ${marked}: ${terminalLine(text, room)}`;
}

function textOf(
  { round }: LogLine,
  { topic, thread }: ClarificationRecord,
  type: ThreadEntryType | null,
): string {
  const written = thread.filter((entry) => entry.type === type);
  const entry = written.findLast((entry) => entry.round === round) ?? written.at(-1);
  const text = entry === undefined
    ? topic
    : entry.type === "question" && entry.round === 1
    ? `${topic}: ${entry.body}`
    : entry.body;
  return text.replace(/\s+/g, " ").trim();
}
