// The workflows of a workspace, and the roles that they and its settings name.

import { DOCUMENTED_AGENTS } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { DEFAULT_AGENT } from "../config/runnable.ts";
import { listWorkflows, readWorkflow, type Workflow } from "../config/workflow.ts";
import { sys } from "../sys/mod.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { chooseWorkflow } from "../work/route/route.ts";
import type { WorkspaceState } from "./state.ts";

/** The workflows, as their files define them. */
export interface Workflows {
  /** The roles that are known here, by settings and workflows. */
  knownAgents(): ReadonlySet<string>;
  workflowTypes(): string[];
  workflow(type: string): Workflow;
  /** The workflow of a type, or else that of an issue; the default one for an issue that is not kept here. */
  workflowOf(issue: number, type?: string): Workflow;
}

/** Reads them at each call. */
export function openWorkflows(
  state: WorkspaceState,
  issues: Pick<IssueStore, "findReadable">,
): Workflows {
  const folder = `${state.root}/.agentx/workflows`;
  const workflow = (type: string) => readWorkflow(folder, type);
  const source = { readWorkflow: workflow, defaultWorkflow: state.config.defaultWorkflow };
  // Whom an agent may ask follows from what people said of an issue, not from its words.
  const labelsOf = (number: number) => {
    const issue = issues.findReadable(number);
    return issue && { labels: issue.labels };
  };
  return {
    knownAgents: () => knownAgents(state, folder),
    workflowTypes: () => listWorkflows(folder),
    workflow,
    workflowOf: (issue, type) =>
      type !== undefined ? workflow(type) : chooseWorkflow(labelsOf(issue), source).workflow,
  };
}

/**
 * The documents' agents, and those that workflows, configuration and `.github/agents/` name. A workflow that
 * cannot be read is noted: it need not be that of the issue.
 */
function knownAgents(
  { tree, config, agents, notify }: WorkspaceState,
  workflows: string,
): Set<string> {
  const stepsOf = (type: string) => {
    try {
      return readWorkflow(workflows, type).steps;
    } catch (error) {
      if (!(error instanceof AgentxError)) throw error;
      notify(error.summary);
      return [];
    }
  };
  const files = sys.readDir(`${tree}/.github/agents`);
  return new Set([
    ...DOCUMENTED_AGENTS,
    ...Object.keys(config.agents).filter((name) => name !== DEFAULT_AGENT),
    ...Object.keys(agents),
    ...files.flatMap((name) => /^(.+)\.agent\.md$/.exec(name)?.[1] ?? []),
    ...listWorkflows(workflows).flatMap((type) => stepsOf(type).map(({ agent }) => agent)),
  ]);
}
