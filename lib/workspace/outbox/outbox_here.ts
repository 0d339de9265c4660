// The outbox of this session, and the questions in it that are in no ledger yet.

import { sys } from "../../sys/mod.ts";
import { Outbox, outboxOf } from "./outbox.ts";
import { type LeftQuestion, leftQuestions } from "./outbox_asker.ts";
import { namedOutbox, OUTBOX_VARIABLE, outboxFolder } from "./outbox_folder.ts";

type Env = (name: string) => string | undefined;

/**
 * The outbox that the session uses; throws `INVALID_INPUT` where the variable names no absolute
 * path.
 */
export function outboxHere(env: Env, tree: string): Outbox {
  const named = namedOutbox(env(OUTBOX_VARIABLE));
  return named === undefined ? outboxOf(tree) : new Outbox(named);
}

/** The questions in the outbox that no runner has asked; none in one that is named so that nobody could ask. */
export function questionsLeftHere(
  env: Env,
  tree: string,
): LeftQuestion[] {
  const folder = env(OUTBOX_VARIABLE) || outboxFolder(tree);
  if (!folder.startsWith("/") || sys.lstat(folder) === undefined) return []; // as mostly
  return leftQuestions(outboxHere(env, tree));
}
