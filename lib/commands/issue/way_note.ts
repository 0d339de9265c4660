// Notes the rest of an issue's route: the remaining steps of its agents, and their approximate cost.

import type { Io } from "../../cli/io.ts";
import { note } from "../../cli/note.ts";
import { type IssueStanding, stepsLeft } from "../../pipeline/standing.ts";
import type { Issue } from "../../work/issue/issue.ts";
import { typeOf } from "../../work/issue/labels.ts";

/** Tokens of a coding agent that reads a few files, changes two and runs the tests, without tokens in its cache. */
const TOKENS_A_RUN = 20_000;

/** Notes the remaining steps, with their price. */
export function noteWay(
  io: Io,
  { number, labels }: Pick<Issue, "number" | "labels">,
  { workflow, steps }: IssueStanding,
): void {
  const left = stepsLeft(steps).map(({ step }) => step);
  if (left.length === 0) return;
  const optional = steps.filter(({ state }) => state === "skipped").map(({ step }) => step);
  const more = optional.length === 0 ? "" : `; where it is needed, ${optional.join(", ")}`;
  const runs = left.length === 1 ? "1 run" : `${left.length} runs`;
  const price = `${runs}, about ${left.length * TOKENS_A_RUN / 1_000}k tokens`;
  const type = workflow === "bug" ? "feature" : "bug";
  const other = typeOf({ labels }) !== undefined
    ? ""
    : `; to change that: agentx issue edit ${number} -l type:${type}`;
  note(
    io,
    `#${number} takes the workflow ${workflow}: ${left.join(", ")}${more}: ${price}${other}`,
  );
}
