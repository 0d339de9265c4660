// Builds the hub and its monitor for the commands that ask, answer and escalate.

import type { AgentInvoker } from "../agents/agent_call.ts";
import { roleOf } from "../base/agent_names.ts";
import { ClarificationMonitor } from "../clarify/monitor/monitor.ts";
import { runsToday } from "../events/runs_today.ts";
import { ClarificationRouter } from "../clarify/hub/router.ts";
import { type ClarificationRecord, parseClarificationId } from "../clarify/schema.ts";
import { stepOutput, upstreamOutputs, type Workflow } from "../config/workflow.ts";
import { orElse } from "../base/errors.ts";
import { readQuotableArtifact } from "../pipeline/artifact.ts";
import { machinesOf } from "./machines.ts";
import { Settled } from "./settled_questions.ts";
import type { Records, WorkspaceState } from "./state.ts";
import type { Work } from "./work.ts";
import type { Workflows } from "./workflows.ts";
import { roleFiles } from "../agents/role_files.ts";

/** The parts of a workspace that the hub and its monitor use. */
type Parts = WorkspaceState & Records & Work & Workflows;

/** Opens the router, which asks, answers, resolves and escalates. */
export function openRouter(
  parts: Parts,
  invokerOf: (agent: string) => AgentInvoker | undefined,
): ClarificationRouter {
  const { root, tree, config, issues, ledger, status, events, runs, notify } = parts;
  const home = `${root}/.agentx`;
  // After a merge, another issue may have the number that the question was asked under.
  const issueAskedOn = (number: number) => {
    const issueUid = ledger.scan().ledgers.find((file) => file.issueNumber === number)?.issueUid;
    const issue = issues.findReadable(number);
    if (issueUid === undefined || issue?.uid === issueUid) return issue;
    return issues.view().byUid.get(issueUid)?.issue;
  };
  const settled = config.memory.enabled
    ? new Settled(parts.memory, { ledger, tree, notify })
    : undefined;
  return new ClarificationRouter({
    settled,
    ledger,
    status,
    events,
    attachments: `${home}/state/attachments`,
    runs,
    workflowOf: parts.workflowOf,
    knownAgents: parts.knownAgents,
    invokerOf,
    contextOf: async (record, workflow) => {
      const { issueNumber } = parseClarificationId(record.id);
      return {
        issue: issueAskedOn(issueNumber) ?? null,
        artifact: findArtifact(record, tree, workflow),
        roleFiles: roleFiles(roleOf(record.to), tree, notify),
        settled: await settled?.beside(record) ?? [],
      };
    },
    machines: machinesOf(parts),
    retryDelayMs: parts.retryDelayMs,
    maxTurns: config.clarify.maxTurns,
    maxRunsPerDay: config.clarify.maxRunsPerDay,
    runsToday: () => runsToday(`${home}/log`),
    notify,
  });
}

/** Opens the monitor, which marks, escalates and reports clarifications without progress. */
export function openMonitor(
  { ledger, status, events, workflowOf, runs, notify }: Parts,
): ClarificationMonitor {
  const reachOf = (agent: string) => runs.reach(agent);
  return new ClarificationMonitor({ ledger, status, events, workflowOf, reachOf, notify });
}

/** Finds the target's artifact for this issue, or else the nearest artifact that the requester's work builds on. */
function findArtifact(
  record: ClarificationRecord,
  tree: string,
  workflow: Workflow,
): { path: string; text: string } | null {
  const { issueNumber } = parseClarificationId(record.id);
  const own = stepsOf(workflow, record.to).map((step) => stepOutput(step, issueNumber));
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

/** Reads an artifact. If it cannot be read, the question is asked without the artifact. */
function readableArtifact(tree: string, path: string): string | undefined {
  return orElse(undefined, () => readQuotableArtifact(tree, path), "IO_ERROR");
}
