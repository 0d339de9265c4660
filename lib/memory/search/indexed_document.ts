/**
 * What the search index keeps of an observation. Pure.
 *
 * @module
 */

import { encodeJson } from "../../text/text.ts";
import { hash53 } from "../hash.ts";
import { indexOf, type Observation } from "../schema.ts";
import { type IndexedDocument, withCheck } from "./segment.ts";
import { termsOf } from "./tokens.ts";

const encoder = new TextEncoder();

/**
 * @param observation any observation
 * @returns it, ready to be indexed
 */
export function indexedDocument(observation: Observation): IndexedDocument {
  const list = termsOf(observation.content);
  const terms = new Map<string, number>();
  for (const term of list) terms.set(term, (terms.get(term) ?? 0) + 1);
  return {
    idHash: hash53(observation.id),
    sessionHash: hash53(observation.sessionId),
    timeMs: Date.parse(observation.timestamp) || 0,
    issueNumber: observation.issueNumber,
    length: list.length,
    agent: observation.agent,
    category: observation.category,
    entry: withCheck(encoder.encode(encodeJson(indexOf(observation)))),
    terms,
  };
}

/**
 * @param observations those that may correct others
 * @returns for each that does, the hash of the id that it supersedes, and of its own
 */
export function supersededBy(observations: readonly Observation[]): Array<[number, number]> {
  return observations.flatMap(({ id, supersedes }) =>
    supersedes === undefined ? [] : [[hash53(supersedes), hash53(id)]]
  );
}
