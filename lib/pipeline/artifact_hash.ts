// The hash of a step's artifact.

import { sha256 } from "../base/sha256.ts";
import { stepOutput, type WorkflowStep } from "../config/workflow.ts";
import { readArtifact } from "./artifact.ts";

/** Returns the hash of a step's artifact; null if the step writes no file, undefined if the file is missing. */
export async function artifactHash(
  tree: string,
  step: WorkflowStep,
  issueNumber: number,
): Promise<string | null | undefined> {
  const path = stepOutput(step, issueNumber);
  if (path === null) return null;
  const text = readArtifact(tree, path);
  return text === undefined ? undefined : await sha256(new TextEncoder().encode(text));
}
