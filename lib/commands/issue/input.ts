/**
 * What the commands of issues have in common in their input.
 *
 * @module
 */

import { text } from "../../cli/inputs.ts";
import { argument, rule, type Spec, word } from "../../cli/spec.ts";
import { usageError } from "../../cli/usage_error.ts";
import {
  checkStatus,
  isStatus,
  ISSUE_STATUSES,
  MAX_ISSUE_BODY,
  MAX_TITLE,
} from "../../work/issue/issue.ts";
import { ISSUE_TYPES, typeOf } from "../../work/issue/labels.ts";
import type { Workspace } from "../../workspace/open.ts";

/** `--title`. */
export const title = argument(text(MAX_TITLE), "One line that says what it is about", {
  short: "t",
  placeholder: "TITLE",
});

/** `--body`. */
export const body = argument(text(MAX_ISSUE_BODY), "Markdown", { short: "b" });

/** `--comment`. */
export const comment = argument(text(MAX_ISSUE_BODY), "A comment", { short: "c" });

/** `--status`: a column of the board, in any spelling. */
export const status: Spec<string> = {
  ...rule(isStatus, `be one of ${ISSUE_STATUSES.join(", ")}`),
  description: ISSUE_STATUSES.join(", "),
  short: "s",
  placeholder: "STATUS",
  read: checkStatus,
};

/** `--label`: with commas, or the flag again. */
export const labels: Spec<string[]> = {
  ...word,
  kind: "list",
  description: "Labels with commas, or the flag again",
  placeholder: "LABEL,...",
  read: (text) => text.split(","),
};

/**
 * Refuses a type that no workflow is for: nobody could ask about such an issue.
 *
 * @throws {AgentxError} `INVALID_INPUT`
 */
export function checkType(
  command: string,
  labels: readonly string[],
  workspace: Pick<Workspace, "workflowTypes">,
): void {
  const type = typeOf({ labels: labels.map((label) => label.trim()) });
  if (type === undefined) return;
  const known = [...new Set([...workspace.workflowTypes(), ...ISSUE_TYPES])].sort();
  if (known.includes(type)) return;
  throw usageError(command, {
    field: "--label",
    value: `type:${type}`,
    why: `there is no workflow for type:${type}`,
    hint: `One of: ${known.join(", ")}.`,
  });
}
