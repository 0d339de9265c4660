/**
 * The outbox of this session, and the questions in it that are in no ledger yet.
 *
 * @module
 */

import { agentLabel } from "../../clarify/render/agent_label.ts";
import type { ClarificationOutcome } from "../../clarify/outcome.ts";
import { sys } from "../../sys/mod.ts";
import { terminalLine } from "../../text/text.ts";
import type { RenderView } from "../../text/view.ts";
import type { Outbox } from "./outbox.ts";
import type { LeftQuestion } from "./outbox_asker.ts";
import { namedOutbox, OUTBOX_VARIABLE, outboxFolder } from "./outbox_folder.ts";

/** The variables of the session. */
type Env = (name: string) => string | undefined;

/** How a session that did not wait, or was killed, gets the answer. */
export const COME_BACK = "To get the answer, ask the same again";

/** At most this many questions get a line each. */
const MAX_SHOWN = 5;

/**
 * @returns the outbox that the session uses
 * @throws {AgentxError} `INVALID_INPUT` where the variable does not name an absolute path
 */
export async function outboxHere(env: Env, tree: string): Promise<Outbox> {
  const { Outbox, outboxOf } = await import("./outbox.ts");
  const named = namedOutbox(env(OUTBOX_VARIABLE));
  return named === undefined ? outboxOf(tree) : new Outbox(named);
}

/**
 * @returns the questions in the outbox that no runner has asked
 * @throws {AgentxError} `IO_ERROR`; `INVALID_INPUT` where the variable names no absolute path
 */
export async function questionsLeftHere(
  env: Env,
  tree: string,
): Promise<LeftQuestion[]> {
  const folder = namedOutbox(env(OUTBOX_VARIABLE)) ?? outboxFolder(tree);
  if (sys.lstat(folder) === undefined) return []; // as mostly
  const { leftQuestions } = await import("./outbox_asker.ts");
  return leftQuestions(await outboxHere(env, tree));
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

/** @returns where the question was left, and how it goes on */
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
