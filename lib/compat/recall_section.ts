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
 * @param candidates the most relevant first; those that were retracted, or superseded by another
 *   candidate, are left out, and so is what says the same as a more relevant one
 * @returns the section, and what is in it
 * @throws {RangeError} if a limit is negative
 */
export function injectObservations(
  candidates: readonly Observation[],
  options: InjectOptions = {},
): Injection {
  return quoteObservations(candidates, options, redact);
}
