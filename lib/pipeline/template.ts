// Fills the variables of a template. A filled-in value is not read again, so text of an issue cannot bring in
// variables. Pure.

import { AgentxError } from "../base/errors.ts";
import { enumerate, quote } from "../base/quote.ts";
import { criteriaOf } from "../work/issue/criteria.ts";
import { isDay, type Issue } from "../work/issue/issue.ts";
import { priorityOf, typeOf } from "../work/issue/labels.ts";

/** The types of variables. */
export const VARIABLE_TYPES = ["string", "number", "boolean", "date"] as const;

/** A variable of a template, as in the front matter under `inputs`. */
export interface TemplateVariable {
  name: string;
  type: typeof VARIABLE_TYPES[number];
  /** Whether the variable needs a value, set by hand or by default. */
  required: boolean;
  /** The default, which may contain other variables; null if there is none. */
  default: string | null;
  description: string;
}

/** A template that is not parsed yet, which is enough to check headings. */
export interface TemplateText {
  /** The type of the template, such as `prd` or `security-plan`. */
  type: string;
  /** The path, relative to the repository; null for a shipped template. */
  path: string | null;
  /** The text of the whole file. */
  text: string;
}

/** A template with its front matter parsed. */
export interface Template extends TemplateText {
  /** The purpose, in one sentence; empty if the template has none. */
  description: string;
  /** The path of the new document, which may contain variables; null if the template names none. */
  output: string | null;
  variables: TemplateVariable[];
  /** The file without its front matter. */
  body: string;
}

/** A use of a variable; `$${name}` stands for the text `${name}` itself. */
export const VARIABLE = /\$?\$\{([A-Za-z_][\w.]*)\}/g;

/** The values of the variables. */
export interface FillWith {
  issue: Issue;
  /** The user's name. */
  user: string;
  /** The current day, such as `2026-12-24`. */
  today: string;
  /** The values set by hand, by name. */
  set: ReadonlyMap<string, string>;
}

/** A template with its variables filled in. */
export interface Filled {
  /** The path of the new document; null if the template names none. */
  output: string | null;
  text: string;
}

/** The value for an empty field of the issue. */
const NOTHING = "none";

/**
 * Fills the variables of a template.
 *
 * @throws {AgentxError} `INVALID_INPUT` if a value does not fit, is for no variable of the template, or is missing
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

/** The variables that need no declaration, and their values. */
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

/** Returns the rule that a value breaks; undefined if it breaks none. */
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
