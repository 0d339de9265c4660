// Checks whether a step is done. Its document has to exist, to contain the parts of its template, and to have no broken
// links. A step without a document has to meet the criteria of the issue. The commands that the step names as evidence
// have to succeed.

import { sha256 } from "../base/sha256.ts";
import { stepOutput, type WorkflowStep } from "../config/workflow.ts";
import { sys } from "../sys/mod.ts";
import { criteriaOf } from "../work/issue/criteria.ts";
import { readArtifact } from "./artifact.ts";
import { type Coverage, coverageIn, DEFAULT_COVERAGE, REPORTS } from "./coverage.ts";
import { missingIn } from "./document.ts";
import { type Evidence, type EvidencePlace, runEvidence } from "./evidence.ts";
import { brokenLinks } from "./links.ts";
import { findTemplate } from "./templates.ts";

/** The place for the check of a step. */
export interface CheckPlace extends EvidencePlace {
  /** The issue; its body is empty if the issue is not kept here. */
  issue: { number: number; body: string };
}

/** The result of a check. */
export interface StepCheck {
  /** The missing parts, one sentence each; none if the step is done. */
  reasons: string[];
  /** SHA-256 of the artifact's text, in hexadecimal; null without an artifact. */
  hash: string | null;
  /** The results of the evidence commands, in the order of the step. */
  evidence: Evidence[];
  /** Test coverage; null if there is no new report. */
  coverage: Coverage | null;
}

/** Number of lines to show from the end of the output of a failed command. */
const SHOWN_LINES = 8;
const SHOWN_CHARACTERS = 500;

/** Checks the artifact of a step, and runs its evidence. */
export async function checkStep(step: WorkflowStep, place: CheckPlace): Promise<StepCheck> {
  const { issue, tree } = place;
  const path = stepOutput(step, issue.number);
  const text = path === null ? undefined : readArtifact(tree, path);
  const hash = text === undefined ? null : await sha256(new TextEncoder().encode(text));
  const reasons = path === null
    ? openCriteria(step, place)
    : text === undefined
    ? [`${path} does not exist (step ${step.id})`]
    : reasonsOfText(text, { path, step, tree });
  const shown = await showEvidence(step, { ...place, agent: step.agent });
  return { ...shown, reasons: [...reasons, ...shown.reasons], hash };
}

async function showEvidence(
  { evidence: commands, coverage: wanted }: WorkflowStep,
  place: CheckPlace,
): Promise<Omit<StepCheck, "hash">> {
  const since = sys.now();
  const [evidence, reasons]: [Evidence[], string[]] = [[], []];
  for (const argv of commands) {
    const shown = await runEvidence(argv, place);
    evidence.push(shown.evidence);
    const { output, exitCode } = shown.evidence;
    const end = exitCode === null ? "" : saidAtEnd(output);
    if (shown.reason !== undefined) reasons.push(shown.reason + end);
  }
  if (commands.length === 0 || reasons.length > 0) return { evidence, reasons, coverage: null };
  const coverage = coverageIn(place.tree, since) ?? null;
  const least = wanted ?? DEFAULT_COVERAGE;
  if (coverage === null && wanted !== null) {
    reasons.push(`coverage was not measured: none of ${REPORTS.join(", ")} is new`);
  } else if (coverage !== null && coverage.percent < least) {
    const percent = Math.floor(coverage.percent * 10) / 10;
    reasons.push(`coverage is ${percent} %, and ${least} % are wanted (${coverage.path})`);
  }
  return { evidence, reasons, coverage };
}

/** Returns the end of an output, because it names the test that failed. */
function saidAtEnd(output: string): string {
  const lines = output.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const end = lines.slice(-SHOWN_LINES).join(" / ");
  return end === "" ? "" : `; it said: ${end.slice(-SHOWN_CHARACTERS).toWellFormed()}`;
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

/**
 * Returns the criteria of the issue that are not met, for a step without a document. If the step has a criterion of its
 * own, the issue must list criteria or the step must name evidence commands.
 */
function openCriteria(step: WorkflowStep, { issue }: CheckPlace): string[] {
  const criteria = criteriaOf(issue.body);
  if (criteria.length === 0 && step.evidence.length === 0 && step.completionCriteria !== null) {
    return [
      `nothing shows "${step.completionCriteria}": #${issue.number} lists no acceptance criteria, ` +
      `and ${step.id} names no evidence`,
    ];
  }
  return criteria.flatMap(({ text, isDone }, index) =>
    isDone ? [] : [`criterion ${index + 1} of #${issue.number} is not met: ${text}`]
  );
}
