/**
 * A router on real files whose agents are functions, with a clock and a record of what it did.
 *
 * @module
 */

import { DOCUMENTED_AGENTS } from "../../lib/base/agent_names.ts";
import type { AgentCall, AgentInvoker } from "../../lib/agents/agent_call.ts";
import { ClarificationLedger } from "../../lib/clarify/ledger/ledger.ts";
import type { ClarificationRequest } from "../../lib/clarify/hub/requests.ts";
import { ClarificationRouter } from "../../lib/clarify/hub/router.ts";
import { Runs } from "../../lib/clarify/runs/runs.ts";
import type { LedgerFile } from "../../lib/clarify/schema.ts";
import { AgentStatusStore } from "../../lib/clarify/status/status.ts";
import type { AgentStatusFile } from "../../lib/clarify/status/status_file.ts";
import { readWorkflow } from "../../lib/config/workflow.ts";
import { AgentxError } from "../../lib/base/errors.ts";
import { AgentEventBus, EVENT_NAMES } from "../../lib/events/bus.ts";
import { FileLockManager } from "../../lib/lock/mod.ts";
import { pause } from "../../lib/sys/pause.ts";
import { replace } from "../lock/faults.ts";
import { snapshotOf } from "../temp_workspace.ts";
import { START_MS } from "./samples.ts";

const FEATURE = `[[steps]]
id = "implement"
agent = "engineer"
can_clarify = ["architect", "product-manager"]
`;

const BUG = `${FEATURE}clarify_blocking_allowed = false
clarify_max_rounds = 2
clarify_sla_minutes = 90
`;

/** An agent that may look at, and act through, the hub that runs it. */
export type ScriptedAgent = (call: AgentCall, hub: Hub) => ReturnType<AgentInvoker>;

/** Options of {@linkcode Hub}. */
export interface HubOptions {
  /**
   * How to run each agent.
   *
   * @default {{}}
   */
  agents?: Record<string, ScriptedAgent>;
  /**
   * Workflows by type.
   *
   * @default {a feature and a bug}
   */
  workflows?: Record<string, string>;
  /**
   * Whether pauses take their time, for who waits for another process.
   *
   * @default {false}
   */
  pauses?: boolean;
  /**
   * Turns of agents on one issue.
   *
   * @default {40}
   */
  maxTurns?: number;
}

/** An event, with the ledger and the statuses as they were on disk when it was heard. */
export interface Heard {
  name: string;
  payload: Record<string, unknown>;
  ledger: LedgerFile;
  statuses: AgentStatusFile;
}

/** A hub in a temp folder, removed at the end of the block that is `using` it. */
export class Hub implements Disposable {
  readonly folder: string = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly statusPath = `${this.folder}/state/agent-status.json`;
  readonly ledger: ClarificationLedger;
  readonly status: AgentStatusStore;
  readonly events = new AgentEventBus();
  readonly router: ClarificationRouter;
  readonly heard: Heard[] = [];
  /** Pauses before a retry. */
  readonly waits: number[] = [];
  readonly notes: string[] = [];
  nowMs = START_MS;
  readonly #clock = new DisposableStack();

  constructor(
    { agents = {}, workflows = { feature: FEATURE, bug: BUG }, pauses = false, maxTurns = 40 }:
      HubOptions = {},
  ) {
    const wait = (ms: number) => (this.waits.push(ms), pauses ? pause(ms) : Promise.resolve());
    this.#clock.use(replace("now", () => () => this.nowMs));
    this.#clock.use(replace("wait", () => wait));
    Deno.mkdirSync(`${this.folder}/workflows`);
    for (const [type, text] of Object.entries(workflows)) {
      Deno.writeTextFileSync(`${this.folder}/workflows/${type}.toml`, text);
    }
    const locks = new FileLockManager();
    this.ledger = new ClarificationLedger(`${this.folder}/state/clarifications`, locks);
    this.status = new AgentStatusStore(this.statusPath, locks, this.ledger);
    this.router = new ClarificationRouter({
      ledger: this.ledger,
      status: this.status,
      events: this.events,
      attachments: `${this.folder}/state/attachments`,
      runs: new Runs(`${this.folder}/state/runs`),
      workflowOf: (_issue, type = "feature") => readWorkflow(`${this.folder}/workflows`, type),
      knownAgents: () => new Set(DOCUMENTED_AGENTS),
      invokerOf: (agent) => agents[agent] && ((call) => agents[agent](call, this)),
      contextOf: () => ({ issue: null, artifact: null }),
      retryDelayMs: 30_000,
      maxTurns,
      maxRunsPerDay: 200,
      runsToday: () => 0,
      notify: (message) => this.notes.push(message),
    });
    for (const name of EVENT_NAMES) {
      if (name === "agent-started" || name === "agent-completed") continue; // each run has both
      this.events.on(name, (payload) => {
        const ledger = JSON.parse(Deno.readTextFileSync(this.ledgerPath(42)));
        this.heard.push({ name, payload: { ...payload }, ledger, statuses: this.statuses() });
      });
    }
  }

  ledgerPath(issue: number): string {
    return `${this.folder}/state/clarifications/issue-${issue}.json`;
  }

  /** The status file as it is on disk. */
  statuses(): AgentStatusFile {
    return JSON.parse(Deno.readTextFileSync(this.statusPath));
  }

  /** The statuses of some agents on disk, each in a word. */
  words(...agents: string[]): string[] {
    const statuses = this.statuses();
    return agents.map((agent) => statuses[agent].status);
  }

  /** Names of the events until now. */
  get names(): string[] {
    return this.heard.map(({ name }) => name);
  }

  snapshot(): Record<string, string> {
    return snapshotOf(this.folder);
  }

  [Symbol.dispose](): void {
    this.#clock.dispose();
    Deno.removeSync(this.folder, { recursive: true });
  }
}

/** A question of the engineer about issue 42, with changes; asked twice, it is another question. */
export function request(changes: Partial<ClarificationRequest> = {}): ClarificationRequest {
  return {
    issueNumber: 42,
    fromAgent: "engineer",
    toAgent: "architect",
    topic: "Database layer",
    question: "PostgreSQL or SQLite?",
    blocking: true,
    again: true,
    ...changes,
  };
}

/** A follow-up of the engineer. */
export function again(question = "And pooling?"): { clarificationId: string; question: string } {
  return { clarificationId: "CLR-42-001", question };
}

/** An agent that gives these replies, one per run; `fail` in place of a reply is a failed run. */
export function replies(...script: string[]): ScriptedAgent {
  return ({ agent }) => {
    const next = script.shift() ?? "fail";
    return next === "fail" ? Promise.reject(agentError(agent)) : Promise.resolve(next);
  };
}

/** The failure of a run. */
export function agentError(agent: string, reason = "exit code 1"): AgentxError<"AGENT_ERROR"> {
  return new AgentxError("AGENT_ERROR", `Cannot get an answer from ${agent}: ${reason}`, {
    details: { agent, reason },
  });
}
