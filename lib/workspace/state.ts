/**
 * What a workspace knows, without the parts that act on it: enough to list, and quick to load.
 *
 * @module
 */

import type { AgentInvoker } from "../agents/agent_call.ts";
import type { AgentResults } from "../agents/results.ts";
import { ClarificationLedger } from "../clarify/ledger.ts";
import type { TrackedFiles } from "../clarify/ledger_files.ts";
import { Runs } from "../clarify/runs.ts";
import type { AgentStatusStore } from "../clarify/status.ts";
import type { Config } from "../config/config.ts";
import { isRunnable } from "../config/runnable.ts";
import { readSettings } from "../config/settings.ts";
import type { RepositoryTrust } from "../config/trust.ts";
import { AgentEventBus, EVENT_NAMES } from "../events/bus.ts";
import type { LogFollower, LogFollowerOptions } from "../events/follower.ts";
import { EventLog, type WriteLog } from "../events/log.ts";
import type { AssumptionMemory } from "../gate/assumption_store.ts";
import type { HumanGate } from "../gate/gate.ts";
import { FileLockManager } from "../lock/lock_manager.ts";
import type { MemoryPipeline } from "../memory/pipeline.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";
import { trackedFiles } from "./git/tracked.ts";

/** Options of {@linkcode openWorkspace}. */
export interface OpenWorkspaceOptions {
  /**
   * Where to look for `.agentx/`, there and upward.
   *
   * @default {the current folder}
   */
  root?: string;
  /**
   * Called with one sentence for each wait, and for what failed without harm.
   *
   * @default {() => {}}
   */
  notify?: (message: string) => void;
  /**
   * How to run agents of the calling program, by role. They need neither a setting nor consent.
   *
   * @default {{}}
   */
  agents?: Readonly<Record<string, AgentInvoker>>;
  /**
   * Receives the events of this process; all of them are logged as well.
   *
   * @default {a bus of its own}
   */
  events?: AgentEventBus;
  /**
   * Pause before the second run of a target that failed, in milliseconds.
   *
   * @default {clarify.retryDelaySeconds of the settings}
   */
  retryDelayMs?: number;
  /**
   * Ends every wait for a lock when it fires.
   *
   * @default {undefined}
   */
  signal?: AbortSignal;
}

/** The parts of a workspace that know what is on disk. */
export interface WorkspaceState {
  /** The folder that holds `.agentx/`; for a git worktree, that of the main checkout. */
  readonly root: string;
  /** The same folder in the caller's own tree: agents run and artifacts are read here. */
  readonly tree: string;
  /** The settings, with defaults. */
  readonly config: Config;
  /** Agents of the calling program, by role. */
  readonly agents: Readonly<Record<string, AgentInvoker>>;
  /** Pause before the second run of a target that failed, in milliseconds. */
  readonly retryDelayMs: number;
  /** The locks of this process: share them with files of your own. */
  readonly locks: FileLockManager;
  /** Tells what happens in this process; all of it is logged. */
  readonly events: AgentEventBus;
  /** The clarifications on disk. */
  readonly ledger: ClarificationLedger;
  /** Which process is running which open question. */
  readonly runs: Runs;
  /** Called with one sentence for each wait, and for what failed without harm. */
  readonly notify: (message: string) => void;
  /** What each agent is doing; loaded at the first call. */
  agentStatus(): Promise<AgentStatusStore>;
  /** Follows what all processes write to the log. */
  followLog(options?: LogFollowerOptions): Promise<LogFollower>;
  /** The user's consent to what the repository would run. */
  trust(): Promise<RepositoryTrust>;
  /** How the last runs of agents ended; loaded at the first call. */
  results(): Promise<AgentResults>;
  /** What agents observed in their sessions; loaded at the first call. */
  memory(): Promise<MemoryPipeline>;
  /** The gate to the human, and what was assumed; loaded at the first call. */
  gate(): Promise<HumanGate>;
}

/**
 * Opens what the workspace of a folder knows.
 *
 * @param options where to look
 * @returns its state
 * @throws {AgentxError} `NOT_INITIALISED`, `INVALID_CONFIG`
 */
export function openState(options: OpenWorkspaceOptions = {}): WorkspaceState {
  const { notify = () => {}, agents = {}, events = new AgentEventBus(), signal } = options;
  const { root, tree } = findWorkspace(options.root ?? sys.cwd());
  const home = `${root}/.agentx`;
  const { config, repositoryAgents } = readSettings({ root, tree }, notify);
  const log = new EventLog(`${home}/log`, { warn: notify });
  const locks = new FileLockManager({
    signal,
    onEvent: ({ kind, path, agent, waitedMs }) =>
      log.write(`lock-${kind}`, {
        filePath: path.slice(root.length + 1),
        agent,
        durationMs: Math.round(waitedMs),
      }),
  });
  const tracked = trackedFiles(root);
  const ledger = new ClarificationLedger(`${home}/state/clarifications`, locks, {
    trackedFiles: tracked,
    async uidOf(issue) {
      const { IssueStore } = await import("../work/issue/issue_store.ts");
      return new IssueStore(`${home}/issues`, locks).findReadable(issue)?.uid;
    },
    notify,
  });
  for (const name of EVENT_NAMES) {
    events.on(name, (payload) => log.write(name, payload));
  }
  let status: Promise<AgentStatusStore> | undefined;
  const agentStatus = () => status ??= openStatus(home, { locks, ledger, trackedFiles: tracked });
  let memory: Promise<MemoryPipeline> | undefined;
  const openedMemory = () =>
    memory ??= openMemory(home, {
      locks,
      events,
      agentStatus,
      settings: config.memory,
      log: (operation, fields) => log.write(operation, fields),
      notify,
      folders: [...new Set([tree, root])],
    });
  let gate: Promise<HumanGate> | undefined;
  return {
    root,
    tree,
    config,
    agents,
    retryDelayMs: options.retryDelayMs ?? config.clarify.retryDelaySeconds * 1_000,
    locks,
    events,
    ledger,
    runs: new Runs(`${home}/state/runs`, (role) =>
      Object.hasOwn(agents, role) ||
      Object.hasOwn(config.agents, role) && isRunnable(config.agents[role])),
    notify,
    agentStatus,
    async followLog(options) {
      const { LogFollower } = await import("../events/follower.ts");
      return new LogFollower(`${home}/log`, { warn: notify, ...options });
    },
    async trust() {
      const { RepositoryTrust } = await import("../config/trust.ts");
      return new RepositoryTrust({ root, tree, repositoryAgents, agents: config.agents });
    },
    async results() {
      const { AgentResults } = await import("../agents/results.ts");
      return new AgentResults(`${home}/state/agent-results.json`, { locks, notify });
    },
    memory: openedMemory,
    gate: () =>
      gate ??= openGate(home, {
        locks,
        events,
        config,
        memory: openedMemory,
        trackedFiles: tracked,
        notify,
      }),
  };
}

