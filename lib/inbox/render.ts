// Renders the inbox for a terminal. Pure. Text of agents goes through `text.ts`.

import { agentLabel, onMachine } from "../text/agent_label.ts";
import { listed } from "../base/quote.ts";
import { formatTable } from "../text/table.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { formatDuration } from "../base/time.ts";
import type { InboxEntry } from "./entry.ts";

/** Maximum number of names in a list, before "and 3 more". */
const MAX_BLOCKED = 4;

/** Renders the inbox as a table, with one row for each entry. */
export function renderInbox(
  entries: readonly InboxEntry[],
  view: RenderView,
  nowMs: number,
): string {
  if (entries.length === 0) return "  Nothing is waiting for you.";
  const rows = entries.map(({ id, kind, issue, created, blocks, topic }) => [
    id,
    kind,
    issue === 0 ? "-" : `#${issue}`,
    formatDuration(Math.max(0, nowMs - Date.parse(created))),
    String(blocks.length),
    topic,
  ]);
  const table = formatTable(["ID", "KIND", "ISSUE", "AGE", "BLOCKS", "TOPIC"], rows, view);
  const next = "Answer one with: agentx answer ID a|b|c|TEXT";
  return [table, "", ...reasonLines(entries, view), view.style.dim(`  ${next}`)].join("\n");
}

/** Renders the reasons why no agent answers some of the entries, each reason once. */
export function reasonLines(
  entries: readonly InboxEntry[],
  { style, width }: RenderView,
): string[] {
  const reasons = new Set(entries.flatMap(({ reason }) => reason === null ? [] : [reason]));
  return [...reasons].flatMap((reason) => {
    const ids = entries.filter((each) => each.reason === reason).map(({ id }) => id);
    return terminalBlock(`${listed(ids, MAX_BLOCKED)}: ${reason}`, { indent: "  ", width })
      .map(style.dim);
  });
}

/**
 * Renders all that a human needs to decide an entry. Questions and escalations already name their options in the
 * content.
 */
export function renderInboxEntry(entry: InboxEntry, { style, width }: RenderView): string {
  const { id, kind, agent, issue, content, options, blocks } = entry;
  const who = kind === "conflict" ? "" : ` of ${agentLabel(agent)}${onMachine(entry)}`;
  const head = `${style.bold(id)}  ${kind}${who}${issue === 0 ? "" : ` on issue #${issue}`}`;
  const waiting = `Waiting for this: ${listed(blocks, MAX_BLOCKED)}`;
  return [
    `  ${head}`,
    ...blocks.length === 0 ? [] : terminalBlock(waiting, { indent: "  ", width }),
    "",
    ...kind === "escalation"
      ? escalationLines(content, { style, width })
      : terminalBlock(content.trim(), { indent: "  | ", width }),
    ...(!["assumption", "command", "conflict", "plan", "stopped"].includes(kind) ? [] : [
      "",
      ...options.map(({ label, text }) =>
        `  ${style.bold(label)}) ${terminalLine(text, width - label.length - 4)}`
      ),
    ]),
  ].join("\n");
}

/**
 * Renders each fact of an escalation as a heading with text below it. Further lines of an agent's text are indented, so
 * that they do not look like facts.
 */
function escalationLines(
  content: string,
  { style, width }: Pick<RenderView, "style" | "width">,
): string[] {
  const facts = content.trim().split(/\n(?=\S)/);
  return facts.flatMap((fact, index) => {
    const [, name = "", text = fact] = /^([^:\n]{1,60}):[ \n]([^]+)$/.exec(fact) ?? [];
    const heading = name === "Reason" ? "Why you are asked" : terminalLine(name, width - 4);
    return [
      ...index === 0 ? [] : ["  |"],
      ...name === "" ? [] : [`  | ${style.bold(heading)}`],
      ...terminalBlock(text.replace(/^ {4}/gm, ""), { indent: "  |   ", width }),
    ];
  });
}

/** Renders the message to an agent that its plan waits. */
export function renderProposed(id: string): string {
  return `  ${id} waits for a person. Approve it with: agentx answer ${id} a`;
}

export function renderDecision({ id, decision }: { id: string; decision: string }): string {
  return `  ${id}: ${terminalLine(decision, MAX_DECISION)}`;
}

const MAX_DECISION = 200;
