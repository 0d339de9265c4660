/**
 * The outbox of this session, and the questions in it that are in no ledger yet.
 *
 * @module
 */

import { sys } from "../../sys/mod.ts";
import type { Outbox } from "./outbox.ts";
import type { LeftQuestion } from "./outbox_asker.ts";
import { namedOutbox, OUTBOX_VARIABLE, outboxFolder } from "./outbox_folder.ts";

/** The variables of the session. */
type Env = (name: string) => string | undefined;

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
