// The parts of the hub, and the input of its steps.

import type { AgentInvoker } from "../../agents/agent_call.ts";
import type { Workflow } from "../../config/workflow.ts";
import type { AgentEventBus } from "../../events/bus.ts";
import type { ClarificationLedger } from "../ledger/ledger.ts";
import type { ClarificationContext } from "../runs/prompt.ts";
import type { Publish } from "../status/publish.ts";
import type { Runs } from "../runs/runs.ts";
import type { ClarificationRecord } from "../schema.ts";
import type { AgentStatusStore } from "../status/status.ts";

/** The parts of the router. `openWorkspace` makes all of them. */
export interface ClarificationRouterOptions {
  ledger: ClarificationLedger;
  /** The work of each agent, derived from the ledger. */
  status: AgentStatusStore;
  /** Receives an event for each change, after it is written. */
  events: AgentEventBus;
  /** The folder of answers that are too long for a thread; it need not exist. */
  attachments: string;
  /** Shows other processes which targets are being run. */
  runs: Runs;
  /** The workflow of an issue, or of the type that is named. */
  workflowOf: (issueNumber: number, type?: string) => Workflow;
  knownAgents: () => ReadonlySet<string>;
  /** How to run an agent; undefined if nothing is configured. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  /** The target's context besides the thread, by the workflow with the rules that apply. */
  contextOf: (
    clarification: ClarificationRecord,
    workflow: Workflow,
  ) => ClarificationContext | Promise<ClarificationContext>;
  /** Keeps settled answers, and knows whether they still hold. */
  settled?: {
    remember(clarification: ClarificationRecord): Promise<void>;
    holds(clarification: ClarificationRecord): Promise<boolean>;
  };
  /** Decides between machines, where several share the workspace. */
  machines?: {
    /**
     * Takes the right to run a question, with the news of other machines; undefined if another machine runs it.
     * The end of a turn sends the answer.
     */
    takeTurn(id: string): Promise<{ end(): Promise<void> } | undefined>;
    /** Sends changes, and reads those of others; a failure leaves them pending. */
    hear(): Promise<void>;
    /** The same, unless that was a moment ago. */
    hearAgain(): Promise<void>;
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
