// Finds steps without a document that changed nothing. Such a step is not done, although the tests of an untouched tree
// pass.

import { mayChange } from "../config/role_settings.ts";
import type { WorkflowStep } from "../config/workflow.ts";

/** Documentation files, which do not run. */
const DOCUMENTS = /^docs\/|\.(?:md|mdx|rst|adoc)$/;

/**
 * Returns why a step counts as empty work.
 *
 * @param changed the files that its agent changed; undefined if unknown
 * @param tree the tree with the definition of the role
 * @returns undefined for a step with changes, for a step that writes a document, and for a role that changes documents
 *   only
 */
export function emptyWork(
  { id, output, agent }: WorkflowStep,
  changed: readonly string[] | undefined,
  tree: string,
): string | undefined {
  const isOfDocuments = mayChange(agent, tree)?.every((pattern) => DOCUMENTS.test(pattern));
  return output === null && !isOfDocuments && changed?.length === 0
    ? `${id} changed no file`
    : undefined;
}
