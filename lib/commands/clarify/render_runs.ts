// Renders the runs at open questions for a terminal. Pure.

import { listed } from "../../base/quote.ts";
import { terminalBlock, terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import {
  describeReach,
  describeRun,
  type OpenRun,
  REPLY_HERE,
  retryState,
  type Unreached,
  waysOut,
} from "../../clarify/reach.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import { columns } from "../../clarify/render/threads.ts";

/** Maximum number of questions without a running process that get a line each. */
const MAX_UNTOUCHED = 5;

/**
 * Renders the runs of the open questions among some clarifications: an empty line, then one line for each. Many
 * questions without a running process share a line, and so do questions to a role that no agent can be run for.
 */
export function renderRuns(
  records: readonly ClarificationRecord[],
  runs: readonly OpenRun[],
  { style, width, nowMs }: RenderView & { nowMs: number },
): string[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const reached = runs.filter(({ state, reach }) => state !== "nobody" || reach.by === "run");
  const isPlain = ({ state, clarificationId, hasReply }: OpenRun) =>
    state === "nobody" && !hasReply && byId.get(clarificationId)?.status === "pending";
  const untouched = reached.filter(isPlain);
  const isMany = untouched.length > MAX_UNTOUCHED;
  const lines = reached.filter((run) => !(isMany && isPlain(run)))
    .map((run) => runLine(byId.get(run.clarificationId)!, run, nowMs));
  if (isMany) {
    const of = lines.length > 0 ? "more" : "of them";
    lines.push(
      `no process is running ${untouched.length} ${of}; run one with: agentx clarify run ID`,
    );
  }
  const shown = [
    ...lines.map((line) => `  ${terminalLine(line, columns(width) - 2)}`),
    ...renderUnreached(runs, width),
  ];
  return shown.length === 0 ? [] : ["", ...shown.map((line) => style.dim(line))];
}

/**
 * Renders why no agent can be run for some open questions, and the way out for a person, once for questions with the
 * same reason. It cuts no text that a decision needs.
 */
export function renderUnreached(runs: readonly OpenRun[], width: number): string[] {
  const byText = new Map<string, { ids: string[]; reach: Unreached }>();
  for (const { clarificationId, state, reach } of runs) {
    if (state !== "nobody" || reach.by === "run") continue;
    const { ids } = byText.get(describeReach(reach)) ?? { ids: [] };
    byText.set(describeReach(reach), { ids: [...ids, clarificationId], reach });
  }
  const block = { indent: "  ", width: columns(width) };
  return Array.from(byText, ([text, { ids, reach }]) => {
    const out = waysOut(reach, ids.length === 1 ? ids[0] : "ID"); // commands are not wrapped
    return [
      ...terminalBlock(`${listed(ids, MAX_UNTOUCHED)}: ${text}`, block),
      ...out.map((line) => `    ${terminalLine(line)}`),
    ];
  }).flat();
}

function runLine(
  { id, status, retriedAt }: ClarificationRecord,
  run: OpenRun,
  nowMs: number,
): string {
  if (run.state !== "nobody") return `${id}: ${describeRun(run, nowMs)}`;
  if (run.hasReply) return `${id}: ${REPLY_HERE}; take it: agentx clarify run ${id}`;
  if (status === "pending") {
    return `${id}: ${describeRun(run, nowMs)}; run it: agentx clarify run ${id}`;
  }
  if (!retriedAt) return `${id} is stale: ${retryState({ id }, run.reach)}`;
  return `${id} is stale, its retry was cut off: agentx clarify run ${id}`;
}
