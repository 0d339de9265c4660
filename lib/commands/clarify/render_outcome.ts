// Renders a clarification after a command has changed it.

import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import { decideCommand } from "../../clarify/rules/escalation.ts";
import type {
  ClarificationRecord,
  ClarificationStatus,
  ThreadEntry,
} from "../../clarify/schema.ts";
import { settledAnswer } from "../../clarify/hub/outcome.ts";
import { describeReach, retryState, type Unreached, waysOut } from "../../clarify/reach.ts";
import { agentLabel } from "../../text/agent_label.ts";
import { renderEntry } from "../../clarify/render/threads.ts";

/** A clarification after a command. */
export interface OutcomeOutput {
  clarification: ClarificationRecord;
  /** The party that answers if no agent can be run; absent if one is run. */
  reach?: Unreached;
  isReused?: true;
  similar?: readonly { clarificationId: string; question: string; answer: string }[];
}

const SIMILAR_WIDTH = 300;

/** Renders the last entry that counts, the state, and the next commands. */
export function renderOutcome(
  { clarification, reach, isReused, similar = [] }: OutcomeOutput,
  view: RenderView,
): string {
  const { id, status, to } = clarification;
  const { style } = view;
  const unreached = reach === undefined ? undefined : [
    terminalLine(`${describeReach(reach)};`),
    ...waysOut(reach, id).map((line) => style.dim(terminalLine(line))),
  ];
  const last = isReused ? settledAnswer(clarification) : lastOf(clarification);
  const shown = last && last.type !== "question"
    ? [renderEntry(clarification, last, view), ""]
    : [];
  const lines: Record<ClarificationStatus, string[]> = {
    pending: [
      `${style.bold(id)} is waiting for an answer from ${agentLabel(to)}.`,
      ...unreached ?? [
        style.dim(`Wait for it with: agentx clarify wait ${id}`),
        style.dim(`Run its agent, if nobody does: agentx clarify run ${id}`),
      ],
    ],
    stale: [
      `${style.bold(id)} has waited too long for ${agentLabel(to)}.`,
      ...unreached ?? [
        style.dim(`It is stale: ${retryState(clarification, { by: "run" })}`),
        style.dim(`Answer it with: agentx answer ${id} "..."`),
      ],
    ],
    answered: [
      `${style.bold(id)} is answered.`,
      style.dim(`Ask again with: agentx ask ${id} "..."`),
      style.dim(`Done with it: agentx clarify resolve ${id} "..."`),
    ],
    resolved: [`${style.bold(id)} is resolved.`],
    escalated: [
      `${style.bold(id)} needs a human decision.`,
      style.dim(`Decide it with: ${decideCommand(clarification)}`),
    ],
    abandoned: [`${style.bold(id)} is abandoned.`],
  };
  const known = [
    ...isReused ? ["Asked before: this answer still holds. Ask again with: --again"] : [],
    ...similar.map(({ clarificationId, question, answer }) =>
      terminalLine(`Much like ${clarificationId}: ${question} Answered: ${answer}`, SIMILAR_WIDTH)
    ),
  ].map((line) => `  ${style.dim(line)}`);
  return [...shown, ...lines[status].map((line) => `  ${line}`), ...known].join("\n");
}

/** Returns the last entry that counts; a late answer may stand behind it. */
function lastOf({ status, round, thread }: ClarificationRecord): ThreadEntry | undefined {
  if (status !== "answered") return thread.at(-1);
  return thread.find((entry) => entry.type === "answer" && entry.round === round);
}
