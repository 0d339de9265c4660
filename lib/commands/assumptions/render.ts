// Assumptions as text. Pure; what agents and people wrote is made safe here.

import { agentLabel } from "../../text/agent_label.ts";
import { formatTable } from "../../text/table.ts";
import { terminalBlock } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Assumption } from "../../gate/assumption.ts";
import { riskLevel } from "../../gate/request.ts";

/** The start column of a fact. */
const FACT = 14;

/** Renders assumptions as a table, the oldest first. */
export function renderAssumptions(
  assumptions: readonly Assumption[],
  view: RenderView,
): string {
  if (assumptions.length === 0) return "  No assumptions.";
  const rows = assumptions.map((one) => [
    one.id,
    `#${one.issue}`,
    one.status,
    riskLevel(one.risk_if_wrong) ?? "-",
    agentLabel(one.agent),
    one.decision,
  ]);
  const headings = [
    "ID",
    { whole: "ISSUE" },
    { whole: "STATUS" },
    { whole: "RISK" },
    { spare: "AGENT" },
    "DECISION",
  ];
  return formatTable(headings, rows, view);
}

/** Renders an assumption with all its facts. */
export function renderAssumption(one: Assumption, { style, width }: RenderView): string {
  const facts = [
    ["Status", one.supersededBy === null ? one.status : `superseded by ${one.supersededBy}`],
    ["Agent", `${agentLabel(one.agent)}, issue #${one.issue}`],
    ["Source", one.user_response],
    ["Why", one.reasoning],
    ["Confidence", one.confidence],
    ["Risk", one.risk_if_wrong],
    ["Because", one.because],
    ["Remembered", one.observation],
  ] as const;
  const block = (label: string, value: string) => {
    const [first, ...rest] = terminalBlock(value, { indent: " ".repeat(FACT), width });
    return [`  ${label.padEnd(FACT - 2)}${first.slice(FACT)}`, ...rest];
  };
  return [
    ...block(one.id, one.decision).map(style.bold),
    ...facts.flatMap(([label, value]) => value === null ? [] : block(label, value)),
  ].join("\n");
}
