// What the hub is made of, and what its steps get.

import type { AgentInvoker } from "../../agents/agent_call.ts";
import type { Workflow } from "../../config/workflow.ts";
import type { AgentEventBus } from "../../events/bus.ts";
import type { Attachments } from "../runs/attachments.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import type { ClarificationContext } from "../runs/prompt.ts";
import type { Publish } from "../status/publish.ts";
import type { Runs } from "../runs/runs.ts";
import type { ClarificationRecord } from "../schema.ts";
import type { AgentStatusStore } from "../status/status.ts";

/** What the router works with. All of it is made by `openWorkspace`. */
export interface ClarificationRouterOptions {
  ledger: ClarificationLedger;
  /** What each agent is doing, which follows from the ledger. */
  status: AgentStatusStore;
  /** Receives an event for each change, after it is written. */
  events: AgentEventBus;
  /** Keeps answers that are too long for a thread. */
  attachments: Attachments;
  /** Shows other processes which targets are being run. */
  runs: Runs;
  /** The workflow of an issue, or of the type that is named. */
  workflowOf: (issueNumber: number, type?: string) => Workflow;
  knownAgents: () => ReadonlySet<string>;
  /** How to run an agent; undefined if nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  /** What the target should know besides the thread, under the workflow whose rules apply. */
  contextOf: (
    clarification: ClarificationRecord,
    workflow: Workflow,
  ) => ClarificationContext | Promise<ClarificationContext>;
  /** Keeps what was settled, and knows whether it still holds. */
  settled?: {
    remember(clarification: ClarificationRecord): Promise<void>;
    holds(clarification: ClarificationRecord): Promise<boolean>;
  };
  /** Pause before the second run of a failing target, in milliseconds. */
  retryDelayMs: number;
  /** How many turns agents take on an issue before a human is asked. */
  maxTurns: number;
  /** How many runs of agents may begin in a day. */
  maxRunsPerDay: number;
  /** Tells how many have begun today. */
  runsToday: () => number;
  /** Called with one sentence for each wait, and for what failed without harm. */
  notify: (message: string) => void;
}

/** The same, and the one way to publish a change. */
export interface HubParts extends ClarificationRouterOptions {
  publish: Publish;
}
