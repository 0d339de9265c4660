// Workflow files: `.agentx/workflows/{type}.toml` -> the steps of an issue of that type.
//
// Every field is checked when the file is read, so its values need no check later. Unknown keys are ignored. These
// files belong to people, and agentx never changes them.

import { isRoleName, normalizeAgentName } from "../base/agent_names.ts";
import { cyclesIn } from "../base/cycles.ts";
import { AgentxError } from "../base/errors.ts";
import { repositoryFile } from "../hosts/repository_files.ts";
import { sys } from "../sys/mod.ts";
import { clip, enumerate, quote } from "../base/quote.ts";
import { nearest } from "../text/nearest.ts";
import { type KeyPath, parseToml, type TomlDocument } from "../text/toml.ts";

/** Which agents work on an issue of one type, step by step (SPEC-1 section 4.5). */
export interface Workflow {
  /** Type of the issues, which is the name of the file: `feature`. */
  type: string;
  /** Name to display; the type if the file has none. */
  name: string;
  /** The purpose of the workflow, in a sentence. */
  description: string | null;
  /** Type of the workflow that an issue labelled as large uses instead; null if it uses this workflow. */
  largeWorkflow: string | null;
  /** Type of the workflow for the parts of a split issue; null if an issue of this type is not split. */
  partsWorkflow: string | null;
  /** The steps in the order of the file; at least one. */
  steps: WorkflowStep[];
}

/** One agent's part of the work (SPEC-1 section 4.5, DESIGN section 4). */
export interface WorkflowStep {
  /** The id of the step, unique in the workflow. */
  id: string;
  /** Name to display; the id if the file has none. */
  title: string;
  /** Role of the agent that does the work, not an alias. */
  agent: string;
  /** Ids of the steps that must be done before this step. */
  needs: string[];
  /** True if the step may be left out. */
  optional: boolean;
  /** The condition under which the step is taken, in words. */
  condition: string | null;
  /** True if the agent repeats the step until the criteria are met. The default is true for an engineer only. */
  iterate: boolean;
  /** Maximum number of these repetitions. */
  maxIterations: number | null;
  /** The criteria by which the step is done, in words. */
  completionCriteria: string | null;
  /** Status of the issue when the step begins. */
  statusOnStart: string | null;
  /** Status of the issue when the step is done. */
  statusOnComplete: string | null;
  /** The file that the step writes, relative to the repository; may contain `{{issue_number}}`. */
  output: string | null;
  /** Template of the output: its type, such as `prd`, or a path relative to the repository. */
  template: string | null;
  /**
   * Command lines that prove that the step is done, each a program and its arguments. They run with the user's
   * consent.
   */
  evidence: string[][];
  /** Percentage of lines that tests must cover. For null, 80 if a coverage report exists. */
  coverage: number | null;
  /** Command lines that fix files, by a pattern such as `*.ts`. The paths of the matching files are appended. */
  fixers: Record<string, string[]>;
  /** Roles that the agent may ask, not aliases. */
  canClarify: string[];
  /** Limit of rounds; null for the defaults: 5 for blocking clarifications, 6 for others. */
  clarifyMaxRounds: number | null;
  /** Minutes after which an unanswered clarification is stale. */
  clarifySlaMinutes: number;
  /** False if the agent must keep working while it waits for an answer. */
  clarifyBlockingAllowed: boolean;
}

/** The limit in minutes for an answer, if a workflow sets none. */
export const DEFAULT_SLA_MINUTES = 30;

/** A `Date` must be able to represent the time at which an answer is overdue. */
const MAX_SLA_MINUTES = 5_256_000;

/** The maximum size of a workflow file. A file written by hand is always smaller. */
const MAX_BYTES = 2 ** 20;

/** Lists the types of the workflows in a folder, sorted; none if the folder does not exist. */
export function listWorkflows(folder: string): string[] {
  return sys.readDir(folder)
    .filter((name) => name.endsWith(".toml"))
    .map((name) => name.slice(0, -".toml".length))
    .filter(isRoleName);
}

/**
 * Reads the workflow of a type, such as `feature`. Throws `INVALID_INPUT` if `type` is not a valid type, `NOT_FOUND`
 * if it has no file, `INVALID_CONFIG` if the file is invalid.
 */
