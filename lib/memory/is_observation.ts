/**
 * What of a file can be used as an observation; what was written by hand may break a limit. Pure.
 *
 * @module
 */

import { isObject } from "../checks.ts";
import type { Observation, ObservationIndex } from "./schema.ts";

/** Whether a value can be used as an observation, of a certain issue if one is named. */
export function isObservation(value: unknown, issueNumber?: number): value is Observation {
  if (!isObservationIndex(value)) return false;
  const { content, sessionId } = value as Observation;
  return typeof content === "string" && typeof sessionId === "string" &&
    (issueNumber === undefined || value.issueNumber === issueNumber);
}

/** Whether a value can be used as an entry of the manifest. */
export function isObservationIndex(value: unknown): value is ObservationIndex {
  if (!isObject(value)) return false;
  const { id, agent, issueNumber, category, summary, tokens, timestamp } = value;
  return typeof id === "string" && typeof agent === "string" && typeof category === "string" &&
    typeof summary === "string" && typeof timestamp === "string" &&
    Number.isSafeInteger(issueNumber) && typeof tokens === "number";
}
