/**
 * An observation that is made here, with an id of its own.
 *
 * @module
 */

import { described, type Observation } from "./schema.ts";

/** What is not derived from the rest. */
export interface ObservationParts
  extends Pick<Observation, "agent" | "issueNumber" | "category" | "content" | "sessionId"> {
  /** Milliseconds since the epoch. */
  timestampMs: number;
}

/** Completes an observation. */
export function newObservation({ timestampMs, ...parts }: ObservationParts): Observation {
  const { agent, issueNumber, category, content, sessionId } = parts;
  return {
    id: makeObservationId(agent, issueNumber, timestampMs),
    agent,
    issueNumber,
    category,
    ...described(content),
    timestamp: new Date(timestampMs).toISOString(),
    sessionId,
  };
}

/**
 * Makes an id; two of one millisecond differ by chance.
 *
 * @param agent the agent, also a worker: `engineer@2`
 * @param issueNumber from 1
 * @param timestampMs milliseconds since the epoch
 * @returns such as `obs-engineer-29-1709035200000-a1b2c3`
 */
export function makeObservationId(agent: string, issueNumber: number, timestampMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(6));
  const suffix = Array.from(random, (byte) => (byte % 36).toString(36)).join("");
  return `obs-${agent}-${issueNumber}-${timestampMs}-${suffix}`;
}
