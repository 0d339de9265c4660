// The role of the caller of a command, and its issue.

import { hostSessionId } from "../../who/host_session.ts";
import type { ActingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";
import type { Io } from "../../cli/io.ts";
import { identify, type Identity } from "../../hooks/identity.ts";
import { SessionFiles } from "../../hooks/session_files.ts";
import { repositoryAbove } from "../../git/repository.ts";
import type { WorkspaceState } from "../../workspace/state.ts";

/** Returns the role and issue set by `agentx here`, the environment, the host or the branch. */
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

/** The requester and its issue; undefined if they are not named. */
export interface Asker {
  from: string | undefined;
  issue: number | undefined;
}

/** Returns the asker as given; missing parts come from `agentx here` or the branch. */
export async function askerHere(
  { from, issue }: Asker,
  acting: ActingAgent,
  context: Pick<Context, "io" | "openState">,
): Promise<Asker> {
  const isKnown = from !== undefined || acting.isNamed;
  if (isKnown && issue !== undefined) return { from, issue };
  const here = identityHere(context.io, await context.openState());
  return {
    from: isKnown ? from : here.agent ?? undefined,
    issue: issue ?? here.issue ?? undefined,
  };
}
