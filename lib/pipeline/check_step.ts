/**
 * Whether a step of a workflow is done: the artifact that it names is there, has the headings of the
 * template, and its checklist is done.
 *
 * It looks at the form and not at the content: whether the work is good is the reviewer's question.
 *
 * @module
 */

import { sha256 } from "../base/sha256.ts";
import { outputOf, type WorkflowStep } from "../config/workflow.ts";
import { outlineOf } from "../work/issue/outline.ts";
import { readArtifact } from "../work/route/artifact.ts";

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

const OPEN_ITEM = /^\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[ \](?:\s+(.*))?$/;

/** Looks at what a step was to make. */
export async function checkStep(
  step: WorkflowStep,
  { issue, tree }: CheckPlace,
): Promise<StepCheck> {
  const path = outputOf(step, issue.number);
  if (path === null) return { reasons: [], hash: null, evidence: [] };
  const text = readArtifact(tree, path);
  if (text === undefined) {
    return { reasons: [`${path} does not exist (step ${step.id})`], hash: null, evidence: [] };
  }
  const hash = await sha256(new TextEncoder().encode(text));
  return { reasons: reasonsOfText(text, { path, step, tree }), hash, evidence: [] };
}

function reasonsOfText(
  text: string,
  about: { path: string; step: WorkflowStep; tree: string },
): string[] {
  if (text.trim() === "") return [`${about.path} is empty`];
  return [...missingHeadings(text, about), ...openItems(text, about.path)];
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