export function readWorkflow(folder: string, type: string): Workflow {
  if (!isRoleName(type)) {
    throw new AgentxError(
      "INVALID_INPUT",
      `Cannot use ${quote(type)} as a workflow: it is not the name of one`,
      {
        details: { field: "workflow", value: type },
        next: 'Use lowercase letters, digits and "-", such as "feature"',
      },
    );
  }
  const path = `${folder}/${type}.toml`;
  const text = sys.readTextFile(path, MAX_BYTES);
  if (text !== undefined) return parseWorkflow(text, path);

  const types = listWorkflows(folder);
  const meant = nearest(type, types);
  throw new AgentxError("NOT_FOUND", `Cannot find workflow "${type}": there is no "${path}"`, {
    details: { kind: "workflow", id: type },
    next: types.length > 0
      ? `${meant ? `Did you mean ${meant}? ` : ""}Use one of: ${types.join(", ")}`
      : "Create the shipped workflows with: agentx init",
  });
}

/**
 * Parses the text of a workflow file. The last part of its path, without `.toml`, is the type. Throws
 * `INVALID_CONFIG` with the file, line and key of the error.
 */
export function parseWorkflow(text: string, path: string): Workflow {
  const document = parseToml(text, path);
  const type = path.slice(path.lastIndexOf("/") + 1).replace(/\.toml$/, "");
  const root = new Fields(document, [], document.value);
  const about = new Fields(document, ["workflow"], root.get("workflow", TABLE, {}));
  const steps = root.get("steps", STEPS)
    .map((table, index) => readStep(new Fields(document, ["steps", index], table)));
  checkNeeds(steps, document);
  return {
    type,
    name: about.get("name", TEXT, type),
    description: about.get("description", TEXT, null),
    largeWorkflow: about.get("large_workflow", TYPE_NAME, null),
    partsWorkflow: about.get("parts_workflow", TYPE_NAME, null),
    steps,
  };
}

/** Returns the file that a step writes for an issue, relative to the repository; null if the step writes none. */
export function stepOutput(step: WorkflowStep, issue: number): string | null {
  return step.output?.replaceAll("{{issue_number}}", String(issue)) ?? null;
}

/** Whether a relative path stays inside its folder. Links are not checked. */
export function isInsidePath(path: string): boolean {
  return !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(path);
}

/**
 * Returns the files that earlier steps write for an issue, each once, nearest first. Agents of the given steps work
 * from these files.
 */
export function upstreamOutputs(
  workflow: Workflow,
  steps: readonly WorkflowStep[],
  issue: number,
): string[] {
  const byId = new Map(workflow.steps.map((step) => [step.id, step]));
  const before = new Set(steps.flatMap(({ needs }) => needs));
  // A set also iterates over items that are added during the loop, so this is a breadth-first search.
  for (const id of before) byId.get(id)!.needs.forEach((need) => before.add(need));
  const outputs = Array.from(before, (id) => stepOutput(byId.get(id)!, issue));
  return [...new Set(outputs)].filter((output) => output !== null);
}

function readStep(fields: Fields): WorkflowStep {
  const id = fields.get("id", TEXT);
  const agent = normalizeAgentName(fields.get("agent", AGENT));
  return {
    id,
    title: fields.get("title", TEXT, id),
    agent,
    needs: fields.get("needs", listOf(TEXT), []),
    optional: fields.get("optional", FLAG, false),
    condition: fields.get("condition", TEXT, null),
    iterate: fields.get("iterate", FLAG, agent === "engineer"),
    maxIterations: fields.get("max_iterations", COUNT, null),
    completionCriteria: fields.get("completion_criteria", TEXT, null),
    statusOnStart: fields.get("status_on_start", TEXT, null),
    statusOnComplete: fields.get("status_on_complete", TEXT, null),
    output: fields.get("output", OUTPUT, null),
    template: fields.get("template", FILE, null),
    evidence: fields.get("evidence", listOf(ARGV), []),
    coverage: fields.get("coverage", PERCENT, null),
    fixers: fields.get("fixers", FIXERS, {}),
    canClarify: fields.get("can_clarify", listOf(AGENT), []).map(normalizeAgentName),
    clarifyMaxRounds: fields.get("clarify_max_rounds", COUNT, null),
    clarifySlaMinutes: fields.get("clarify_sla_minutes", MINUTES, DEFAULT_SLA_MINUTES),
    clarifyBlockingAllowed: fields.get("clarify_blocking_allowed", FLAG, true),
  };
}

/** A kind of field: the values that it accepts, and their description. */
interface Kind<T> {
  /** The end of the message "it must be ...". */
  expected: string;
  accepts(value: unknown): value is T;
}

