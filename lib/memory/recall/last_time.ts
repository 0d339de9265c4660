// Sums up the last session on an issue, in one sentence. Pure.

import { terminalLine } from "../../text/text.ts";
import { byTimestamp, type Observation, supersededIds } from "../schema.ts";

/** Words that people use for open work. */
const OPEN =
  /\b(?:still|not yet|open|remains?|remaining|left to|has to be|have to be|to be done|pending|by hand|later)\b/i;

/** Minimum number of observations for a summary; if there are fewer, the recall quotes all of them. */
const FEWEST = 3;

const LONGEST_DONE = 160;
const LONGEST_OPEN = 120;

/** The kinds of work, the most telling first. */
const ORDER = ["code-change", "decision", "error", "key-fact"];

/**
 * Sums up the last session: its day, agent, work and open work, in the agents' words; undefined if nothing is known.
 */
export function lastTime(own: readonly Observation[]): string | undefined {
  const hidden = supersededIds(own);
  const current = own.filter(({ id, category }) =>
    !hidden.has(id) && category !== "compaction-summary"
  ).toSorted(byTimestamp);
  const latest = current.at(-1);
  if (latest === undefined || current.length < FEWEST) return undefined;
  const session = current.filter(({ sessionId }) => sessionId === latest.sessionId);
  const done = ORDER.map((kind) => session.findLast(({ category }) => category === kind))
    .find((one) => one !== undefined)!;
  const open = session.findLast((one) => one !== done && OPEN.test(one.content));
  const said = opening(done.content, LONGEST_DONE).replace(/[.;]$/, "");
  const left = open === undefined ? "" : `; open: ${opening(open.content, LONGEST_OPEN)}`;
  return `Last time, ${latest.timestamp.slice(0, 10)}, ${latest.agent}: ${said}${left}`;
}

/** Returns as many first clauses of a text as fit: half a clause says nothing. */
function opening(text: string, longest: number): string {
  const head = text.slice(0, longest + 1);
  const end = Math.max(head.lastIndexOf("; "), head.lastIndexOf(". "));
  return terminalLine(text.length > longest && end > 0 ? text.slice(0, end) : text, longest);
}
