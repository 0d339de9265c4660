// Folds the lines of memory, in any order, into observations. Pure.

import type { Observation } from "../schema.ts";
import { byTime } from "../../lines/line.ts";
import type { ChangeLine, MemoryEntry } from "../memory_line.ts";
import type { Tombstones } from "./tombstones.ts";

/** An observation as it is now. */
interface Folded {
  observation: Observation;
  /** Whether it was put into the archive: it is found after all others, and not recalled. */
  isArchived: boolean;
}

/** An observation as one place says it. */
export type Said = Extract<MemoryEntry, { observation: Observation }>;

/**
 * Returns the ids of the lines that were undone. An undo that was itself undone has no effect, so the latest are read
 * first.
 */
export function undoneIn(changes: readonly ChangeLine[]): ReadonlySet<string> {
  const undone = new Set<string>();
  const undos = changes.filter((change) => change.op === "undo");
  for (const change of undos.toSorted(byTime).reverse()) {
    if (!undone.has(change.id)) {
      for (const id of change.undone) undone.add(id);
    }
  }
  return undone;
}

/** Whether all places that say an observation were undone. */
export function isTakenBack(said: readonly Said[], changes: readonly ChangeLine[]): boolean {
  const undone = undoneIn(changes);
  return undone.size > 0 && said.every(({ line }) => line !== undefined && undone.has(line));
}

/**
 * Folds the places and the changes of one observation.
 *
 * @param said all places of one observation
 * @param changes the lines that change it, also under its earlier id
 * @param tombstones the forgotten texts
 * @returns the present observation; undefined if it is forgotten or undone, or has moved to another issue
 */
export function folded(
  said: readonly Said[],
  changes: readonly ChangeLine[],
  tombstones: Tombstones,
): Folded | undefined {
  const undone = undoneIn(changes);
  if (undone.size > 0) {
    said = said.filter(({ line }) => line === undefined || !undone.has(line));
    changes = changes.filter(({ id }) => !undone.has(id));
    if (said.length === 0) return undefined;
  }
  const { observation, from } = said.reduce((a, b) =>
    isPreferred(b.observation, a.observation) ? b : a
  );
  let result = tombstones.cleaned(observation, from);
  if (result === undefined) return undefined;
  let isArchived = said.every((each) => each.isArchived === true);
  if (changes.length === 0) return { observation: result, isArchived };
  const sorted = changes.toSorted(byTime);
  const lastOf = (op: string) => sorted.findLast((change) => change.op === op)?.time ?? "";
  const [archived, restored] = [lastOf("archive"), lastOf("restore")];
  if (archived > restored) isArchived = true;
  else if (restored !== "") isArchived = false;
  for (const change of sorted) {
    if (change.op === "moved" && change.uid === observation.id) return undefined;
    if (change.op === "retract") {
      result = { ...result, retracted: { because: change.because, timestamp: change.time } };
    }
    if (change.op === "anchor") {
      const { anchors: _, commit: __, ...rest }: Observation = result;
      const { anchors, commit } = change;
      result = {
        ...rest,
        ...(commit === null ? {} : { commit }),
        ...(anchors === null ? {} : { anchors }),
      };
    }
  }
  return { observation: result, isArchived };
}

/** Whether version `a` of an observation is preferred to version `b`; the choice is the same on each branch. */
function isPreferred(a: Observation, b: Observation): boolean {
  const [isRetractedA, isRetractedB] = [a, b].map(({ retracted }) => retracted !== undefined);
  if (isRetractedA !== isRetractedB) return isRetractedA;
  return JSON.stringify(a) > JSON.stringify(b);
}
