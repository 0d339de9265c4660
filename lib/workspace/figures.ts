// Collects the facts for figures and digests of a workspace.

import { DigestStore } from "../work/figures/digest.ts";
import { type FactsRead, readFacts } from "../work/figures/read_facts.ts";
import { birthOf } from "./state_origin.ts";
import type { Workspace } from "./open.ts";

/** Returns the facts since a time, in milliseconds. */
export async function factsSince(workspace: Workspace, sinceMs: number): Promise<FactsRead> {
  const { isOurs } = birthOf(workspace.root);
  return await readFacts({ ...workspace, isOurs }, sinceMs);
}

export function digestsOf(workspace: Workspace): DigestStore {
  const facts = (sinceMs: number) => factsSince(workspace, sinceMs);
  const assumptions = async () => (await workspace.gate()).assumptions.list();
  return new DigestStore({ ...workspace, facts, assumptions });
}
