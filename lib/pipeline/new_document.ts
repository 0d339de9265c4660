// Makes a document from a template, as a new file in the caller's checkout. It never overwrites a file, and never
// writes outside of the checkout.

import { AgentxError } from "../base/errors.ts";
import { invalidInput } from "../base/input_checks.ts";
import { isInsidePath, stepOutput, type Workflow } from "../config/workflow.ts";
import { sys } from "../sys/mod.ts";
import { staysInside } from "./paths_inside.ts";
import { fillTemplate, type FillWith, type Template } from "./template.ts";

/** The place and the issue of a new document. */
export interface DocumentPlace extends FillWith {
  /** The caller's checkout. */
  tree: string;
  /** The workflow of the issue. If a step names the template, the file gets the name from that step. */
  workflow: Workflow;
}

/**
 * Writes a new document from a template.
 *
 * @returns the path of the file, relative to the checkout
 * @throws {AgentxError} `INVALID_INPUT` if a value is missing, or the file exists; `INVALID_CONFIG` if the file has no
 *   name, or is outside of the checkout
 */
export function newDocument(template: Template, place: DocumentPlace): string {
  const { tree, workflow, issue } = place;
  const { text, output } = fillTemplate(template, place);
  const step = workflow.steps.find(({ template: name, output }) =>
    output !== null && (name === template.type || name === template.path)
  );
  const path = step === undefined ? output : stepOutput(step, issue.number);
  if (path === null) {
    throw wrongPlace(template, "it does not say which file it becomes", "Add output: to its head");
  }
  if (!isInsidePath(path) || !staysInside(tree, path)) {
    throw wrongPlace(template, `"${path}" is not inside the repository`, "Correct its output");
  }
  if (sys.lstat(`${tree}/${path}`) !== undefined) {
    const why = `a file for #${issue.number} exists, and is kept`;
    throw invalidInput("a new document", path, why, "Edit it, or move it away first");
  }
  sys.makeDir(`${tree}/${path}`.slice(0, `${tree}/${path}`.lastIndexOf("/")));
  sys.writeNewFile(`${tree}/${path}`, text, { fsync: false });
  return path;
}

function wrongPlace(
  { type, path }: Template,
  why: string,
  next: string,
): AgentxError<"INVALID_CONFIG"> {
  return new AgentxError("INVALID_CONFIG", `Cannot use template "${path ?? type}": ${why}`, {
    details: { path: path ?? type, line: null, key: "output" },
    next,
  });
}
