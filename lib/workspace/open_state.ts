/**
 * Opens what a workspace knows: finds it and reads its settings. Each other part has a module that makes and
 * wires it, and is loaded when the part is asked for.
 *
 * @module
 */

import { readSettings } from "../config/settings.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "./find.ts";
import type { OpenedPlace } from "./open_shared.ts";
import type { OpenWorkspaceOptions, WorkspaceState } from "./state.ts";

/**
 * Opens what the workspace of a folder knows.
 *
 * @throws {AgentxError} `NOT_INITIALISED`, `INVALID_CONFIG`
 */
export function openState(options: OpenWorkspaceOptions = {}): WorkspaceState {
  const { notify = () => {}, agents = {}, events, signal } = options;
  const { root, tree } = findWorkspace(options.root ?? sys.cwd());
  const home = `${root}/.agentx`;
  const { config, repositoryAgents, weaker } = readSettings({ root, tree }, notify);
  const trust = async () => {
    const { RepositoryTrust } = await import("../config/trust.ts");
    return new RepositoryTrust({ root, tree, repositoryAgents, agents: config.agents, weaker });
  };
  const place: OpenedPlace = { root, tree, home, config, agents, events, signal, notify, trust };
  const shared = async () => (await import("./open_shared.ts")).sharedOf(place);
  const records = once(async () => (await import("./open_records.ts")).openRecords(place));
  const agentStatus = async () => (await records()).status;
  const memory: WorkspaceState["memory"] = once(async () =>
    (await import("./open_memory.ts")).openMemory(place, agentStatus, gate)
  );
  const gate = once(async () => (await import("./open_gate.ts")).openGate(place, memory));
  return {
    root,
    tree,
    config,
    agents,
    retryDelayMs: options.retryDelayMs ?? config.clarify.retryDelaySeconds * 1_000,
    notify,
    shared,
    issueStore: async () => (await import("./open_shared.ts")).issuesOf(place),
    records,
    async scanClarifications() {
      const hasFiles = sys.readDir(`${home}/state/clarifications`).length > 0;
      if (!hasFiles) return { ledgers: [], clarifications: [], problems: [] };
      return (await records()).ledger.scan();
    },
    agentStatus,
    async followLog(options) {
      const { LogFollower } = await import("../events/follower.ts");
      return new LogFollower(`${home}/log`, { warn: notify, ...options });
    },
    trust,
    async results() {
      const { AgentResults } = await import("../agents/results.ts");
      const { locks } = await shared();
      return new AgentResults(`${home}/state/agent-results.json`, { locks, notify });
    },
    memory,
    gate,
  };
}

/** Opens a part at the first call, and gives the same one to all. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => opened ??= open();
}
