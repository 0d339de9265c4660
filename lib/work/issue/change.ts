// The kinds of change that a line about an issue can hold, and the checks of such lines. Pure.

import { HUB, HUMAN } from "../../base/agent_names.ts";
import { isListOfTexts, isObject, isTime, objectOf } from "../../base/checks.ts";
import type { Line } from "../../lines/line.ts";

/** Fields with a single value. */
export const SINGLE_FIELDS = [
  "number",
  "title",
  "body",
  "status",
  "parent",
  "due",
  "milestone",
] as const;

/** Fields that hold a set of texts. */
export const SET_FIELDS = ["labels", "assignees", "linkedUids"] as const;

/** The name of a field with a single value. */
export type SingleField = typeof SINGLE_FIELDS[number];

/** The name of a field that holds a set of texts. */
export type SetField = typeof SET_FIELDS[number];

/** The fields of an issue at its creation. */
export type InitialFields =
  & { [field in SingleField]?: string | number | null }
  & {
    [field in SetField]?: readonly string[];
  }
  & {
    /** The place of an imported issue in its tracker. It never changes. */
    source?: string;
  };

/** A change of an issue, without its author and time. */
export type IssueChange =
  | { op: "create"; fields: InitialFields }
  | { op: "set"; field: SingleField; value: string | number | null; after: string[] }
  | { op: "add"; field: SetField; values: string[] }
  | { op: "remove"; field: SetField; values: string[]; after: string[] }
  | { op: "comment"; body: string }
  | { op: "delete"; after: string[]; isUndo?: true }
  | { op: "undo"; undone: string[] }
  | StepChange;

/** A change of a workflow step of an issue. The pipeline (`lib/pipeline/`) reads these changes. */
export type StepChange =
  | { op: "validated"; step: string; hash: string | null; evidence: StepEvidence[] }
  | { op: "approved"; step: string; hash: string | null; because: string }
  | { op: "returned"; step: string; because: string }
  | { op: "decided"; step: string; isTaken: boolean; because: string };

/** The result of a command that a step names. */
export interface StepEvidence {
  /** Program and arguments. */
  command: string[];
  /** Null if the command did not start, or was killed. */
  exitCode: number | null;
  /** The end of the command's output. */
  output: string;
  /** Set if the command ran on the files from before the step, with the changed tests of the step added. */
  on?: "start";
}

/** A line about an issue, with its change. */
export type IssueLine = Line & IssueChange & {
  /** Id of the tool call that made the line. */
  call?: string;
  /** The workflow step that a claim is for. */
  step?: string;
};

/** Returns why a line is not a valid change of an issue; undefined if it is valid. */
export function changeProblem(line: Line): string | undefined {
  const { op, fields, field, value, values, body, undone } = line;
  if (op === "create") {
    if (!isObject(fields)) return "`fields` is not an object";
    const wrong = Object.entries(fields).find(([name, value]) => !fits(name, value));
    return wrong === undefined ? undefined : `its \`${wrong[0]}\` is not valid`;
  }
  if (op === "set") {
    return fits(field, value) ? undefined : `its value of \`${String(field)}\` is not valid`;
  }
  if (op === "add" || op === "remove") {
    const isSet = (SET_FIELDS as readonly unknown[]).includes(field);
    return isSet && isListOfTexts(values) ? undefined : "it is not a change of a list";
  }
  if (op === "comment") return typeof body === "string" ? undefined : "it has no body";
  if (op === "undo") return isListOfTexts(undone) ? undefined : "it does not say what it undoes";
  if (STEP_OPS.includes(op)) return stepProblem(line);
  return op === "delete" ? undefined : `the change "${op.slice(0, 40)}" is unknown`;
}

const STEP_OPS: readonly string[] = ["validated", "approved", "returned", "decided"];

function stepProblem(
  { op, step, hash, because, evidence, isTaken }: Line,
): string | undefined {
  if (typeof step !== "string") return "it names no step";
  if (op === "decided" && typeof isTaken !== "boolean") return "it decides nothing";
  if ((op === "validated" || op === "approved") && hash !== null && typeof hash !== "string") {
    return "its hash is no text";
  }
  if (op !== "validated") return typeof because === "string" ? undefined : "it gives no reason";
  return Array.isArray(evidence) && evidence.every(isObject) ? undefined : "it has no evidence";
}

/** Returns whether a value is valid for a field. Unknown fields are accepted and have no effect. */
function fits(field: unknown, value: unknown): boolean {
  if ((SET_FIELDS as readonly unknown[]).includes(field)) return isListOfTexts(value);
  if (field === "number") return Number.isInteger(value) && (value as number) >= 1;
  if (field === "title" || field === "body" || field === "status") return typeof value === "string";
  if (field === "due") return value === null || isTime(value);
  if (field === "parent" || field === "milestone") {
    return value === null || typeof value === "string";
  }
  return typeof field === "string";
}

/** Returns the value of a field in the line that creates an issue. */
export function initialOf(line: Line, field: string): unknown {
  const fields = objectOf(line.fields);
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/**
 * Returns whether a person, or the answer to a person's question, made an agent restart a step. A restart is not a
 * rejection of the agent's work.
 */
export function isRestart({ op, by }: Pick<IssueLine, "op" | "by">): boolean {
  return op === "returned" && (by === HUMAN || by === HUB);
}
