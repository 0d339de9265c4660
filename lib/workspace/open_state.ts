// Opens what a workspace knows: finds it, reads its settings, and wires the parts that know what is on disk.
// Memory, the issues and consent have more behind them: they are loaded when they are asked for.

import { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import { ledgerNumbers } from "../clarify/ledger/ledger_files.ts";
import { Runs } from "../clarify/runs/runs.ts";
import { AgentStatusStore } from "../clarify/status/status.ts";
import { readSettings } from "../config/settings.ts";
import { RepositoryTrust } from "../config/trust.ts";
import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";
import { LogFollower } from "../events/follower.ts";
import { EventLog } from "../events/log.ts";
import { type AssumptionMemory, AssumptionStore } from "../gate/assumption_store.ts";
import { HumanGate } from "../gate/gate.ts";
import { InteractionStore } from "../gate/store.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import { MAX_CONTENT, truncate } from "../memory/schema.ts";
import { sys } from "../sys/mod.ts";
import { isOpen } from "../work/issue/issue.ts";
import { birthOf, originOf } from "./state_origin.ts";
import { hasCode } from "../base/errors.ts";
import { findWorkspace } from "./find.ts";
import { roleReach } from "./role_reach.ts";
import type { OpenWorkspaceOptions, Records, WorkspaceState } from "./state.ts";
import type { AgentInvoker } from "../agents/agent_call.ts";
import { failedRun } from "../agents/failed_run.ts";
import { parseAgentName } from "../base/agent_names.ts";
import { AgentResults } from "../agents/results.ts";

/** Opens what the workspace of a folder knows. Throws `NOT_INITIALISED`, `INVALID_CONFIG`. */
export function openState(options: OpenWorkspaceOptions = {}): WorkspaceState {
  const { notify = () => {} } = options;
  const agents = byRole(options.agents ?? {});
  const { root, tree } = findWorkspace(options.root ?? sys.cwd());
  const home = `${root}/.agentx`;
  const { config, repositoryAgents, weaker } = readSettings({ root, tree }, notify);
  const state: WorkspaceState = {
    root,
    tree,
    config,
    agents,
    retryDelayMs: options.retryDelayMs ?? config.clarify.retryDelaySeconds * 1_000,
    notify,
    records: once(() => openRecords(state, options)),
    issueStore: once(async () => {
      const { IssueStore } = await import("../work/issue/issue_store.ts");
      const { locks, events } = state.records();
      return new IssueStore(root, locks, {
        tree,
        isOurs: () => birthOf(root).isOurs,
        takenElsewhere: () => ledgerNumbers(`${home}/state/clarifications`),
        onChange(change) {
          const source = `issue/${change.issueNumber}`;
          events.emit("state-change", { source, ...change, timestamp: sys.now() });
        },
        notify,
      });
    }),
    followLog: (options) => new LogFollower(`${home}/log`, { warn: notify, ...options }),
    trust: () =>
      new RepositoryTrust({ root, tree, repositoryAgents, agents: config.agents, weaker }),
    results: () =>
      new AgentResults(`${home}/state/agent-results.json`, {
        locks: state.records().locks,
        notify,
      }),
    memory: once(async () => (await import("./open_memory.ts")).openMemory(state)),
    gate: once(() => openGate(state)),
  };
  return state;
}

/** All that happens is logged, and so is a wait for a lock. */
function openRecords(
  state: WorkspaceState,
  { events = new AgentEventBus(), signal }: OpenWorkspaceOptions,
): Records {
  const { root, issueStore, notify } = state;
  const home = `${root}/.agentx`;
  const log = new EventLog(`${home}/log`, { warn: notify });
  for (const name of EVENT_NAMES) events.on(name, (payload) => log.write(name, payload));
  const locks = new FileLockManager({
    signal,
    onEvent: ({ kind, path, agent, waitedMs }) =>
      log.write(`lock-${kind}`, {
        filePath: path.slice(root.length + 1),
        agent,
        durationMs: Math.round(waitedMs),
      }),
  });
  const origin = originOf(root);
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks, {
    origin,
    uidOf: async (issue) => (await issueStore()).findReadable(issue)?.uid,
    notify,
  });
  const status = new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger, {
    async holders() {
      const { issues } = (await issueStore()).scan();
      return new Set(issues.filter(isOpen).flatMap(({ assignee }) => assignee ?? []));
    },
    origin,
  });
  const runs: Runs = new Runs(
    `${home}/state/runs`,
    async (role) =>
      await roleReach(role, { ...state, status, isServed: (role) => runs.isServed(role) }),
  );
  return { locks, events, log, ledger, status, runs };
}

function openGate(state: WorkspaceState): HumanGate {
  const { root, config, issueStore, notify } = state;
  const { locks, events } = state.records();
  const stateFolder = `${root}/.agentx/state`;
  const origin = originOf(root);
  return new HumanGate({
    store: new InteractionStore(`${stateFolder}/agent-interactions.json`, { locks, origin }),
    assumptions: new AssumptionStore(`${stateFolder}/assumptions.json`, {
      locks,
      origin,
      async uids() {
        const issues = await issueStore();
        return (issue) => issues.findReadable(issue)?.uid;
      },
      memory: config.memory.enabled ? gateMemory(state.memory) : undefined,
      notify,
    }),
    events,
    settings: config.gate,
    async executionOf(issue) {
      const { executionOf, openWork } = await import("./work.ts");
      return executionOf(issue, await openWork(state));
    },
    async whyComplex(number) {
      const { whyComplex } = await import("../work/route/complexity.ts");
      const issue = (await issueStore()).findReadable(number);
      return issue && whyComplex(issue);
    },
    notify,
  });
}

/** What a human confirmed is a decision that the next session should know. */
function gateMemory(memory: WorkspaceState["memory"]): AssumptionMemory {
  return {
    async remember({ agent, issue: issueNumber, decision, reasoning }) {
      const room = MAX_CONTENT - `${decision} ()`.length;
      const content = room > 0 ? `${decision} (${truncate(reasoning, room)})` : decision;
      const category = "decision" as const;
      return (await (await memory()).note({ agent, issueNumber, category, content })).id;
    },
    async retract(id, because) {
      await (await memory()).store.retract(id, because);
    },
  };
}

/** Opens a part at the first call, and gives the same one to all. */
function once<T>(open: () => T): () => T {
  let opened: { part: T } | undefined;
  return () => (opened ??= { part: open() }).part;
}

/** A short name, such as `pm`, is that of its role. Throws `INVALID_INPUT` for what is no name. */
function byRole(agents: Readonly<Record<string, AgentInvoker>>): Record<string, AgentInvoker> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [parseAgentName(name), ofProgram(agent)]),
  );
}

/** An agent that is a function of the program: whatever it throws is a failed run, errors of ours too. */
function ofProgram(agent: AgentInvoker): AgentInvoker {
  return async (call) => {
    try {
      return await agent(call);
    } catch (cause) {
      if (call.signal?.aborted || hasCode(cause, "AGENT_ERROR")) throw cause;
      throw failedRun(call.agent, cause instanceof Error ? cause.message : String(cause), {
        cause,
      });
    }
  };
}
