// What became of each case. It goes by what was to be asked and what the right answer is, and believes
// a system only what its files show. Pure.

import { canSettle, type Case } from "./cases.ts";

/** What an asker says of a case. */
export interface Report {
  /** Of the case. */
  id: string;
  /** How often it asked. */
  questions: number;
  /** What it goes on with; null where it got nothing. */
  limit: number | null;
}

/** What a run left behind. */
export interface Evidence {
  reports: readonly Report[];
  /** The case of each run of a target, as the targets noted it. */
  runs: readonly string[];
  /** The cases that the files of the system show as settled between agents. */
  settled: ReadonlySet<string>;
  /** The cases that a human finds in the inbox. */
  withHuman: ReadonlySet<string>;
}

/** How a case ended. `wrong`: its asker goes on with something else than the right answer. */
export type Ending = "resolved" | "human" | "wrong" | "unanswered";

/** A case and how it ended. */
export interface Judged {
  asked: Case;
  ending: Ending;
  questions: number;
  /** Questions and runs of the target. */
  turns: number;
}

/** Figures of some cases. */
export interface Figures {
  cases: number;
  /** How many of them end in each manner. */
  ended: Record<Ending, number>;
  /** Part of the cases that agents can settle which they did settle, 0 to 1. */
  resolvedOfSettleable: number;
  /** Questions for each that was resolved; NaN where none was. */
  roundsOfResolved: number;
  turns: number;
}

/** The outcome of each case: one without a report is unanswered. */
export function judge(cases: readonly Case[], evidence: Evidence): Judged[] {
  const reports = new Map(evidence.reports.map((report) => [report.id, report]));
  const runs = Map.groupBy(evidence.runs, (id) => id);
  return cases.map((asked) => {
    const { questions = 0, limit = null } = reports.get(asked.id) ?? {};
    const turns = questions + (runs.get(asked.id)?.length ?? 0);
    return { asked, ending: endingOf(asked, limit, evidence), questions, turns };
  });
}

function endingOf(
  { id, limit }: Case,
  found: number | null,
  { settled, withHuman }: Evidence,
): Ending {
  if (found !== null && found !== limit) return "wrong";
  if (withHuman.has(id)) return "human";
  return found === limit && settled.has(id) ? "resolved" : "unanswered";
}

/** The figures of cases that were judged. */
export function figuresOf(judged: readonly Judged[]): Figures {
  const count = (ending: Ending) => judged.filter((one) => one.ending === ending).length;
  const resolved = judged.filter(({ ending }) => ending === "resolved");
  const settleable = judged.filter(({ asked }) => canSettle(asked));
  const rounds = resolved.reduce((sum, { questions }) => sum + questions, 0);
  return {
    cases: judged.length,
    ended: {
      resolved: resolved.length,
      human: count("human"),
      wrong: count("wrong"),
      unanswered: count("unanswered"),
    },
    resolvedOfSettleable: resolved.filter(({ asked }) => canSettle(asked)).length /
      settleable.length,
    roundsOfResolved: rounds / resolved.length,
    turns: judged.reduce((sum, { turns }) => sum + turns, 0),
  };
}
