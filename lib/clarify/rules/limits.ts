// Limits how many agents run at the same time, and how many turns they take before a human looks. Pure.
//
// Runs are counted from the evidence on disk. An agent may unset the variables that tell how deep it was invoked, and
// may ask under any name and issue, but the process that runs the agent still shows as a run.
//
// A turn is an agent's question, follow-up or answer in any clarification of the issue. A limit on turns ends a storm
// of questions among three or more agents that each stay below their limits of rounds. Turns before a human's last
// words do not count. Only questions are refused: a question that was asked may still be answered.

import { askerOf, type ClarificationRecord, issueNumberOf, type ThreadEntry } from "../schema.ts";
import { countNames } from "../../base/groups.ts";
import { HUMAN, roleOf } from "../../base/agent_names.ts";

/** Maximum length of a chain of agents that ask each other; a longer chain is taken for a loop. */
const MAX_DEPTH = 4;

const MAX_RUNS_OF_ISSUE = 16;

const MAX_RUNS = 64;

/** The run that is about to begin. */
export interface NextRun {
  from: string;
  issueNumber: number;
  /** The id of the clarification, if the question is written already. */
  id?: string;
}

/** Returns why a run may not begin, with the limit; undefined if it may. */
export function runLimitReached(
  running: readonly ClarificationRecord[],
  { from, issueNumber, id }: NextRun,
): string | undefined {
  const others = running.filter((record) => record.id !== id);
  const ofIssue = others.filter(({ id }) => issueNumberOf(id) === issueNumber);
  if (ofIssue.length >= MAX_RUNS_OF_ISSUE) {
    return `${ofIssue.length} agents are running for it, ` +
      `and the limit per issue is ${MAX_RUNS_OF_ISSUE}`;
  }
  if (others.length >= MAX_RUNS) {
    return `${others.length} agents are running here, and the limit is ${MAX_RUNS}`;
  }
  const depth = depthOf(from, others);
  if (depth < MAX_DEPTH) return undefined;
  return `agents are asking each other ${depth} levels deep, and the limit is ${MAX_DEPTH}`;
}

/** Returns why no other run may begin today, with the limit; undefined if one may. */
export function dayLimitReached(begun: number, most: number): string | undefined {
  if (begun < most) return undefined;
  return `${begun} runs began today, and the limit is ${most}; a human raises clarify.maxRunsPerDay`;
}

/**
 * Returns the length of the longest chain of requesters above an agent. Each agent in the chain was asked by the next
 * one.
 */
function depthOf(from: string, running: readonly ClarificationRecord[]): number {
  const seen = new Set([from]);
  let depth = 0;
  for (let level = [from]; depth < MAX_DEPTH; depth++) {
    const asked = new Set(level.flatMap((agent) => [agent, roleOf(agent)]));
    const askers = new Set(
      running.filter(({ to }) => asked.has(to)).map((record) => askerOf(record)),
    );
    level = [...askers].filter((agent) => !seen.has(agent));
    if (level.length === 0) break;
    level.forEach((agent) => seen.add(agent));
  }
  return depth;
}

/** Returns why no agent may ask on an issue, without a final period; undefined if agents may ask. */
export function turnLimitReached(
  records: readonly ClarificationRecord[],
  maxTurns: number,
): string | undefined {
  const turns = turnsIn(records);
  if (turns.length < maxTurns) return undefined;
  const shares = countNames(turns.map(({ from }) => roleOf(from)))
    .map(({ name, count }) => `${name} ${count}`);
  return `the limit of ${maxTurns} turns of agents on one issue is reached (${shares.join(", ")})`;
}

/** Returns the questions and answers of agents since a human last wrote. */
function turnsIn(records: readonly ClarificationRecord[]): ThreadEntry[] {
  const entries = records.filter(({ to }) => to !== HUMAN).flatMap(({ thread }) => thread);
  const looked = entries.filter(({ from }) => from === HUMAN)
    .reduce((last, { timestamp }) => timestamp > last ? timestamp : last, "");
  return entries.filter(({ from, type, timestamp }) =>
    from !== HUMAN && (type === "question" || type === "answer") && timestamp > looked
  );
}