const TEXT: Kind<string> = {
  expected: "a non-empty string",
  accepts: (value): value is string => typeof value === "string" && value.trim() !== "",
};
const TYPE_NAME: Kind<string> = {
  expected: 'the type of a workflow, such as "feature"',
  accepts: isRoleName,
};
const FLAG: Kind<boolean> = {
  expected: "true or false",
  accepts: (value) => typeof value === "boolean",
};
const COUNT: Kind<number> = {
  expected: "a whole number above 0",
  accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
};
const MINUTES: Kind<number> = {
  expected: `a whole number from 1 to ${MAX_SLA_MINUTES} (ten years)`,
  accepts: (value): value is number => COUNT.accepts(value) && value <= MAX_SLA_MINUTES,
};
const AGENT: Kind<string> = {
  expected: 'an agent in lowercase, such as "architect"',
  accepts: isRoleName,
};
const FILE: Kind<string> = {
  expected: 'a path inside the repository, such as "docs/adr/ADR-{{issue_number}}.md"',
  accepts: (value): value is string => TEXT.accepts(value) && isInsidePath(value),
};
const OUTPUT: Kind<string> = {
  expected: "a path inside the repository that starts no program and instructs no agent",
  accepts: (value): value is string => FILE.accepts(value) && repositoryFile(value) === undefined,
};
const PERCENT: Kind<number> = {
  expected: "a number from 0 to 100",
  accepts: (value): value is number => typeof value === "number" && value >= 0 && value <= 100,
};
const ARGV: Kind<string[]> = {
  expected: 'a program with its arguments, such as ["npm", "test"]',
  accepts: (value): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string") &&
    value[0] !== "",
};
const FIXERS: Kind<Record<string, string[]>> = {
  expected: 'a table of programs with their arguments, such as { "*.ts" = ["deno", "fmt"] }',
  accepts: (value): value is Record<string, string[]> =>
    TABLE.accepts(value) && Object.values(value).every(ARGV.accepts),
};
const TABLE: Kind<Record<string, unknown>> = {
  expected: "a table",
  accepts: (value): value is Record<string, unknown> =>
    Object.prototype.toString.call(value) === "[object Object]",
};
const STEPS: Kind<Record<string, unknown>[]> = {
  expected: "one or more tables, each under [[steps]]",
  accepts: (value): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every(TABLE.accepts),
};

function listOf<T>(kind: Kind<T>): Kind<T[]> {
  return {
    expected: `a list whose elements are each ${kind.expected}`,
    accepts: (value): value is T[] => Array.isArray(value) && value.every(kind.accepts),
  };
}

/** Reads the fields of one table of the file. */
class Fields {
  readonly #document: TomlDocument;
  readonly #path: KeyPath;
  readonly #table: Record<string, unknown>;

  constructor(document: TomlDocument, path: KeyPath, table: Record<string, unknown>) {
    this.#document = document;
    this.#path = path;
    this.#table = table;
  }

  /** Reads a field. A field without a `fallback` is required. */
  get<T, Fallback = never>(key: string, kind: Kind<T>, fallback?: Fallback): T | Fallback {
    const value = this.#table[key];
    if (value === undefined && fallback !== undefined) return fallback;
    if (kind.accepts(value)) return value;
    const given = value === undefined ? "is missing" : `is ${quote(value)}`;
    throw this.#document.error([...this.#path, key], `it must be ${kind.expected}, but ${given}`);
  }
}

/** Checks that ids are unique, that the steps in `needs` exist, and that no step waits for itself. */
function checkNeeds(steps: WorkflowStep[], document: TomlDocument): void {
  const indexes = new Map<string, number>();
  for (const [index, { id }] of steps.entries()) {
    if (indexes.has(id)) {
      throw document.error(["steps", index, "id"], `there is already a step ${quote(id)}`);
    }
    indexes.set(id, index);
  }
  for (const [index, { needs }] of steps.entries()) {
    const unknown = needs.find((need) => !indexes.has(need));
    if (unknown !== undefined) {
      throw document.error(["steps", index, "needs"], `there is no step ${quote(unknown)}`);
    }
  }
  const [circle] = cyclesIn(new Map(steps.map(({ id, needs }) => [id, needs])));
  if (circle === undefined) return;
  const inCircle = new Set(circle);
  const first = steps.findIndex(({ id }) => inCircle.has(id));
  const why = `these steps wait for each other: ${enumerate(circle.map(clip))}`;
  throw document.error(["steps", first, "needs"], why);
}

/** Throws `INVALID_INPUT` if no step has the name. `field` is the argument that has the name. */
export function checkStepName(
  name: string,
  steps: readonly Pick<WorkflowStep, "id">[],
  field: string,
): void {
  const ids = [...new Set(steps.map(({ id }) => id))];
  if (ids.includes(name)) return;
  const meant = nearest(name, ids);
  const all = `Steps: ${ids.join(", ")}`;
  throw new AgentxError("INVALID_INPUT", `Cannot find step ${quote(name)}: its workflow has none`, {
    details: { field, value: name },
    next: meant === undefined ? all : `Did you mean ${meant}? ${all}`,
  });
}
