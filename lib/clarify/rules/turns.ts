// How many turns agents may take on an issue before a human looks: what ends a storm of questions among
// three or more, none of whom reaches a limit of rounds. Pure.
//
// A turn is a question, a follow-up or an answer that an agent wrote, in any clarification of the issue.
// Those before a human last wrote into one of them are forgiven. Questions are refused, answers never: what
// was asked may still be answered.

import { countNames } from "../../base/groups.ts";
import { HUMAN, roleOf } from "../../base/agent_names.ts";
import type { ClarificationRecord, ThreadEntry } from "../schema.ts";

/** Why no agent may ask on an issue, without a final period; undefined where one may. */
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

/** What agents asked and answered each other since a human last wrote. */
function turnsIn(records: readonly ClarificationRecord[]): ThreadEntry[] {
  const entries = records.filter(({ to }) => to !== HUMAN).flatMap(({ thread }) => thread);
  const looked = entries.filter(({ from }) => from === HUMAN)
    .reduce((last, { timestamp }) => timestamp > last ? timestamp : last, "");
  return entries.filter(({ from, type, timestamp }) =>
    from !== HUMAN && (type === "question" || type === "answer") && timestamp > looked
  );
}
