/**
 * What searches and recalls may show. Pure.
 *
 * @module
 */

import type { Observation } from "./schema.ts";

/** The ids of those that were retracted, or that one that was not retracted supersedes. */
export function supersededIds(observations: readonly Observation[]): Set<string> {
  const hidden = new Set<string>();
  for (const { id, supersedes, retracted } of observations) {
    if (retracted !== undefined) hidden.add(id);
    else if (supersedes !== undefined) hidden.add(supersedes);
  }
  return hidden;
}
