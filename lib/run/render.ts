// Renders the steps of an agentic loop for people: the PRD's "Chat Stream Example". Pure. Texts of models and agents
// go through `text.ts` and are indented, so that none of their lines looks like a line of agentx.

import { roleOf } from "../base/agent_names.ts";
import { displayName } from "../text/agent_label.ts";
import { askerOf, type ClarificationRecord, lastEntry } from "../clarify/schema.ts";
import { terminalBlock, terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import type { LoopReport, LoopStep } from "./steps.ts";
import { firstSentences } from "./thread_summary.ts";

const MIN_COLUMNS = 40;

export function renderStep(step: LoopStep, view: RenderView): string {
  const { style, width } = view;
  const block = (text: string) => terminalBlock(text, { indent: "  ", width });
  switch (step.kind) {
    case "begin": {
      const { agent, issueNumber, id, isResumed } = step;
      const does = isResumed ? "Continuing" : "Working on";
      return `${nameOf(agent, view)} ${does} #${issueNumber}... ${style.dim(`(session ${id})`)}`;
    }
    case "text":
      return renderWords(step.agent, step.text, view);
    case "tool":
      return style.dim(terminalLine(`  ${step.tool} ${step.detail}`.trimEnd(), width));
    case "failed":
      return block(firstSentences(`${step.tool} failed: ${step.reason}`)).map(style.yellow).join(
        "\n",
      );
    case "retry":
      return block(`The model failed (${step.reason}); asking again`).map(style.yellow).join("\n");
    case "compacted":
      return style.dim(
        `  Context compacted: ${step.originalTokens} -> ${step.compactedTokens} tokens`,
      );
    case "asked":
      return renderAsked(step, view, block).join("\n");
    case "answered":
      return renderAnswered(step.clarification, view);
    case "settled":
      return `\n${nameOf(askerOf(step.clarification), view)} Clarification resolved. Continuing...`;
    case "end":
      return [
        ...renderEnd(step.report, view, block),
        "",
        ...step.budget.split("\n").map((line) => style.dim(line)),
      ].join("\n");
  }
}

type Block = (text: string) => string[];

function renderAsked(
  { clarification: record, reach }: Extract<LoopStep, { kind: "asked" }>,
  { style }: RenderView,
  block: Block,
): string[] {
  const [from, to] = [askerOf(record), record.to].map((name) => displayName(roleOf(name)));
  return [
    "",
    `${style.bold(`[${from} -> ${to}]`)} Clarification needed (${record.id}):`,
    ...block(lastEntry(record, "question")?.body ?? ""),
    ...reach === undefined ? ["", `  [Routing to ${to} automatically...]`] : [],
  ];
}

function renderAnswered({ thread, to }: ClarificationRecord, view: RenderView): string {
  const entry = thread.findLast(({ type }) => type === "answer" || type === "resolution");
  return renderWords(entry?.from ?? to, entry?.body ?? "", view);
}

/**
 * Renders words after the name of their author. The name shortens the first line, so the width is reduced to keep the
 * terminal from breaking it.
 */
function renderWords(agent: string, text: string, view: RenderView): string {
  const name = nameOf(agent, view);
  const taken = displayName(roleOf(agent)).length + 1;
  const width = Math.max(MIN_COLUMNS, view.width - taken);
  const [first, ...rest] = terminalBlock(text, { indent: "  ", width });
  return ["", `${name} ${first.trimStart()}`, ...rest].join("\n");
}

function renderEnd(report: LoopReport, { style }: RenderView, block: Block): string[] {
  const { id, exit, text, iterations, toolCalls } = report;
  const end = exit === "complete" ? "complete" : "stopped";
  const how = `Loop ${end}: iterations=${iterations}, tools=${toolCalls}, exit=${exit}.`;
  const resume = style.dim(
    `Resume it with: agentx run --resume ${id}${exit === "stuck" ? " PROMPT" : ""}`,
  );
  switch (exit) {
    case "complete":
      return ["", how];
    case "escalated":
      return [
        "",
        `${style.red("[ESCALATED]")} A human has to decide:`,
        ...block(text),
        "",
        how,
        ...report.clarifications.slice(-1).map((clr) =>
          style.dim(`Decide it with: agentx answer ${clr} "..."`)
        ),
        resume,
      ];
    default:
      return ["", ...block(text), "", how, resume];
  }
}

function nameOf(agent: string, { style }: RenderView): string {
  return style.bold(`[${displayName(roleOf(agent))}]`);
}
