// Finds the state from elsewhere that would count once its user adopts it.

import { isUnanswered } from "../clarify/schema.ts";
import { orElse } from "../base/errors.ts";
import { InteractionStore } from "../gate/store.ts";
import { TranscriptFiles } from "../run/transcript_files.ts";
import { birthOf, originOf } from "./state_origin.ts";
import type { WorkspaceState } from "./state.ts";

export interface Adoption {
  root: string;
  /** Whether all of it counts already. */
  isOurs: boolean;
  /** Open questions, on which agents would be run. */
  questions: { id: string; from: string; to: string; topic: string }[];
  /** Answers that would answer the next question of their kind. */
  standing: { id: string; question: string; answer: string }[];
  /** Runs that could be resumed. */
  runs: string[];
}

/** The state from elsewhere, without files that git tracks, which count for nobody. */
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
  // If it cannot be read, the commands of the gate say why.
  const foreign = orElse(undefined, () => store.read().foreign) ?? [];
  return foreign.filter(({ always }) => always)
    .map(({ id, request: { question }, decision }) => ({
      id,
      question,
      answer: decision?.text ?? "",
    }));
}
