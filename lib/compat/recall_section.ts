// The section `## Memory Recall` with the rules of redaction at hand. Pure; `quoted_section.ts` says what
// is guaranteed.

import { redact } from "../redact/redact.ts";
import type { Observation } from "../memory/schema.ts";
import {
  type Injection,
  type InjectOptions,
  quoteObservations,
} from "../memory/recall/quoted_section.ts";

/**
 * Chooses greedily, whole as long as there is room, then in one line each.
 *
 * @param candidates the most relevant first; leaves out those that were retracted, superseded by another candidate, or
 *   say the same as a more relevant one
 * @returns the section, and its observations
 * @throws {RangeError} if a limit is negative
 */
export function injectObservations(
  candidates: readonly Observation[],
  options: InjectOptions = {},
): Injection {
  return quoteObservations(candidates, options, redact);
}
