// The workflows of a workspace, and the roles that the workflows and settings name.

import { DEFAULT_AGENT } from "../config/runnable.ts";
import { listWorkflows, readWorkflow, type Workflow } from "../config/workflow.ts";
import type { IssueStore } from "../work/issue/issue_store.ts";
import { chooseWorkflow } from "../work/route/route.ts";
import { rolesHere } from "./roles_here.ts";
import type { WorkspaceState } from "./state.ts";

/** The workflows, as their files define them. */
export interface Workflows {
  /** Returns the roles that settings, workflows and agent files name. */
  knownAgents(): ReadonlySet<string>;
  workflowTypes(): string[];
  workflow(type: string): Workflow;
  /**
   * Returns the workflow of a type, or that of an issue. An issue that is not stored here gets the default workflow.
   */
  workflowOf(issue: number, type?: string): Workflow;
}

/** Opens the workflows. Their files are read at each call. */
export function openWorkflows(
  state: WorkspaceState,
  issues: Pick<IssueStore, "findReadable">,
): Workflows {
  const folder = `${state.root}/.agentx/workflows`;
  const workflow = (type: string) => readWorkflow(folder, type);
  const source = { readWorkflow: workflow, defaultWorkflow: state.config.defaultWorkflow };
  // Use only the labels, which people set, to choose the workflow. The text of an issue must not decide whom an
  // agent may ask.
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

/** Returns the agents that are known: those of the configuration and the roles here. */
function knownAgents(
  { tree, config, agents, notify }: WorkspaceState,
  workflows: string,
): Set<string> {
  return new Set([
    ...Object.keys(config.agents).filter((name) => name !== DEFAULT_AGENT),
    ...Object.keys(agents),
    ...rolesHere({ tree, workflows, notify }),
  ]);
}
