// Opens the state of a workspace: finds it, reads its settings, and connects the parts for files on disk. Memory,
// issues and consent need more modules, so they are loaded at the first call.

import { ClarificationLedger } from "../clarify/ledger/ledger.ts";
import { ledgerNumbers } from "../clarify/ledger/ledger_files.ts";
import { Runs } from "../clarify/runs/runs.ts";
import { AgentStatusStore } from "../clarify/status/status.ts";
import { readSettings } from "../config/settings.ts";
import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";
import { EventLog } from "../events/log.ts";
import { OperationLog } from "../events/operations.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
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

/** Opens the state of the workspace of a folder. Throws `NOT_INITIALISED`, `INVALID_CONFIG`. */
export function openState(options: OpenWorkspaceOptions = {}): WorkspaceState {
  const { notify = () => {} } = options;
  const agents = byRole(options.agents ?? {});
  const { root, tree } = findWorkspace(options.root ?? sys.cwd());
  const home = `${root}/.agentx`;
  const { config, repositoryAgents, weaker } = readSettings({ root, tree }, notify);
  const operations = new OperationLog(`${home}/state/operations`, originOf(root));
  const state: WorkspaceState = {
    root,
    tree,
    config,
    agents,
    model: options.model,
    retryDelayMs: options.retryDelayMs ?? config.clarify.retryDelaySeconds * 1_000,
    notify,
    operations,
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
        note: operations.note,
        notify,
      });
    }),
    async followLog(options) {
      const { LogFollower } = await import("../events/follower.ts");
      return new LogFollower(`${home}/log`, { warn: notify, ...options });
    },
    async trust() {
      const { RepositoryTrust } = await import("../config/trust.ts");
      return new RepositoryTrust({ root, tree, repositoryAgents, agents: config.agents, weaker });
    },
    async results() {
      const { AgentResults } = await import("../agents/results.ts");
      const { locks } = state.records();
      return new AgentResults(`${home}/state/agent-results.json`, { locks, notify });
    },
    memory: once(async () => (await import("./open_memory.ts")).openMemoryPipeline(state)),
    gate: once(async () => (await import("./open_gate.ts")).openGate(state)),
    remote: once(async () => {
      if (!Object.hasOwn(config.remotes, root)) return undefined;
      const { id, isOurs } = birthOf(root);
      if (!isOurs || id === undefined) return undefined;
      const { Remote } = await import("../remote/remote.ts");
      return Remote.open({ root, tree, birth: id }, { notify });
    }),
    claims: once(async () => {
      const remote = await state.remote();
      if (remote !== undefined || config.mode !== "github") return remote?.claims;
      const { claimsOnGitHub } = await import("./github.ts");
      return claimsOnGitHub(state);
    }),
  };
  return state;
}

/** Opens the records. All events and all waits for locks are logged. */
function openRecords(
  state: WorkspaceState,
  { events = new AgentEventBus(), signal }: OpenWorkspaceOptions,
): Records {
  const { root, issueStore, operations: { note }, notify } = state;
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
    note,
    uidOf: async (issue) => (await issueStore()).findReadable(issue)?.uid,
    notify,
  });
  const status = new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger, {
    async holders() {
      const { issues } = (await issueStore()).scan();
      return new Set(issues.filter(isOpen).flatMap(({ assignee }) => assignee ?? []));
    },
    origin,
    note,
  });
  const runs: Runs = new Runs(
    `${home}/state/runs`,
    async (role) =>
      await roleReach(role, {
        ...state,
        status,
        isServed: (role) => runs.isServed(role),
        servedElsewhere: async (role) => (await state.remote())?.servedBy(role),
      }),
  );
  return { locks, events, log, ledger, status, runs };
}

/** Returns a function that opens a part at the first call, and returns the same part at each later call. */
export function once<T>(open: () => T): () => T {
  let opened: { part: T } | undefined;
  return () => (opened ??= { part: open() }).part;
}

/**
 * Returns the agents by role; a short name such as `pm` is resolved to its role. Throws `INVALID_INPUT` for an
 * invalid name.
 */
function byRole(agents: Readonly<Record<string, AgentInvoker>>): Record<string, AgentInvoker> {
  return Object.fromEntries(
    Object.entries(agents).map(([name, agent]) => [parseAgentName(name), ofProgram(agent)]),
  );
}

/** Wraps an agent that is a function of the calling program: any error that it throws becomes a failed run. */
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
