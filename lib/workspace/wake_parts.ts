// Collects the parts that wake sessions of a workspace: the identities of sessions, how to run their agents, and the
// user's consent to do so.

import { roleOf } from "../base/agent_names.ts";
import { presetsOf, settingsOf } from "../config/runnable.ts";
import { orElse } from "../base/errors.ts";
import { identify } from "../hooks/identity.ts";
import { hasEnded, type SessionFile, SessionFiles } from "../hooks/session_files.ts";
import type { WakeParts } from "../hooks/wake.ts";
import { findWorkspace } from "./find.ts";
import { repositoryAbove } from "../git/repository.ts";
import { originOf } from "./state_origin.ts";
import { invokerOf, type Workspace } from "./open.ts";
import { whyNotRun } from "./role_reach.ts";

/** Matches session ids of hosts. */
const SESSION = /^[A-Za-z0-9][\w-]{0,99}$/;

/** Time limit for an agent of the calling program, which has no setting for it. */
const LIMIT_MS = 10 * 60_000;

/** Returns the sessions that are not foreign, latest activity first, and the parts to wake them. */
export function wakeParts(workspace: Workspace): { sessions: SessionFile[]; parts: WakeParts } {
  const { root, tree, locks, ledger, config, agents, notify } = workspace;
  const files = new SessionFiles(`${root}/.agentx`, () => locks);
  const isForeign = originOf(root).now();
  const sessions = files.readAll()
    .filter(({ session = "" }) => !isForeign(files.pathOf({ session })))
    .sort((a, b) => lastHeard(b).localeCompare(lastHeard(a)));
  const placeOf = (file: SessionFile) => folderOf(file, root) ?? { cwd: tree, tree };
  const whoIs = (file: SessionFile) => {
    const { session, host } = file;
    const own = placeOf(file).tree;
    const gitFolder = repositoryAbove(own)?.gitFolder;
    const env = () => undefined;
    return identify(files, { session, host: host ?? undefined, tree: own, gitFolder, env });
  };
  const limitMs = (role: string) => {
    if (Object.hasOwn(agents, role)) return LIMIT_MS;
    const settings = settingsOf(config.agents, role)!;
    // Each preset is tried twice if its session is gone.
    return settings.timeoutSeconds * 1_000 * Math.max(1, 2 * presetsOf(settings).length);
  };
  const ended = new Set(sessions.filter(hasEnded).map((file) => whoIs(file).worker));
  const parts: WakeParts = {
    files,
    clarifications: () => ledger.scan().clarifications,
    isForeign: (record) => Promise.resolve(record.foreign === true),
    // A session that can be woken itself does not count as gone, so no other session inherits its deliveries.
    isGone: (session) =>
      Promise.resolve(!ended.has(session.split("@")[1]) && workspace.status.isGone(session)),
    identify: whoIs,
    limitMs,
    async refusalOf(role) {
      const why = await whyNotRun(role, workspace);
      return why && `${why.reason}: ${why.next}`;
    },
    async run(file, call) {
      const role = roleOf(call.agent);
      // A configured command may name files, and the user agreed to the files of this tree.
      const isHost = settingsOf(config.agents, role)?.command === null;
      const cwd = isHost ? placeOf(file).cwd : tree;
      const atMost = Math.round(limitMs(role) / 1_000);
      notify(`waking ${call.agent}, which may take up to ${atMost} s`);
      // The session id becomes a command-line argument, so it must not look like an option.
      const before = SESSION.test(file.session ?? "") ? call.before : undefined;
      return await invokerOf(call.agent, { ...workspace, tree: cwd })!({ ...call, before });
    },
  };
  return { sessions, parts };
}

function lastHeard({ heard }: SessionFile): string {
  return heard.at(-1)?.at ?? "";
}

/**
 * Returns where a session worked, because its host finds it there; undefined if the folder is not in this workspace.
 */
function folderOf({ cwd }: SessionFile, root: string): { cwd: string; tree: string } | undefined {
  if (!cwd) return undefined;
  // `findWorkspace` throws if the folder is gone.
  return orElse(undefined, () => {
    const place = findWorkspace(cwd);
    return place.root === root ? { cwd, tree: place.tree } : undefined;
  });
}
