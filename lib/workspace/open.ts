// The one place where the parts are built and wired. Those that only know what is on disk are in
// `state.ts`, so that a list need not load those that act.

import { DOCUMENTED_AGENTS, roleOf } from "../base/agent_names.ts";
import type { AgentInvoker } from "../agents/agent_call.ts";
import type { ConfiguredOptions } from "../agents/configured.ts";
import { Attachments } from "../clarify/runs/attachments.ts";
import { ClarificationMonitor } from "../clarify/monitor/monitor.ts";
import type { ClarificationContext } from "../clarify/runs/prompt.ts";
import { runsToday } from "../events/runs_today.ts";
import { ClarificationRouter } from "../clarify/hub/router.ts";
import { type ClarificationRecord, parseClarificationId } from "../clarify/schema.ts";
import { DEFAULT_AGENT, isRunnable, settingsKey, settingsOf } from "../config/runnable.ts";
import {
  listWorkflows,
  outputOf,
  readWorkflow,
  upstreamOutputs,
  type Workflow,
} from "../config/workflow.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import { readQuotableArtifact } from "../pipeline/artifact.ts";
import { chooseWorkflow } from "../work/route/route.ts";
import { openState } from "./open_state.ts";
import { Settled } from "./settled_questions.ts";
import type { OpenWorkspaceOptions, Records, WorkspaceState } from "./state.ts";
import { openWork, type Work } from "./work.ts";
import { roleFiles } from "../agents/role_files.ts";

export interface Workspace extends WorkspaceState, Records, Work {
  /** The hub, which asks, answers, resolves and escalates. */
  readonly router: ClarificationRouter;
  /** Marks, escalates and reports clarifications that do not move. */
  readonly monitor: ClarificationMonitor;
  /** The roles that are known here, by settings and workflows. */
  knownAgents(): ReadonlySet<string>;
  workflowTypes(): string[];
  workflow(type: string): Workflow;
  /** The workflow that an issue takes; the default one for an issue that is not kept here. */
  workflowOf(issue: number): Workflow;
}

/**
 * Opens the workspace that holds a folder, with all its parts connected. Throws `NOT_INITIALISED`,
 * `INVALID_CONFIG`.
 */
export async function openParts(options: OpenWorkspaceOptions = {}): Promise<Workspace> {
  return await completeWorkspace(openState(options));
}

/** Adds the parts that act to those that only know what is on disk. */
export async function completeWorkspace(state: WorkspaceState): Promise<Workspace> {
  const { root, tree, config, agents, notify } = state;
  const records = state.records();
  const { events, ledger, status, runs } = records;
  const home = `${root}/.agentx`;
  const workflows = `${home}/workflows`;
  const work = await openWork(state);
  const { issues } = work;
  const issueOf = (issue: number) => issues.findReadable(issue);
  // After a merge another issue may have the number under which a question was asked.
  const issueAskedOn = (number: number) => {
    const issueUid = ledger.scan().ledgers.find((file) => file.issueNumber === number)?.issueUid;
    const issue = issueOf(number);
    if (issueUid === undefined || issue?.uid === issueUid) return issue;
    return issues.view().byUid.get(issueUid)?.issue;
  };
  // Whom an agent may ask follows from what people said of an issue, not from its words.
  const labelsOf = (number: number) => {
    const issue = issueOf(number);
    return issue && { labels: issue.labels };
  };
  const workflow = (type: string) => readWorkflow(workflows, type);
  const { defaultWorkflow } = config;
  const workflowOf = (issue: number, type?: string) =>
    type !== undefined
      ? workflow(type)
      : chooseWorkflow(labelsOf(issue), { readWorkflow: workflow, defaultWorkflow }).workflow;
  const knownAgentsHere = () => knownAgents({ tree, workflows, config, agents, notify });
  const settled = config.memory.enabled
    ? new Settled(state.memory, { ledger, tree, notify })
    : undefined;
  const router = new ClarificationRouter({
    settled,
    ledger,
    status,
    events,
    attachments: new Attachments(`${home}/state/attachments`),
    runs,
    workflowOf,
    knownAgents: knownAgentsHere,
    invokerOf: (agent) => invokerOf(agent, state),
    contextOf: async (record, workflow) => {
      const { issueNumber } = parseClarificationId(record.id);
      return {
        issue: issueAskedOn(issueNumber) ?? null,
        artifact: findArtifact(record, tree, workflow),
        roleFiles: roleFiles(roleOf(record.to), tree, notify),
        settled: await settled?.beside(record) ?? [],
      };
    },
    retryDelayMs: state.retryDelayMs,
    maxTurns: config.clarify.maxTurns,
    maxRunsPerDay: config.clarify.maxRunsPerDay,
    runsToday: () => runsToday(`${home}/log`),
    notify,
  });
  const reachOf = (agent: string) => runs.reach(agent);
  const monitor = new ClarificationMonitor({ ledger, status, events, workflowOf, reachOf, notify });
  return {
    ...state,
    ...records,
    ...work,
    router,
    monitor,
    knownAgents: knownAgentsHere,
    workflowTypes: () => listWorkflows(workflows),
    workflow,
    workflowOf: (issue) => workflowOf(issue),
  };
}

/**
 * The documents' agents, and those that workflows, configuration and `.github/agents/` name. A workflow that
 * cannot be read is noted: it need not be that of the issue.
 */
function knownAgents(
  { tree, workflows, config, agents, notify }:
    & Pick<WorkspaceState, "tree" | "config" | "agents" | "notify">
    & { workflows: string },
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

/**
 * How an agent is run; undefined where that is not configured. Consent is checked at each run,
 * since what a command names may have changed since the last one.
 */
export function invokerOf(
  agent: string,
  { agents, config, tree, trust, results, notify }: WorkspaceState,
  more: Pick<ConfiguredOptions, "onRun" | "work"> = {},
): AgentInvoker | undefined {
  const role = roleOf(agent);
  if (Object.hasOwn(agents, role)) return agents[role];
  const settings = settingsOf(config.agents, role);
  if (settings === undefined || !isRunnable(settings)) return undefined;
  return async (call) => {
    const consent = trust();
    await consent.check(role);
    const { configuredInvoker } = await import("../agents/configured.ts");
    const global = consent.isOfRepository(role) ? "" : "--global ";
    const setBy = `config set ${global}agents.${settingsKey(config.agents, role)}`;
    const models = await consent.models(role, notify);
    const options = { cwd: tree, setBy, results: results(), notify, models, ...more };
    return await configuredInvoker(settings, options)(call);
  };
}

/** What the target wrote for this issue, or else the nearest artifact that the requester builds on. */
function findArtifact(
  record: ClarificationRecord,
  tree: string,
  workflow: Workflow,
): ClarificationContext["artifact"] {
  const { issueNumber } = parseClarificationId(record.id);
  const own = stepsOf(workflow, record.to).map((step) => outputOf(step, issueNumber));
  const upstream = upstreamOutputs(workflow, stepsOf(workflow, record.from), issueNumber);
  for (const path of new Set([...own, ...upstream])) {
    const text = path === null ? undefined : readableArtifact(tree, path);
    if (path !== null && text !== undefined) return { path, text };
  }
  return null;
}

function stepsOf(workflow: Workflow, agent: string) {
  return workflow.steps.filter((step) => step.agent === roleOf(agent));
}

/** An artifact that cannot be read does not keep the question from being asked. */
function readableArtifact(tree: string, path: string): string | undefined {
  return orElse(undefined, () => readQuotableArtifact(tree, path), "IO_ERROR");
}
