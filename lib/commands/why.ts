// `agentx why`: explains a line by its commit, its issue, the decisions on the issue, and its author.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { minuteOf } from "../base/time.ts";
import { quote } from "../base/quote.ts";
import { defineCommand } from "../cli/command.ts";
import { argument, rule } from "../cli/spec.ts";
import { usageError } from "../cli/usage_error.ts";
import { sys } from "../sys/mod.ts";
import { agentLabel } from "../text/agent_label.ts";
import { terminalLine } from "../text/text.ts";
import type { RenderView } from "../text/view.ts";
import { type IssueDecision, type Why, whyOf } from "../why/why.ts";

/** Maximum number of decisions to show; older ones are in the threads of the issue. */
const MAX_DECISIONS = 5;

export const command = defineCommand({
  kind: "why",
  examples: ["agentx why src/cart.ts:12", "agentx why src/cart.ts --json"],
  input: {
    place: argument(
      rule(/^(?!.*:0+$)./s, "be a file, or a file, a colon and a line from 1"),
      "A file, or FILE:LINE",
      { placeholder: "FILE[:LINE]" },
    ),
  },
  positional: ["place"],
  async run({ name, openState }, { place }) {
    const { file, line } = placeIn(name, place);
    return { output: await whyOf(await openState(), file, line) };
  },
  render,
});

/** Splits a place into file and line. A file name may itself contain a colon and digits, so it is tried first. */
function placeIn(name: string, text: string): { file: string; line?: number } {
  const [, path = text, number] = /^(.+):(\d+)$/.exec(text) ?? [];
  const whole = sys.realPath(text);
  if (whole !== undefined) return { file: whole };
  const file = sys.realPath(path);
  if (file !== undefined) return { file, line: number === undefined ? undefined : Number(number) };
  const [, start, rest] = /^(.+?):(.*)$/.exec(text) ?? [];
  if (start !== undefined && sys.realPath(start) !== undefined) {
    const why = `${quote(rest)} is no line, which is one number from 1`;
    throw usageError(name, { field: "FILE[:LINE]", value: text, why });
  }
  throw new AgentxError("NOT_FOUND", `Cannot explain "${path}": there is no such file`, {
    details: { kind: "file", id: path },
    next: "Name a file that is committed; for one that was removed: git log -- FILE",
  });
}

function render(why: Why, { style, width }: RenderView): string {
  const { path, line, text, commit, writtenBy, notes, issue, steps, decisions } = why;
  const row = (name: string, value: string) =>
    `  ${style.dim(name.padEnd(11))}${terminalLine(value, width - 13)}`;
  const head = `  ${style.bold(terminalLine(line === null ? path : `${path}:${line}`))}`;
  const shown = text === null ? head : `${head}  ${terminalLine(text.trim(), width - 16)}`;
  if (commit === null) return `${shown}\n  Not committed yet: nothing is recorded about it.`;
  const { id, author, authored, subject } = commit;
  const rows = [
    row("Commit", `${id.slice(0, 10)} ${subject}`),
    row("", `${author}, ${minuteOf(authored)} UTC`),
    ...writtenBy === null ? [] : [row("Written by", writerLine(writtenBy))],
    ...issue === null ? [] : [row("Issue", `#${issue.number} ${issue.title ?? "(not kept here)"}`)],
    ...steps.map(({ step, op, by, time }) =>
      row("Step", `${step}: ${op} by ${deciderOf({ by })}, ${minuteOf(time)} UTC`)
    ),
    ...decisions.slice(0, MAX_DECISIONS).flatMap((each) => [
      row("Decided", `${each.id}: ${each.question}`),
      row("", `${each.answer} - ${deciderOf(each)}, ${minuteOf(each.decided)} UTC`),
    ]),
    ...decisions.length <= MAX_DECISIONS
      ? []
      : [row("", `and ${decisions.length - MAX_DECISIONS} more: agentx clarify ${issue?.number}`)],
    ...notes.map(({ agent, summary }) => row("Noted", `${agentLabel(agent)}: ${summary}`)),
  ];
  if (writtenBy === null && issue === null && notes.length === 0) {
    rows.push(row("", "Nothing else is recorded: the commit names no issue."));
  }
  return [shown, ...rows].join("\n");
}

function writerLine(
  { agent, tool, model, session, source }: NonNullable<Why["writtenBy"]>,
): string {
  if (source === "workflow") return `${agentLabel(agent!)} (step of agentx workflow run)`;
  const parts = [tool, model, session && `session ${session}`].filter((part) => part);
  return `${parts.join(", ")} (${source === "git-ai" ? "note of git-ai" : "Agent Trace"})`;
}

function deciderOf({ by }: Pick<IssueDecision, "by">): string {
  if (by === "timeout") return "nobody answered, so this was assumed";
  return by === HUMAN ? "a person" : agentLabel(by);
}
