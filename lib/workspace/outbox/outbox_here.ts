// The outbox of this session, and the questions in it that are in no ledger yet.

import { sys } from "../../sys/mod.ts";
import type { Outbox } from "./outbox.ts";
import type { LeftQuestion } from "./outbox_asker.ts";
import { namedOutbox, OUTBOX_VARIABLE, outboxFolder } from "./outbox_folder.ts";

type Env = (name: string) => string | undefined;

/**
 * The outbox that the session uses; throws `INVALID_INPUT` where the variable names no absolute
 * path.
 */
export async function outboxHere(env: Env, tree: string): Promise<Outbox> {
  const { Outbox, outboxOf } = await import("./outbox.ts");
  const named = namedOutbox(env(OUTBOX_VARIABLE));
  return named === undefined ? outboxOf(tree) : new Outbox(named);
}

/** The questions in the outbox that no runner has asked. */
export async function questionsLeftHere(
  env: Env,
  tree: string,
): Promise<LeftQuestion[]> {
  const folder = namedOutbox(env(OUTBOX_VARIABLE)) ?? outboxFolder(tree);
  if (sys.lstat(folder) === undefined) return []; // as mostly
  const { leftQuestions } = await import("./outbox_asker.ts");
  return leftQuestions(await outboxHere(env, tree));
}
