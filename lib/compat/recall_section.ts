// The section `## Memory Recall`, with the rules of redaction applied. Pure; `quoted_section.ts` documents the
// guarantees.

import { redact } from "../redact/redact.ts";
import type { Observation } from "../memory/schema.ts";
import {
  type Injection,
  type InjectOptions,
  quoteObservations,
} from "../memory/recall/quoted_section.ts";

/**
 * Chooses observations greedily: whole ones while there is room, then one line each.
 *
 * @param candidates the most relevant first; skips observations that were retracted, superseded by another candidate,
 *   or repeat a more relevant one
 * @returns the section, and its observations
 * @throws {RangeError} if a limit is negative
 */
export function injectObservations(
  candidates: readonly Observation[],
  options: InjectOptions = {},
): Injection {
  return quoteObservations(candidates, options, redact);
}
