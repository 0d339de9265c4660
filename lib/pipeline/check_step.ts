/**
 * Whether a step of a workflow is done: its document is there, has what its template asks for, and leads
 * nowhere that is not there; a step that writes none has met the criteria of the issue.
 *
 * @module
 */

import { sha256 } from "../base/sha256.ts";
import { outputOf, type WorkflowStep } from "../config/workflow.ts";
import { criteriaOf } from "../work/issue/criteria.ts";
import { readArtifact } from "../work/route/artifact.ts";
import { missingIn } from "./document.ts";
import { brokenLinks } from "./links.ts";
import { findTemplate } from "./templates.ts";

/** What a step is checked for, and where. */
export interface CheckPlace {
  /** The issue; an empty body where it is not kept here. */
  issue: { number: number; body: string };
  /** The caller's checkout, where artifacts and templates are. */
  tree: string;
}

/** What a command of the step said. */
export interface Evidence {
  /** What was run, without a shell. */
  command: string[];
  /** Null where it was not started, or killed. */
  exitCode: number | null;
  /** The end of what it printed. */
  output: string;
}

/** What was found of a step. */
export interface StepCheck {
  /** What is missing, one sentence each; none where the step is done. */
  reasons: string[];
  /** SHA-256 of the artifact's text, in hexadecimal; null where there is none. */
  hash: string | null;
  /** In the order in which the step names them. */
  evidence: Evidence[];
}

/** Looks at what a step was to make. */
export async function checkStep(step: WorkflowStep, place: CheckPlace): Promise<StepCheck> {
  const { issue, tree } = place;
  const path = outputOf(step, issue.number);
  if (path === null) return { reasons: openCriteria(place), hash: null, evidence: [] };
  const text = readArtifact(tree, path);
  if (text === undefined) {
    return { reasons: [`${path} does not exist (step ${step.id})`], hash: null, evidence: [] };
  }
  const hash = await sha256(new TextEncoder().encode(text));
  return { reasons: reasonsOfText(text, { path, step, tree }), hash, evidence: [] };
}

function reasonsOfText(
  text: string,
  { path, step, tree }: { path: string; step: WorkflowStep; tree: string },
): string[] {
  if (text.trim() === "") return [`${path} is empty`];
  const template = step.template === null ? undefined : findTemplate(tree, step.template);
  const isMissing = step.template !== null && template === undefined;
  return [
    ...isMissing ? [`${step.template}, the template of ${path}, does not exist`] : [],
    ...missingIn(text, path, template?.text),
    ...brokenLinks(text, path, tree),
  ];
}

/** A step that writes no document does what the issue is for. */
function openCriteria({ issue }: CheckPlace): string[] {
  return criteriaOf(issue.body).flatMap(({ text, isDone }, index) =>
    isDone ? [] : [`criterion ${index + 1} of #${issue.number} is not met: ${text}`]
  );
}
