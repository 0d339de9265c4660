// A template, and the filling of its variables. A filled in value is not read again: the words of an issue stay text.
// Pure.

import { AgentxError } from "../base/errors.ts";
import { enumerate, quote } from "../base/quote.ts";
import { criteriaOf } from "../work/issue/criteria.ts";
import { isDay, type Issue } from "../work/issue/issue.ts";
import { priorityOf, typeOf } from "../work/issue/labels.ts";

/** The types of variables. */
export const VARIABLE_TYPES = ["string", "number", "boolean", "date"] as const;

/** A variable of a template, as its front matter has it under `inputs`. */
export interface TemplateVariable {
  name: string;
  type: typeof VARIABLE_TYPES[number];
  /** Whether it must have a value: one that is set, or a default. */
  required: boolean;
  /** May hold other variables; null if there is none. */
  default: string | null;
  description: string;
}

/** A template without its variables, for a check of headings. */
export interface TemplateText {
  /** Its purpose: `prd`, `security-plan`. */
  type: string;
  /** Relative to the repository; null for a shipped one. */
  path: string | null;
  /** The whole file. */
  text: string;
}

/** A template. */
export interface Template extends TemplateText {
  /** In a sentence; empty where the template does not say. */
  description: string;
  /** The file that it becomes, which may hold variables; null where the template does not say. */
  output: string | null;
  variables: TemplateVariable[];
  /** The file without its front matter. */
  body: string;
}

/** `$${name}` stands for the text `${name}` itself. */
export const VARIABLE = /\$?\$\{([A-Za-z_][\w.]*)\}/g;

/** The values of the variables. */
export interface FillWith {
  issue: Issue;
  /** The user's name. */
  user: string;
  /** Such as `2026-12-24`. */
  today: string;
  /** The values set by hand, by name. */
  set: ReadonlyMap<string, string>;
}

/** A template with its values. */
export interface Filled {
  /** Null where neither the template nor its step says so. */
  output: string | null;
  text: string;
}

/** Replaces an empty text of the issue. */
const NOTHING = "none";

/**
 * @throws {AgentxError} `INVALID_INPUT` if a value does not fit, is for no variable of the template, or is
 *   missing
 */
export function fillTemplate(template: Template, filling: FillWith): Filled {
  const { variables, type } = template;
  const { set } = filling;
  const byName = new Map(variables.map((variable) => [variable.name, variable]));
  for (const [name, value] of set) {
    const variable = byName.get(name);
    if (variable === undefined) throw refused(type, name, unknownNote(name, variables));
    const why = problemOf(variable, value);
    if (why !== undefined) throw refused(type, name, `${name} must be ${why}, not ${quote(value)}`);
  }
  const valueOf = (name: string): string => {
    const variable = byName.get(name);
    if (variable === undefined) return KNOWN_VARIABLES[name](filling);
    const value = set.get(name) ?? expand(variable.default ?? "");
    const why = value === "" ? undefined : problemOf(variable, value);
    if (why === undefined) return value;
    throw refused(type, name, `its default must be ${why}, not ${quote(value)}`);
  };
  const expand = (text: string) =>
    text.replace(
      VARIABLE,
      (whole, name) => whole.startsWith("$$") ? whole.slice(1) : valueOf(name),
    );
  const missing = variables.filter(({ name, required }) => required && valueOf(name).trim() === "");
  if (missing.length > 0) throw missingValues(type, missing);
  return {
    output: template.output === null ? null : expand(template.output),
    text: expand(template.body),
  };
}

/** Variables that need no declaration. */
export const KNOWN_VARIABLES: Readonly<Record<string, (filling: FillWith) => string>> = {
  "current_date": ({ today }) => today,
  "user": ({ user }) => user,
  "issue.number": ({ issue }) => String(issue.number),
  "issue.title": ({ issue }) => issue.title,
  "issue.body": ({ issue }) => issue.body,
  "issue.type": ({ issue }) => typeOf(issue) ?? NOTHING,
  "issue.status": ({ issue }) => issue.status,
  "issue.priority": ({ issue }) => priorityOf(issue) ?? NOTHING,
  "issue.labels": ({ issue }) => issue.labels.join(", ") || NOTHING,
  "issue.assignee": ({ issue }) => issue.assignee ?? NOTHING,
  "issue.acceptance_criteria": ({ issue }) =>
    criteriaOf(issue.body).map(({ text, isDone }) => `- [${isDone ? "x" : " "}] ${text}`).join(
      "\n",
    ),
};

/** @returns the rule that a value breaks; undefined if it breaks none */
function problemOf({ type }: TemplateVariable, value: string): string | undefined {
  if (type === "number" && (value.trim() === "" || !Number.isFinite(Number(value)))) {
    return "a number";
  }
  if (type === "boolean" && !/^(true|false)$/.test(value)) return "true or false";
  if (type === "date" && !isDay(value)) return "a day such as 2026-12-24";
  return undefined;
}

function unknownNote(name: string, variables: readonly TemplateVariable[]): string {
  const known = variables.map(({ name }) => name);
  const has = known.length === 0 ? "none" : enumerate(known);
  return `it has no variable ${quote(name)}: it has ${has}`;
}

function missingValues(
  type: string,
  missing: readonly TemplateVariable[],
): AgentxError<"INVALID_INPUT"> {
  const names = missing.map(({ name }) => name);
  const about = missing.filter(({ description }) => description !== "")
    .map(({ name, description }) => `${name} is: ${description}`);
  const options = names.map((name) => `--set ${name}=...`).join(" ");
  const why = `it needs ${enumerate(names)}`;
  return refused(type, names[0], [why, ...about].join("; "), `Add ${options}`);
}

function refused(
  type: string,
  name: string,
  why: string,
  next?: string,
): AgentxError<"INVALID_INPUT"> {
  return new AgentxError("INVALID_INPUT", `Cannot fill the template ${type}: ${why}`, {
    details: { field: "--set", value: name },
    next: next ?? `Look at it with: agentx template show ${type}`,
  });
}
