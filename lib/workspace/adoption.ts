// Finds the parts of a foreign state that would count once the user adopts the state.

import { isUnanswered } from "../clarify/schema.ts";
import { orElse } from "../base/errors.ts";
import { InteractionStore } from "../gate/store.ts";
import { TranscriptFiles } from "../run/transcript_files.ts";
import { birthOf, originOf } from "./state_origin.ts";
import type { WorkspaceState } from "./state.ts";

export interface Adoption {
  root: string;
  /** Whether the state already counts as this user's own. */
  isOurs: boolean;
  /** Open questions that agents would be run for. */
  questions: { id: string; from: string; to: string; topic: string }[];
  /** Standing answers, which would answer the next question of their kind. */
  standing: { id: string; question: string; answer: string }[];
  /** Ids of runs that could be resumed. */
  runs: string[];
}

/** Lists what adopting a state would enable. Files that git tracks are left out, because they never count. */
export function adoptionOf(state: WorkspaceState): Adoption {
  const { root } = state;
  const { isOurs } = birthOf(root);
  if (isOurs) return { root, isOurs, questions: [], standing: [], runs: [] };
  const { locks, ledger } = state.records();
  const { clarifications } = ledger.scan();
  return {
    root,
    isOurs,
    questions: clarifications.filter((record) => record.foreign && isUnanswered(record))
      .map(({ id, from, to, topic }) => ({ id, from, to, topic })),
    standing: standingAnswersIn(
      new InteractionStore(`${root}/.agentx/state/agent-interactions.json`, {
        locks,
        origin: originOf(root),
      }),
    ),
    runs: new TranscriptFiles(`${root}/.agentx`).ids(),
  };
}

function standingAnswersIn(store: InteractionStore): Adoption["standing"] {
  // If the file cannot be read, the commands of the gate report the reason.
  const foreign = orElse(undefined, () => store.read().foreign) ?? [];
  return foreign.filter(({ always }) => always)
    .map(({ id, request: { question }, decision }) => ({
      id,
      question,
      answer: decision?.text ?? "",
    }));
}
