/**
 * Observations of an issue that got another number. Pure.
 *
 * @module
 */

import { type Observation, parseObservationId } from "../schema.ts";

/** The number that each issue has now, by its `uid`. */
export type NumbersByUid = ReadonlyMap<string, number>;

/**
 * @param observation any observation
 * @param numbers of all issues
 * @returns the number that its issue has now; undefined if that is still its own, or not known
 */
export function newNumberOf(
  { issueUid, issueNumber }: Observation,
  numbers: NumbersByUid,
): number | undefined {
  const number = issueUid === undefined ? undefined : numbers.get(issueUid);
  return number === issueNumber ? undefined : number;
}

/**
 * @param id of an observation
 * @param issueNumber the new number of its issue
 * @returns the id that it has there: the same on every clone
 */
export function renumberedId(id: string, issueNumber: number): string {
  const { agent, issueNumber: before } = parseObservationId(id);
  const start = `obs-${agent}-`;
  return `${start}${issueNumber}${id.slice(start.length + String(before).length)}`;
}

/**
 * @param observation any observation
 * @param issueNumber the new number of its issue
 * @param ids the new ids of all that move with it, by the old ones
 * @returns the observation as that issue has it
 */
export function renumbered(
  observation: Observation,
  issueNumber: number,
  ids: ReadonlyMap<string, string>,
): Observation {
  const { id, supersedes, replaces, ...rest } = observation;
  const now = (id: string) => ids.get(id) ?? id;
  return {
    ...rest,
    id: now(id),
    issueNumber,
    ...(supersedes === undefined ? {} : { supersedes: now(supersedes) }),
    ...(replaces === undefined ? {} : { replaces: replaces.map(now) }),
  };
}
