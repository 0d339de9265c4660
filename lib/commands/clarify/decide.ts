// Finds the actor for `agentx answer`, `clarify resolve` and `clarify escalate`.

import { actingAgent } from "../../cli/acting_agent.ts";
import type { Context } from "../../cli/command.ts";

/** Returns the actor. A session that names no role acts for the agent that is asked, or that asks, by `role`. */
export async function decide(
  { io, openWorkspace }: Context,
  { as, id, role }: { as: string | undefined; id: string; role: "from" | "to" },
) {
  const acting = actingAgent(io, as);
  const { router: openRouter, ledger } = await openWorkspace();
  const router = await openRouter();
  const { hostSession: session, isVerified: verified } = acting;
  const record = ledger.getById(id);
  const who = { by: acting.name(record[role]), session, verified };
  return { router, acting, who, status: record.status };
}
