// The parts of the hub.

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
  /** Receives an event for each change, after the change is written. */
  events: AgentEventBus;
  /** The folder of answers that are too long for a thread; it need not exist. */
  attachments: string;
  /** Shows other processes which targets are being run. */
  runs: Runs;
  /** Returns the workflow of an issue, or of the given type. */
  workflowOf: (issueNumber: number, type?: string) => Workflow;
  knownAgents: () => ReadonlySet<string>;
  /** Returns how to run an agent; undefined if nothing is configured for it. */
  invokerOf: (agent: string) => AgentInvoker | undefined;
  /** Returns the target's context besides the thread. The workflow gives the rules that apply. */
  contextOf: (
    clarification: ClarificationRecord,
    workflow: Workflow,
  ) => ClarificationContext | Promise<ClarificationContext>;
  /** Keeps settled answers, and tells whether an answer still holds. */
  settled?: {
    remember(clarification: ClarificationRecord): Promise<void>;
    holds(clarification: ClarificationRecord): Promise<boolean>;
  };
  /** Decides between machines, if several share the workspace. */
  machines?: {
    /**
     * Takes the right to run a question, and reads the news of other machines; undefined if another machine runs it.
     * The end of a turn sends the answer.
     */
    takeTurn(id: string): Promise<{ end(): Promise<void> } | undefined>;
    /** Sends the changes of this machine, and reads those of other machines; a failure leaves them pending. */
    hear(): Promise<void>;
    /** Does the same as `hear`, unless the last exchange was a moment ago. */
    hearAgain(): Promise<void>;
  };
  /** Pause before the second run of a failing target, in milliseconds. */
  retryDelayMs: number;
  /** Maximum number of turns that agents take on an issue before a human is asked. */
  maxTurns: number;
  /** Maximum number of runs of agents that may begin in a day. */
  maxRunsPerDay: number;
  /** Returns how many runs have begun today. */
  runsToday: () => number;
  /** Called with one sentence for each wait, and for each failure that does no harm. */
  notify: (message: string) => void;
}

/** The options of the router, plus the only way to publish a change. */
export interface HubParts extends ClarificationRouterOptions {
  publish: Publish;
}
