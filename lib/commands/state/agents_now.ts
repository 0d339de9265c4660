// Reads what the agents of a workspace are doing.

import { type AgentState, agentStates } from "../../clarify/status/agent_states.ts";
import { activeByAge } from "../../clarify/ledger/ledger_files.ts";
import type { OpenRun } from "../../clarify/reach.ts";
import type { ClarificationRecord } from "../../clarify/schema.ts";
import type { AgentxError } from "../../base/errors.ts";
import { isOpen } from "../../work/issue/issue.ts";
import type { IssueScan } from "../../work/issue/issue_store.ts";
import { stillAsked } from "../../work/issue/still_asked.ts";
import { sys } from "../../sys/mod.ts";
import type { Workspace } from "../../workspace/open.ts";

/** The work of agents, and the open questions behind it. */
export interface AgentsNow {
  agents: AgentState[];
  /** Clarifications that are open and still asked, the oldest first. */
  open: ClarificationRecord[];
  /** The runs of unanswered questions. */
  runs: OpenRun[];
  /** One error for each ledger that was left out. */
  problems: AgentxError[];
}

/** Reads the present work of the agents. It reads the issues, too, unless their scan is given. */
export async function agentsNow(
  { status, ledger, issues, runs }: Workspace,
  scanned: IssueScan = issues.scan(),
): Promise<AgentsNow> {
  const scan = ledger.scan();
  const open = stillAsked(activeByAge(scan), issues);
  const openRuns = await runs.ofAll(open);
  const claims = scanned.issues.filter(isOpen);
  const leased = claims.flatMap(({ number, assignee, leaseUntil, stepClaims = [] }) =>
    [{ agent: assignee, leaseUntil }, ...stepClaims]
      .filter(({ leaseUntil }) => Date.parse(leaseUntil ?? "") > sys.now())
      .map(({ agent }) => ({ number, agent }))
  );
  const agents = agentStates(await status.current(), {
    records: scan.clarifications,
    open,
    runs: openRuns,
    isGone: (name) => status.isGone(name),
    isAtWork: (name) => status.isAtWork(name),
    claimedBy: (name) =>
      new Map(
        claims.flatMap(({ number, assignee, claimed }) =>
          assignee === name ? [[number, claimed] as const] : []
        ),
      ),
    leasedBy: (name) => leased.filter(({ agent }) => agent === name).map(({ number }) => number),
  });
  return { agents, open, runs: openRuns, problems: scan.problems };
}
