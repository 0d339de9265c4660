/**
 * What differs between two states of some issues.
 *
 * @module
 */

import type { Observation } from "../schema.ts";
import type { IndexChange } from "../search/search_index.ts";
import { type FileVersions, issueOfFile } from "./file_versions.ts";

/** The issues of which a file came, went or changed. */
export function issuesThatDiffer(before: FileVersions, after: FileVersions): Set<number> {
  const names = [...before.keys(), ...after.keys()];
  const differ = names.filter((name) => before.get(name) !== after.get(name));
  return new Set(differ.map((name) => issueOfFile(name) as number));
}

/**
 * What came and what went between two states of some issues; what was altered goes and comes, unless
 * it was only retracted.
 */
export function differenceOf(
  before: readonly Observation[],
  after: readonly Observation[],
): IndexChange {
  const known = new Map(before.map((each) => [each.id, each]));
  const isSame = (each: Observation) => {
    const other = known.get(each.id);
    return other !== undefined && (!other.retracted || each.retracted !== undefined) &&
      isAlike(other, each);
  };
  const same = new Set(after.filter(isSame).map(({ id }) => id));
  const isNewlyRetracted = ({ id, retracted }: Observation) =>
    retracted !== undefined && !(same.has(id) && known.get(id)?.retracted);
  return {
    added: after.filter(({ id }) => !same.has(id)),
    removed: before.filter(({ id }) => !same.has(id)).map(({ id }) => id),
    retracted: after.filter(isNewlyRetracted).map(({ id }) => id),
  };
}

/** Whatever the order of their keys, which is another one in the index. */
function isAlike(a: Observation, b: Observation): boolean {
  const [ofA, ofB] = [a, b].map((each) => ({ ...each, retracted: undefined }));
  const keys = new Set([...Object.keys(ofA), ...Object.keys(ofB)]) as Set<keyof Observation>;
  for (const key of keys) {
    if (ofA[key] !== ofB[key] && JSON.stringify(ofA[key]) !== JSON.stringify(ofB[key])) {
      return false;
    }
  }
  return true;
}
