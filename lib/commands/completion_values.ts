/**
 * What there is in a workspace to complete a word with. Where there is no workspace, or something in
 * it cannot be read, there is less.
 *
 * @module
 */

import { DOCUMENTED_AGENTS, normalizeAgentName } from "../agent_names.ts";
import { isActive } from "../clarify/ledger.ts";
import { agentLabel } from "../clarify/render.ts";
import { AgentxError } from "../errors.ts";
import { sys } from "../sys/mod.ts";
import { openWorkspace, type Workspace } from "../workspace/open.ts";
import type { ValueKind } from "./argv.ts";
import type { Candidate } from "./completion.ts";

/** Titles are read for no more issues than a person looks through. */
const MAX_TITLES = 100;

/**
 * @param root where to look for the workspace; left out, the current folder
 * @returns how to look up what there is of a kind
 */
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
  issue({ root, ledger, issues }) {
    const folder = `${root}/.agentx/issues`;
    const numbers = new Set([
      ...sys.readDir(folder).flatMap((name) => /^([1-9][0-9]{0,8})\.json$/.exec(name)?.[1] ?? []),
      ...ledger.scan().ledgers.map(({ issueNumber }) => String(issueNumber)),
    ]);
    const title = (number: string) =>
      numbers.size > MAX_TITLES ? "" : issues.findReadable(Number(number))?.title ?? "";
    return [...numbers].sort((a, b) => Number(a) - Number(b))
      .map((number) => ({ word: number, text: title(number) }));
  },
  clarification: ({ ledger }) =>
    ledger.scan().ledgers
      .flatMap(({ clarifications }) => clarifications)
      .filter(isActive)
      .map(({ id, from, to, topic }) => ({
        word: id,
        text: `${agentLabel(from)} -> ${agentLabel(to)}: ${topic}`,
      })),
  agent({ config }) {
    const names = Object.keys(config.agents).map(normalizeAgentName);
    return [...new Set([...DOCUMENTED_AGENTS, ...names])].map((word) => ({ word, text: "" }));
  },
  workflow: (workspace) => workspace.workflowTypes().map((word) => ({ word, text: "" })),
};
