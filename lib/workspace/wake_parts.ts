/**
 * What it takes to wake sessions of a workspace: who they are, how their agents are run, and whether the user
 * agreed to that.
 *
 * @module
 */

import { presetsOf } from "../config/runnable.ts";
import { AgentxError, hasCode } from "../errors.ts";
import { identify } from "../hosts/hook/identity.ts";
import { type SessionFile, SessionFiles } from "../hosts/hook/session_files.ts";
import type { WakeParts } from "../hosts/hook/wake.ts";
import { findWorkspace } from "./find.ts";
import { repositoryAbove } from "./git/repository.ts";
import { trackedFiles } from "./git/tracked.ts";
import { invokerOf, type Workspace } from "./open.ts";

/** Of an agent of the calling program, which says nothing about it. */
const LIMIT_MS = 10 * 60_000;

/**
 * @param workspace whose sessions they are
 * @returns the sessions that did not come with the repository, those that ended last first, and the parts
 */
export function wakeParts(workspace: Workspace): { sessions: SessionFile[]; parts: WakeParts } {
  const { root, tree, locks, ledger, runs, config, agents } = workspace;
  const files = new SessionFiles(`${root}/.agentx`, () => locks);
  const isTracked = trackedFiles(root)();
  const sessions = files.readAll()
    .filter(({ session = "" }) => !isTracked(files.pathOf({ session })))
    .sort((a, b) => lastHeard(b).localeCompare(lastHeard(a)));
  const placeOf = (file: SessionFile) => folderOf(file, root) ?? { cwd: tree, tree };
  const parts: WakeParts = {
    files,
    clarifications: () => ledger.scan().clarifications,
    isForeign: (record) => Promise.resolve(record.foreign === true),
    isGone: async (session) => (await workspace.agentStatus()).isGone(session),
    identify(file) {
      const { session, host } = file;
      const own = placeOf(file).tree;
      const gitFolder = repositoryAbove(own)?.gitFolder;
      const env = () => undefined;
      return identify(files, { session, host: host ?? undefined, tree: own, gitFolder, env });
    },
    async refusalOf(role) {
      if (!runs.canRun(role)) {
        return `nothing says how ${role} is run: agentx config set --global agents.${role}.preset NAME`;
      }
      if (Object.hasOwn(agents, role)) return undefined;
      try {
        await (await workspace.trust()).check(role);
      } catch (error) {
        if (!hasCode(error, "UNTRUSTED")) throw error;
        return error.summary;
      }
    },
    limitMs(role) {
      if (Object.hasOwn(agents, role)) return LIMIT_MS;
      const settings = config.agents[role];
      // Each preset is tried twice where its session is gone.
      return settings.timeoutSeconds * 1_000 * Math.max(1, 2 * presetsOf(settings).length);
    },
    run: async (file, call) =>
      await invokerOf(call.agent, { ...workspace, tree: placeOf(file).cwd })!(call),
  };
  return { sessions, parts };
}

function lastHeard({ heard }: SessionFile): string {
  return heard.at(-1)?.at ?? "";
}

/** A host finds a session where it worked; what another workspace has there does not count. */
function folderOf({ cwd }: SessionFile, root: string): { cwd: string; tree: string } | undefined {
  if (!cwd) return undefined;
  try {
    const place = findWorkspace(cwd);
    return place.root === root ? { cwd, tree: place.tree } : undefined;
  } catch (error) {
    if (error instanceof AgentxError) return undefined; // the folder is gone
    throw error;
  }
}
