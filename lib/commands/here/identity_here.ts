// The role of the caller of a command, and its issue.

import { hostSessionId } from "../../who/host_session.ts";
import type { Io } from "../../cli/io.ts";
import { identify, type Identity } from "../../hooks/identity.ts";
import { SessionFiles } from "../../hooks/session_files.ts";
import { repositoryAbove } from "../../git/repository.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** By `agentx here`, the environment, the host or the branch. */
export function identityHere(io: Io, state: WorkspaceState): Identity {
  const { root, tree } = state;
  const { locks } = state.records();
  return identify(new SessionFiles(`${root}/.agentx`, () => locks), {
    session: hostSessionId(io.env),
    tree,
    gitFolder: repositoryAbove(tree)?.gitFolder,
    env: io.env,
  });
}
