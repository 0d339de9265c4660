/**
 * Whether a role's work on an issue can be handed over: the artifact that its workflow step names is
 * there, has the headings of the template, and its checklist is done (PRD "Pre-handoff validation").
 *
 * It looks at the form and not at the content: whether the work is good is the reviewer's question.
 *
 * @module
 */

import { outputOf, type Workflow, type WorkflowStep } from "../../config/workflow.ts";
import { AgentxError } from "../../base/errors.ts";
import { outlineOf } from "../issue/outline.ts";
import type { LoopGate } from "../iterations/loop_gate.ts";
import { readArtifact } from "./artifact.ts";

/** What is to be handed over. */
export interface HandOver {
  /** The issue, from 1. */
  issueNumber: number;
  /** The role that hands over, without a worker. */
  role: string;
  /** The caller's checkout, where artifacts and templates are. */
  tree: string;
  /** Asked if a step iterates. */
  loop: Pick<LoopGate, "checkLoopGate">;
}

/** What was looked at for one step. */
export interface CheckedStep {
  /** Id of the step. */
  step: string;
  /** The artifact, relative to the repository; null where the step writes none. */
  artifact: string | null;
  /** Its template, relative to the repository; null where the step names none. */
  template: string | null;
}

/** Whether work may be handed over. */
export interface Validation {
  /** The issue. */
  issueNumber: number;
  /** The role that hands over. */
  role: string;
  /** Type of the workflow. */
  workflow: string;
  /** True if there are no problems. */
  isReady: boolean;
  /** The steps of the role. */
  steps: CheckedStep[];
  /** What is missing, one sentence each. */
  reasons: string[];
}

const OPEN_ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \](?:\s+(.*))?$/;

/**
 * Checks the work that a role hands over: its artifacts, their headings and checklists.
 *
 * @param workflow the workflow of the issue: `workspace.workflowOf(issue)`
 * @param handOver issue, role and where to look
 * @returns whether it is ready, and what is missing
 * @throws {AgentxError} `INVALID_INPUT` if the workflow has no step of that role; `CORRUPT_STATE`
 */
export function validateHandOver(workflow: Workflow, handOver: HandOver): Validation {
  const { issueNumber, role, tree, loop } = handOver;
  const steps = workflow.steps.filter(({ agent }) => agent === role);
  if (steps.length === 0) throw noStep(workflow, handOver);
  const reasons = steps.flatMap((step) => reasonsOfStep(step, { issueNumber, tree }));
  const refusal = steps.some(({ iterate }) => iterate)
    ? loop.checkLoopGate(issueNumber)
    : undefined;
  if (refusal !== undefined) reasons.push(...refusal.details.reasons);
  return {
    issueNumber,
    role,
    workflow: workflow.type,
    isReady: reasons.length === 0,
    steps: steps.map((step) => ({
      step: step.id,
      artifact: outputOf(step, issueNumber),
      template: step.template,
    })),
    reasons,
  };
}

function reasonsOfStep(
  step: WorkflowStep,
  { issueNumber, tree }: { issueNumber: number; tree: string },
): string[] {
  const path = outputOf(step, issueNumber);
  if (path === null) return [];
  const text = readArtifact(tree, path);
  if (text === undefined) return [`${path} does not exist (step ${step.id})`];
  if (text.trim() === "") return [`${path} is empty`];
  return [...missingHeadings(text, { path, step, tree }), ...openItems(text, path)];
}

function missingHeadings(
  text: string,
  { path, step, tree }: { path: string; step: WorkflowStep; tree: string },
): string[] {
  if (step.template === null) return [];
  const template = readArtifact(tree, step.template);
  if (template === undefined) {
    return [`${step.template}, the template of ${path}, does not exist`];
  }
  const present = new Set(titlesOf(text).map(comparable));
  return titlesOf(template, 2)
    .filter((title) => isRequired(title) && !present.has(comparable(title)))
    .map((title) => `${path} is missing the heading "${title}" of its template`);
}

function openItems(text: string, path: string): string[] {
  return Array.from(outlineOf(text)).flatMap(({ line, text }) => {
    const item = OPEN_ITEM.exec(text);
    return item === null ? [] : [`${path}, line ${line} is not done: ${item[1] ?? "[ ]"}`];
  });
}

function titlesOf(markdown: string, level?: number): string[] {
  return Array.from(outlineOf(markdown)).flatMap(({ heading }) =>
    heading === null || (level ?? heading.level) !== heading.level ? [] : [heading.title]
  );
}

/** A heading that the template calls optional, or that holds something to be filled in, is not. */
function isRequired(title: string): boolean {
  return title !== "" && !/\boptional\b|\$\{|\{\{|<[^<>]*>|\[[^[\]]*\]/i.test(title);
}

/** `## 3. **Goals & Metrics**:` and `## Goals & metrics` are the same heading. */
function comparable(title: string): string {
  return title.replace(/^\d+(?:\.\d+)*[.)]?\s+/, "")
    .replaceAll(/[*_`]/g, "")
    .replace(/:$/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function noStep(
  { type, steps }: Workflow,
  { issueNumber, role }: HandOver,
): AgentxError<"INVALID_INPUT"> {
  const why = `workflow "${type}" has no step for that role`;
  return new AgentxError("INVALID_INPUT", `Cannot validate #${issueNumber} for "${role}": ${why}`, {
    details: { field: "ROLE", value: role },
    next: `Use one of: ${[...new Set(steps.map(({ agent }) => agent))].join(", ")}`,
  });
}
