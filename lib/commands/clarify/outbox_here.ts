/**
 * The outbox of this session, and the questions in it that are in no ledger yet.
 *
 * @module
 */

import { agentLabel } from "../../clarify/render/threads.ts";
import type { Io } from "../../cli/io.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Outbox } from "../../workspace/outbox/outbox.ts";
import type { LeftQuestion } from "../../workspace/outbox/outbox_asker.ts";
import { OUTBOX_VARIABLE, outboxFolder } from "../../workspace/outbox/outbox_folder.ts";

/** How a session that did not wait, or was killed, gets the answer. */
export const COME_BACK = "To get the answer, ask the same again";

/** So many questions get a line each. */
const MAX_SHOWN = 5;

/** @returns the outbox that the session uses */
export async function outboxHere(io: Pick<Io, "env">, tree: string): Promise<Outbox> {
  const { Outbox, outboxOf } = await import("../../workspace/outbox/outbox.ts");
  const named = io.env(OUTBOX_VARIABLE);
  return named ? new Outbox(named) : outboxOf(tree);
}

/**
 * @returns the questions in the outbox that no runner has asked
 * @throws {AgentxError} `IO_ERROR`
 */
export async function questionsLeftHere(
  io: Pick<Io, "env">,
  tree: string,
): Promise<LeftQuestion[]> {
  const folder = io.env(OUTBOX_VARIABLE) || outboxFolder(tree);
  if (sys.lstat(folder) === undefined) return []; // as mostly
  const { leftQuestions } = await import("../../workspace/outbox/outbox_asker.ts");
  return leftQuestions(await outboxHere(io, tree));
}

/** @returns a line for each, after an empty one */
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
