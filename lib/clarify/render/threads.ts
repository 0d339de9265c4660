// Renders clarifications as text: threads and tables for a terminal, markdown for a chat stream (the PRD's "CLI Output
// Example" and "Chat Stream Example"). Pure. Text of an agent goes through `text.ts` and is indented, so that none of
// its lines can look like a line of agentx.

import { HUMAN } from "../../base/agent_names.ts";
import { isTime } from "../../base/checks.ts";
import type { Style } from "../../text/style.ts";
import { type Cell, formatTable } from "../../text/table.ts";
import { markdownFence, terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { topicOf } from "../../text/topic.ts";
import { formatDuration, minuteOf } from "../../base/time.ts";
import {
  askerOf,
  type ClarificationRecord,
  type ClarificationStatus,
  issueNumberOf,
  isUnanswered,
  type ThreadEntry,
} from "../schema.ts";
import { decideCommand } from "../rules/escalation.ts";
import { agentLabel, displayName, onMachine } from "../../text/agent_label.ts";

const RULE = "  " + "-".repeat(47);
const MIN_COLUMNS = 40;

/** Width of fenced text for a chat, which does not wrap it. */
const CHAT_COLUMNS = 80;

const STATUS_STYLE: Record<ClarificationStatus, keyof Style> = {
  pending: "yellow",
  answered: "cyan",
  resolved: "green",
  stale: "yellow",
  escalated: "red",
  abandoned: "dim",
};

/** Renders a whole thread for a terminal, with a heading and a rule below it. */
export function renderThread(record: ClarificationRecord, view: RenderView): string {
  const entries = record.thread.map((entry) => renderEntry(record, entry, view));
  return [
    renderHeading(record, view),
    entries.join("\n\n"),
    ...(record.status === "resolved" ? [] : ["", `  ${renderState(record, view)}`]),
    ...(record.supersededBy ? ["", `  Replaced by ${record.supersededBy}`] : []),
    view.style.dim(RULE),
  ].join("\n");
}

/** Renders the heading of a thread: its id, issue, topic (unless the first question repeats it) and origin. */
export function renderHeading(record: ClarificationRecord, { style, width }: RenderView): string {
  const { id, topic, foreign, shared, thread } = record;
  const issueNumber = issueNumberOf(id);
  const asked = onMachine({ machine: shared?.machine });
  return [
    `  ${style.bold(`Clarification Thread: ${id}`)} (#${issueNumber})`,
    ...topicOf(thread[0]?.body ?? "") === topic
      ? []
      : [`  ${terminalLine(`Topic: ${topic}`, columns(width) - 2)}`],
    ...asked === "" ? [] : [`  Asked${asked}`],
    ...foreign
      ? [
        style.red(
          "  Foreign: it came from elsewhere, so no agent is asked and no human is notified",
        ),
      ]
      : [],
    style.dim(RULE),
  ].join("\n");
}

/** Renders one entry of a thread for a terminal: author, addressee and time, then the indented text. */
export function renderEntry(
  record: ClarificationRecord,
  entry: ThreadEntry,
  { style, width }: RenderView,
): string {
  const { round, type, body, verified, attachments = [] } = entry;
  const kept = attachments.map((name) =>
    style.dim(`    Too long for the thread: .agentx/state/attachments/${name}`)
  );
  const isUnverified = entry.from === HUMAN && verified !== true;
  const from = agentLabel(entry.from) + onMachine(entry) + (isUnverified ? ", unverified" : "");
  const { runner, model = "" } = entry;
  const by = runner === undefined ? "" : `, ${agentLabel(`${runner} ${model}`.trim())}`;
  const time = style.dim(`(${formatTime(entry.timestamp)}${by})`);
  const block = (indent: string) => terminalBlock(body, { indent, width: columns(width) });
  switch (type) {
    case "question":
    case "answer": {
      const to = agentLabel(type === "question" ? record.to : askerOf(record, round));
      const label = type === "question" ? "Q:" : "A:";
      const [first, ...rest] = block(" ".repeat(7));
      const marked = `    ${style.bold(style.cyan(label))} ${first.slice(7)}`;
      const head = `  [Round ${round}] ${style.bold(from)} -> ${style.bold(to)}  ${time}`;
      return [head, marked, ...rest, ...kept].join("\n");
    }
    case "resolution":
      return [`  ${style.green("[RESOLVED]")} ${from}  ${time}`, ...block("    ")].join("\n");
    case "escalation":
      return [`  ${style.red("[ESCALATED]")} ${from}  ${time}`, ...block("    "), ...kept]
        .join("\n");
  }
}

/** Renders a table for a terminal. `nowMs` is the time for the ages and for the rest of the SLA. */
export function renderTable(
  records: readonly ClarificationRecord[],
  nowMs: number,
  view: RenderView,
): string {
  const rows = records.map((record) => [
    record.id,
    agentLabel(askerOf(record)) + onMachine({ machine: record.shared?.machine }),
    agentLabel(record.to),
    statusCell(record),
    `${record.round}/${record.maxRounds}`,
    formatDuration(nowMs - Date.parse(record.created)),
    timeLeft(record, nowMs),
    record.topic,
  ]);
  const names = [{ name: "FROM" }, { name: "TO" }];
  const spare = [{ spare: "ROUND" }, { spare: "AGE" }, { spare: "SLA" }];
  return formatTable(["ID", ...names, { whole: "STATUS" }, ...spare, "TOPIC"], rows, view);
}

function statusCell({ status, foreign }: ClarificationRecord): Cell {
  if (foreign) return { text: "foreign", mark: "red" };
  return { text: status, mark: STATUS_STYLE[status] };
}

/** Returns the time until the open question is overdue, or `overdue`. */
function timeLeft(record: ClarificationRecord, nowMs: number): string | Cell {
  if (!isUnanswered(record)) return "-";
  const leftMs = Date.parse(record.staleAfter) - nowMs;
  return leftMs > 0 ? formatDuration(leftMs) : { text: "overdue", mark: "red" };
}

/** Renders a thread for a chat exactly as in the PRD's "Chat Stream Example", in a fenced block of markdown. */
export function renderChat(record: ClarificationRecord): string {
  const parts = record.thread.map((entry, index) => {
    const from = displayName(entry.from);
    const body = terminalBlock(entry.body, { indent: "  ", width: CHAT_COLUMNS });
    switch (entry.type) {
      case "question": {
        const to = displayName(record.to);
        const isOpen = index === record.thread.length - 1 && record.status === "pending";
        const routing = isOpen ? ["", `  [Routing to ${to} automatically...]`] : [];
        return [`[${from} -> ${to}] Clarification needed (${record.id}):`, ...body, ...routing];
      }
      case "answer":
        return [`[${from}] ${body[0].trimStart()}`, ...body.slice(1)];
      case "resolution":
        return [`[${from}] Clarification resolved. Continuing...`, ...body];
      case "escalation": {
        const isUndecided = index === record.thread.length - 1 && record.status === "escalated";
        const action = isUndecided ? ["", `  [Action needed: ${decideCommand(record)}]`] : [];
        return [`[ESCALATED] ${record.id} needs a human decision:`, ...body, ...action];
      }
    }
  });
  return `${
    markdownFence(parts.flatMap((lines, index) => index === 0 ? lines : ["", ...lines]))
  }\n`;
}

/** Renders one line about the state of a clarification. */
function renderState(record: ClarificationRecord, { style }: RenderView): string {
  const { status, round, maxRounds } = record;
  if (status === "escalated") return `Decide it with: ${decideCommand(record)}`;
  const mark = style[STATUS_STYLE[status]](`[${status.toUpperCase()}]`);
  const waits: Partial<Record<ClarificationStatus, string>> = {
    pending: `waiting for ${agentLabel(record.to)}`,
    stale: `${agentLabel(record.to)} has not answered in time`,
    answered: `${agentLabel(askerOf(record))} may ask again or resolve`,
  };
  return `${mark} round ${round} of ${maxRounds}${waits[status] ? `, ${waits[status]}` : ""}`;
}

/** Formats a time like `2026-02-26 10:00`, in UTC. */
function formatTime(timestamp: string): string {
  return isTime(timestamp) ? minuteOf(timestamp) : terminalLine(timestamp, 16);
}

/** Returns the width to render for, at least `MIN_COLUMNS`. A narrower terminal wraps the lines itself. */
export function columns(width: number): number {
  return Math.max(MIN_COLUMNS, width);
}
