// Reads the templates of the documents that steps write. Templates of the repository, in `.agentx/templates/` or
// `.github/templates/`, take precedence over the shipped ones. A file `PRD-TEMPLATE.md` or `prd.md` is the template of
// type `prd`. Templates belong to people, and agentx never writes them.
//
// The front matter is YAML: the purpose of the template, the path of the new document, and the variables.

import { isObject } from "../base/checks.ts";
import { cyclesIn } from "../base/cycles.ts";
import { AgentxError } from "../base/errors.ts";
import { enumerate, quote } from "../base/quote.ts";
import { parseFrontMatter } from "../text/yaml.ts";
import { sys } from "../sys/mod.ts";
import { frontmatterLength } from "../text/outline.ts";
import { readArtifact } from "./artifact.ts";
import { SHIPPED_TEMPLATES } from "./shipped_templates.ts";
import {
  KNOWN_VARIABLES,
  type Template,
  type TemplateText,
  type TemplateVariable,
  VARIABLE,
  VARIABLE_TYPES,
} from "./template.ts";

/** The folders of templates; the first one wins. */
const FOLDERS = [".agentx/templates", ".github/templates"];

const NAME = /^(?!readme\.)(.+?)(?:-template)?\.(?:md|html)$/i;

/**
 * Lists the templates, one of each type.
 *
 * @param tree the caller's checkout
 */
export function listTemplates(tree: string): TemplateText[] {
  const found = new Map(
    Object.entries(SHIPPED_TEMPLATES).map(([type, text]): [string, TemplateText] => [
      type,
      { type, path: null, text },
    ]),
  );
  for (const folder of FOLDERS.toReversed()) {
    for (const name of sys.readDir(`${tree}/${folder}`)) {
      const type = NAME.exec(name)?.[1].toLowerCase();
      const path = `${folder}/${name}`;
      const text = type === undefined ? undefined : readArtifact(tree, path);
      if (type !== undefined && text !== undefined) found.set(type, { type, path, text });
    }
  }
  return [...found.values()].sort((one, other) => one.type < other.type ? -1 : 1);
}

/**
 * Finds a template.
 *
 * @param tree the caller's checkout
 * @param name the template as a step names it: a type, or a path in the repository
 * @returns undefined if there is none
 */
export function findTemplate(tree: string, name: string): TemplateText | undefined {
  if (!/[/.]/.test(name)) return listTemplates(tree).find(({ type }) => type === name);
  const text = readArtifact(tree, name);
  const type = NAME.exec(name.slice(name.lastIndexOf("/") + 1))?.[1].toLowerCase() ?? name;
  return text === undefined ? undefined : { type, path: name, text };
}

/**
 * Reads and parses a template.
 *
 * @throws {AgentxError} `NOT_FOUND` if there is none; `INVALID_CONFIG` as {@linkcode parseTemplate}
 */
export async function readTemplate(tree: string, name: string): Promise<Template> {
  const found = findTemplate(tree, name);
  if (found !== undefined) return await parseTemplate(found);
  throw new AgentxError("NOT_FOUND", `Cannot find template ${quote(name)}: there is no such type`, {
    details: { kind: "template", id: name },
    next: `Use one of: ${listTemplates(tree).map(({ type }) => type).join(", ")}`,
  });
}

/**
 * Parses the front matter of a template, and checks its variables.
 *
 * @throws {AgentxError} `INVALID_CONFIG` if the front matter is not valid YAML or does not fit, the template uses a
 *   variable that it does not declare, or defaults need each other
 */
export async function parseTemplate(template: TemplateText): Promise<Template> {
  const lines = template.text.split(/\r?\n/);
  const length = frontmatterLength(lines);
  const wrong = (why: string, line: number | null = null, key: string | null = null) => {
    const path = template.path ?? template.type;
    const place = line === null ? "" : `line ${line}: `;
    return new AgentxError("INVALID_CONFIG", `Cannot use template "${path}": ${place}${why}`, {
      details: { path, line, key },
      next: "Correct the template; nothing was written",
    });
  };
  const head = length === 0
    ? {}
    : await parseFrontMatter(lines.slice(1, length - 1).join("\n"), wrong);
  const { description = "", output = null, inputs = {} } = head;
  if (typeof description !== "string") {
    throw wrong("description must be a text", null, "description");
  }
  if (output !== null && typeof output !== "string") {
    throw wrong("output must be a path", null, "output");
  }
  if (!isObject(inputs)) throw wrong("inputs must be a map of variables", null, "inputs");
  const variables = Object.entries(inputs).map(([name, value]) => variableOf(name, value, wrong));
  const body = lines.slice(length).join("\n").replace(/^\n+/, "");
  checkUses(lines, { variables, first: length }, wrong);
  return { ...template, description, output, variables, body };
}

/** Makes the error for a fault of a template. */
type Wrong = (why: string, line?: number | null, key?: string | null) => Error;

function variableOf(name: string, value: unknown, wrong: Wrong): TemplateVariable {
  const about = `the variable ${quote(name)}`;
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw wrong(`${about} must have a name of letters, digits and "_"`, null, name);
  }
  if (value !== null && !isObject(value)) throw wrong(`${about} must be a map`, null, name);
  const { type = "string", required = false, default: given = null, description = "" } = value ??
    {};
  const known = VARIABLE_TYPES.find((each) => each === type);
  if (known === undefined) {
    throw wrong(`the type of ${about} must be one of ${VARIABLE_TYPES.join(", ")}`, null, name);
  }
  if (typeof required !== "boolean") {
    throw wrong(`required must be true or false in ${about}`, null, name);
  }
  if (typeof description !== "string") {
    throw wrong(`the description of ${about} must be a text`, null, name);
  }
  if (given !== null && !["string", "number", "boolean"].includes(typeof given)) {
    throw wrong(`the default of ${about} must be one value`, null, name);
  }
  const text = given === null || given === "" ? null : String(given);
  return { name, type: known, required, default: text, description };
}

/** Checks that every variable in use is known, and that no default needs itself. */
function checkUses(
  lines: readonly string[],
  { variables, first }: { variables: readonly TemplateVariable[]; first: number },
  wrong: Wrong,
): void {
  const known = new Set([...Object.keys(KNOWN_VARIABLES), ...variables.map(({ name }) => name)]);
  for (const [index, line] of lines.entries()) {
    const unknown = usedIn(line).find((name) => !known.has(name));
    if (unknown === undefined) continue;
    const remedy = index < first ? "" : `; for the text itself write $\${${unknown}}`;
    throw wrong(`it has no variable ${quote(unknown)} under inputs${remedy}`, index + 1, unknown);
  }
  const needs = variables.map((
    each,
  ): [string, string[]] => [each.name, usedIn(each.default ?? "")]);
  const [cycle] = cyclesIn(new Map(needs));
  if (cycle === undefined) return;
  throw wrong(`the defaults of ${enumerate(cycle)} need each other`, null, cycle[0]);
}

function usedIn(text: string): string[] {
  return Array.from(text.matchAll(VARIABLE))
    .flatMap(([whole, name]) => whole.startsWith("$$") ? [] : [name]);
}
