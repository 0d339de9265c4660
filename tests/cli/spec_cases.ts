/**
 * What a piece of input reads, and what it refuses.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Spec } from "../../lib/cli/spec.ts";

export function assertAccepts(spec: Spec, cases: Record<string, unknown>): void {
  for (const [given, expected] of Object.entries(cases)) {
    assertEquals(spec.refuse(given), undefined, given);
    assertEquals(spec.read(given), expected, given);
  }
}

export function assertRefuses(spec: Spec, cases: readonly string[]): void {
  for (const given of cases) {
    const why = spec.refuse(given);
    assert(why !== undefined, `accepts ${given}`);
    assert(why.startsWith("must "));
  }
}
