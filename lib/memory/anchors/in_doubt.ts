// Finds observations that may no longer be true. Pure except for the tree that it reads.

import { anchorsIn, anchorStanding, type SourceTree, type Standing } from "./anchors.ts";
import { contradictionsIn } from "../last_word.ts";
import { type Observation, supersededIds } from "../schema.ts";

/** An observation, and why it may no longer be true. */
export interface InDoubt {
  /** The observation in doubt. */
  observation: Observation;
  /** The state of the code that it names. */
  standing: Standing;
  /** Ids of later observations that contradict this one. */
  contradictedBy: string[];
}

/**
 * Observations in doubt: first those on deleted code, then those on changed code, then contradicted ones.
 */
export function findInDoubt(
  observations: readonly Observation[],
  tree: SourceTree | undefined,
): InDoubt[] {
  const hidden = supersededIds(observations);
  const current = observations.filter(({ id }) => !hidden.has(id));
  const contradictions = contradictionsIn(current, ["replaced", "unsure"]);
  const order: Standing["state"][] = ["gone", "changed", "unknown", "same"];
  return current.map((observation): InDoubt => ({
    observation,
    standing: tree === undefined
      ? { state: "unknown", changes: [] }
      : anchorStanding(anchorsIn(observation), tree),
    contradictedBy: contradictions
      .filter(({ older }) => older === observation.id).map(({ younger }) => younger),
  })).filter(({ standing: { state }, contradictedBy }) =>
    state === "gone" || state === "changed" || contradictedBy.length > 0
  ).sort((a, b) => order.indexOf(a.standing.state) - order.indexOf(b.standing.state));
}
