// Who moves a clarification on: for `agentx answer`, `clarify resolve` and `clarify escalate`.

import { actingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";

/** The actor; a session that names no role speaks for the agent that is asked, or that asks. */
export async function decide(
  { io, openWorkspace }: Context,
  { as, id, role }: { as: string | undefined; id: string; role: "from" | "to" },
) {
  const acting = actingAgent(io, as);
  const { router, ledger } = await openWorkspace();
  const { hostSession: session, isVerified: verified } = acting;
  return { router, acting, who: { by: acting.name(ledger.getById(id)[role]), session, verified } };
}
