// Questions that are left in an outbox, as text. Pure.

import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import { agentLabel } from "../../text/agent_label.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { LeftQuestion } from "./outbox_asker.ts";

/** How a session that did not wait, or was killed, gets the answer. */
export const COME_BACK = "To get the answer, ask the same again";

/** The most questions that get a line each. */
const MAX_SHOWN = 5;

/** A line for each, after an empty one. */
export function renderLeftQuestions(
  questions: readonly LeftQuestion[],
  { style, width }: RenderView,
): string[] {
  if (questions.length === 0) return [];
  const more = questions.length - MAX_SHOWN;
  return [
    "",
    "  In the outbox, until agentx serve in the main checkout asks for this session:",
    ...questions.slice(0, MAX_SHOWN).map((each) => `    ${terminalLine(textOf(each), width - 4)}`),
    ...more > 0 ? [`    and ${more} more`] : [],
    style.dim(`  ${COME_BACK}.`),
  ];
}

function textOf({ clarificationId, issueNumber, from, to, question, refusal }: LeftQuestion) {
  const about = clarificationId ?? `${agentLabel(to ?? "?")} on #${issueNumber}`;
  const what = refusal === null ? question : `not asked: ${refusal}`;
  return `${agentLabel(from)} to ${about}: ${what}`;
}

/** A question that was left without waiting. */
export interface LeftOutcome
  extends Omit<ClarificationOutcome, "clarificationId" | "clarification"> {
  /** Null until a runner has asked it. */
  clarificationId: string | null;
  clarification: null;
  /** The folder where it is left. */
  outbox: string;
  /** The main checkout, where a runner takes it. */
  root: string;
}

/** Where the question was left, and who asks it. */
export function renderLeft(
  { clarificationId, outbox, root }: LeftOutcome,
  { style }: RenderView,
): string {
  const what = clarificationId === null ? "The question" : style.bold(clarificationId);
  return [
    `  ${what} is left in "${outbox}".`,
    style.dim(`  It is asked by agentx serve in "${root}", outside of this sandbox.`),
    style.dim(`  ${COME_BACK}.`),
  ].join("\n");
}
