/**
 * What there is in a workspace to complete a word with. Where there is no workspace, or something in
 * it cannot be read, there is less.
 *
 * @module
 */

import { agentLabel } from "../clarify/render/threads.ts";
import { askerOf } from "../clarify/schema.ts";
import { AgentxError } from "../errors.ts";
import { openWorkspace, type Workspace } from "../workspace/open.ts";
import type { Candidate } from "./completion.ts";
import type { ValueKind } from "./spec.ts";

/** @returns how to look up what there is of a kind */
export function valuesIn(root?: string): (kind: ValueKind) => Promise<Candidate[]> {
  return async (kind) => {
    try {
      return VALUES[kind](await openWorkspace({ root }));
    } catch (error) {
      if (error instanceof AgentxError) return [];
      throw error;
    }
  };
}

const VALUES: Record<ValueKind, (workspace: Workspace) => Candidate[]> = {
  issue({ ledger, issues }) {
    const titles = new Map(ledger.scan().ledgers.map(({ issueNumber }) => [issueNumber, ""]));
    for (const { number, title } of issues.scan().issues) titles.set(number, title);
    return [...titles].sort(([a], [b]) => a - b)
      .map(([number, title]) => ({ word: String(number), text: title }));
  },
  clarification: ({ ledger }) =>
    ledger.getActive()
      .map((record) => ({
        word: record.id,
        text: `${agentLabel(askerOf(record))} -> ${agentLabel(record.to)}: ${record.topic}`,
      })),
  agent: (workspace) => [...workspace.knownAgents()].map((word) => ({ word, text: "" })),
  workflow: (workspace) => workspace.workflowTypes().map((word) => ({ word, text: "" })),
};
