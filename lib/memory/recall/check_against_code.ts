// Checks recalled observations against the code. Those that hold come first, those on changed code get a remark, and
// those on deleted code are left out. Pure except for the tree that it reads.

import { anchorsIn, anchorStanding, type SourceTree, type Standing } from "../anchors/anchors.ts";
import { contradictionsIn } from "../last_word.ts";
import type { Observation } from "../schema.ts";

/** The checked observations. */
export interface CheckedAgainstCode {
  /** The observations, in the order of their quotes in the recall. */
  candidates: Observation[];
  /** Remarks on observations, by id; not safe to print as they are. */
  remarks: Map<string, string>;
}

/** Number of observations to compare with the code; lower ranks are rarely quoted. */
const MAX_COMPARED = 60;

/** Maximum number of changes that a remark names. */
const MAX_CHANGES = 2;

/** Orders the ranked observations and adds remarks; without a tree, nothing is compared. */
export function checkAgainstCode(
  ranked: readonly Observation[],
  tree: SourceTree | undefined,
  { withGone = false }: { withGone?: boolean } = {},
): CheckedAgainstCode {
  const standings = new Map<string, Standing>();
  const compared = ranked.slice(0, MAX_COMPARED);
  if (tree !== undefined) {
    for (const observation of compared) {
      const anchors = anchorsIn(observation);
      if (anchors.length > 0) standings.set(observation.id, anchorStanding(anchors, tree));
    }
  }
  const stateOf = ({ id }: Observation) => standings.get(id)?.state ?? "unknown";
  const kept = ranked.filter((each) => withGone || stateOf(each) !== "gone");
  const isInDoubt = (each: Observation) => ["changed", "gone"].includes(stateOf(each));
  const candidates = [
    ...kept.filter((each) => !isInDoubt(each)),
    ...kept.filter(isInDoubt),
  ];
  const remarks = new Map(kept.filter(isInDoubt).map((each) => [each.id, remarkOf(each)]));
  for (const { younger, older } of contradictionsIn(compared.filter(isCurrent), ["replaced"])) {
    lead(candidates, younger, older);
    const known = remarks.get(older);
    const remark = `contradicted by the later ${younger}`;
    remarks.set(older, known === undefined ? remark : `${remark}; ${known}`);
  }
  return { candidates, remarks };

  function remarkOf(observation: Observation): string {
    const { state, changes } = standings.get(observation.id)!;
    const commit = observation.commit?.slice(0, 8);
    const since = commit === undefined ? "since it was recorded" : `since ${commit}`;
    return `${state} ${since}: ${changes.slice(0, MAX_CHANGES).join("; ")}`;
  }
}

function isCurrent({ retracted }: Observation): boolean {
  return retracted === undefined;
}

/** Moves the younger of two contradicting observations right before the older one. */
function lead(candidates: Observation[], younger: string, older: string): void {
  const from = candidates.findIndex(({ id }) => id === younger);
  const to = candidates.findIndex(({ id }) => id === older);
  if (from > to && to >= 0) candidates.splice(to, 0, ...candidates.splice(from, 1));
}
