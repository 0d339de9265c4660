/**
 * What searches and recalls may show. Pure.
 *
 * @module
 */

import type { Observation } from "./schema.ts";

/**
 * An observation is hidden once it was retracted, or while one that was not retracted supersedes it.
 *
 * @param observations all of them
 * @returns the ids of the hidden ones
 */
export function hiddenIds(observations: readonly Observation[]): Set<string> {
  const hidden = new Set<string>();
  for (const { id, supersedes, retracted } of observations) {
    if (retracted !== undefined) hidden.add(id);
    else if (supersedes !== undefined) hidden.add(supersedes);
  }
  return hidden;
}
