/**
 * The inbox for a terminal. Pure; what agents wrote goes through `text.ts`.
 *
 * @module
 */

import { agentLabel } from "../clarify/render/agent_label.ts";
import { listed } from "../text/quote.ts";
import { formatTable } from "../text/table.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { formatDuration } from "../time.ts";
import type { InboxEntry } from "./entry.ts";

/** Names of what stands still, before "and 3 more". */
const MAX_BLOCKED = 4;

/** A line for each entry. */
export function renderInbox(
  entries: readonly InboxEntry[],
  view: RenderView,
  nowMs: number,
): string {
  if (entries.length === 0) return "  Nothing is waiting for you.";
  const rows = entries.map(({ id, kind, issue, created, blocks, topic }) => [
    id,
    kind,
    `#${issue}`,
    formatDuration(Math.max(0, nowMs - Date.parse(created))),
    String(blocks.length),
    topic,
  ]);
  const table = formatTable(["ID", "KIND", "ISSUE", "AGE", "BLOCKS", "TOPIC"], rows, view);
  const next = "Answer one with: agentx inbox answer ID a|b|c|TEXT";
  return `${table}\n\n${view.style.dim(`  ${next}`)}`;
}

/** All that a human needs to decide one. A question and an escalation name their options themselves. */
export function renderInboxEntry(entry: InboxEntry, { style, width }: RenderView): string {
  const { id, kind, agent, issue, content, options, blocks, deadline } = entry;
  const head = `${style.bold(id)}  ${kind} of ${agentLabel(agent)} on issue #${issue}`;
  const facts = [
    ...(blocks.length === 0 ? [] : [`Waiting for this: ${listed(blocks, MAX_BLOCKED)}`]),
    ...(deadline === null ? [] : [`The fallback is taken at ${deadline}`]),
  ];
  return [
    `  ${head}`,
    ...terminalBlock(facts.join("\n"), { indent: "  ", width }).filter(() => facts.length > 0),
    "",
    ...terminalBlock(content.trim(), { indent: "  | ", width }),
    ...(kind !== "assumption" ? [] : [
      "",
      ...options.map(({ label, text }) =>
        `  ${style.bold(label)}) ${terminalLine(text, width - 5)}`
      ),
    ]),
  ].join("\n");
}

/** What was decided. */
export function renderDecision({ id, decision }: { id: string; decision: string }): string {
  return `  ${id}: ${terminalLine(decision, MAX_DECISION)}`;
}

const MAX_DECISION = 200;
