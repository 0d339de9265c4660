// Runs the monitor along with a command and logs its actions. A failure of the monitor does not fail the command. If
// there is nothing to do, its parts are not loaded.

import type { LedgerScan } from "../clarify/ledger/ledger_files.ts";
import { hasMonitorWork } from "../clarify/monitor/monitor_work.ts";
import { AgentxError } from "../base/errors.ts";
import { sys } from "../sys/mod.ts";
import type { WorkspaceState } from "./state.ts";

/** Runs the monitor if it has work, and returns the clarifications afterwards. */
export async function runMonitorIfNeeded(
  state: WorkspaceState,
  signal: AbortSignal,
): Promise<LedgerScan> {
  const { ledger, status, log } = state.records();
  const scan = ledger.scan();
  try {
    if (
      !hasMonitorWork(
        scan.clarifications,
        () => status.ownBases(),
        sys.now(),
      )
    ) {
      return scan;
    }
    const { completeWorkspace } = await import("./open.ts");
    const monitor = await (await completeWorkspace(state)).monitor();
    const { stale, stuck, deadlocked, abandoned } = await monitor.runCheck(scan);
    log.write("monitor", {
      staleCount: stale.length,
      stuckCount: stuck.length,
      deadlockedCount: deadlocked.length,
      abandonedCount: abandoned.length,
    });
  } catch (error) {
    if (signal.aborted || !(error instanceof AgentxError)) throw error;
    state.notify(`The monitor did not finish: ${error.summary}`);
  }
  return ledger.scan();
}