async function openStatus(
  home: string,
  { locks, ledger, trackedFiles }:
    & Pick<WorkspaceState, "locks" | "ledger">
    & { trackedFiles: TrackedFiles },
): Promise<AgentStatusStore> {
  const { AgentStatusStore } = await import("../clarify/status.ts");
  return new AgentStatusStore(`${home}/state/agent-status.json`, locks, ledger, {
    async holders() {
      const [{ IssueStore }, { isOpen }] = await Promise.all([
        import("../work/issue/issue_store.ts"),
        import("../work/issue/issue.ts"),
      ]);
      const { issues } = new IssueStore(`${home}/issues`, locks).scan();
      return new Set(issues.filter(isOpen).flatMap(({ assignee }) => assignee ?? []));
    },
    trackedFiles,
  });
}

async function openMemory(
  home: string,
  { locks, events, agentStatus, settings, log, notify, folders }:
    & Pick<WorkspaceState, "locks" | "events" | "agentStatus" | "notify">
    & {
      settings: Config["memory"];
      log: WriteLog;
      folders: readonly string[];
    },
): Promise<MemoryPipeline> {
  const [
    { MemoryPipeline },
    { JsonObservationStore },
    { removeKeptRecalls },
    { SessionUses },
  ] = await Promise.all([
    import("../memory/pipeline.ts"),
    import("../memory/store/store.ts"),
    import("../hosts/hook/recall_cache.ts"),
    import("../memory/recall/session_uses.ts"),
  ]);
  const recallsPath = `${home}/state/memory-recalls.json`;
  // A search needs none of what is loaded here.
  const issueOf = async (issue: number) => {
    const { IssueStore } = await import("../work/issue/issue_store.ts");
    return new IssueStore(`${home}/issues`, locks).findReadable(issue);
  };
  const memory: MemoryPipeline = new MemoryPipeline({
    store: new JsonObservationStore(`${home}/memory`, locks, {
      recallsPath,
      notify,
      onRemoved: () => removeKeptRecalls(home),
    }),
    events,
    titleOf: async (issue) => (await issueOf(issue))?.title,
    uidOf: async (issue) => (await issueOf(issue))?.uid,
    startOf: async (session, issue) => (await agentStatus()).startOf(session, issue),
    folders,
    async treeOf(use) {
      const { WorkingTree, CAPTURE_LIMITS, RECALL_LIMITS } = await import("./source_tree.ts");
      return new WorkingTree(folders[0], use === "capture" ? CAPTURE_LIMITS : RECALL_LIMITS);
    },
    uses: new SessionUses(`${home}/state/memory-uses.json`, locks),
    isEnabled: settings.enabled,
    maxTokens: settings.maxTokens,
    maxMegabytes: settings.maxMegabytes,
    async onStored() {
      const { renewRecalls } = await import("./session_recall.ts");
      await renewRecalls(home, folders[0], memory);
    },
    log,
    notify,
  });
  return memory;
}

async function openGate(
  home: string,
  { locks, events, config, memory, trackedFiles, notify }:
    & Pick<WorkspaceState, "locks" | "events" | "config" | "memory" | "notify">
    & { trackedFiles: TrackedFiles },
): Promise<HumanGate> {
  const [{ HumanGate }, { InteractionStore }, { AssumptionStore }] = await Promise.all([
    import("../gate/gate.ts"),
    import("../gate/store.ts"),
    import("../gate/assumption_store.ts"),
  ]);
  const isTracked = (path: string) => trackedFiles()(path);
  return new HumanGate({
    store: new InteractionStore(`${home}/state/agent-interactions.json`, { locks, isTracked }),
    assumptions: new AssumptionStore(`${home}/state/assumptions.json`, {
      locks,
      isTracked,
      memory: config.memory.enabled ? gateMemory(memory) : undefined,
      notify,
    }),
    events,
    settings: config.gate,
    async executionOf(issue) {
      const { executionOf } = await import("./execution.ts");
      return executionOf(issue, { home, locks });
    },
    notify,
  });
}

/** What a human confirmed is a decision that the next session should know. */
function gateMemory(memory: WorkspaceState["memory"]): AssumptionMemory {
  return {
    async remember({ agent, issue: issueNumber, decision, reasoning }) {
      const content = `${decision} (${reasoning})`;
      const category = "decision" as const;
      return (await (await memory()).note({ agent, issueNumber, category, content })).id;
    },
    async retract(id, because) {
      await (await memory()).store.retract(id, because);
    },
  };
}
