// Runs open questions while a command is in the foreground: `agentx serve` and `workflow run`. Agents of a workflow may
// work in a sandbox that does not let them start another agent.

import { interrupted } from "../../agents/failed_run.ts";
import { hasCode } from "../../base/errors.ts";
import type { ClarificationOutcome } from "../../clarify/hub/outcome.ts";
import { Runner } from "../../clarify/hub/runner.ts";
import { isRunnable, settingsOf } from "../../config/runnable.ts";
import { notifyOverdue } from "../../inbox/notifier.ts";
import { pause } from "../../sys/pause.ts";
import { sys } from "../../sys/mod.ts";
import { captureSpooled } from "../../workspace/capture_spooled.ts";
import { trySync } from "../../workspace/machines.ts";
import type { Workspace } from "../../workspace/open.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

const POLL_MS = 250;

/** Number of looks at the questions for each sync with other machines. */
const SYNC_EVERY = 8;

/** Maximum time that the end waits for the remote. */
const LAST_SYNC_MS = 5_000;

/** Number of looks at the questions for each run of the monitor and capture of ended sessions. */
const MONITOR_EVERY = 40;

export interface Serving {
  /** Only questions to this role are run. */
  role?: string;
  /** Ends the serving and its runs; the questions stay open. */
  signal: AbortSignal;
  report: (outcomes: ClarificationOutcome[]) => void;
}

/** Returns the configured roles that can be run, if the user agreed to each. Throws `UNTRUSTED`. */
export async function rolesToServe(workspace: Workspace, role?: string): Promise<string[]> {
  const roles = (role === undefined ? Object.keys(workspace.config.agents) : [role])
    .filter((each) => canRun(workspace, each));
  const trust = await workspace.trust();
  for (const each of roles) await trust.check(each);
  return roles;
}

function canRun({ agents, config }: Workspace, role: string): boolean {
  return Object.hasOwn(agents, role) || isRunnable(settingsOf(config.agents, role));
}

/** Runs open questions until the signal ends it. */
export async function serveQuestions(
  workspace: Workspace,
  { role, signal, report }: Serving,
): Promise<void> {
  const runner = new Runner({
    ...workspace,
    role,
    canRun: (each) => canRun(workspace, each),
    signal,
  });
  let said = new Set<string>();
  const remote = await workspace.remote();
  let syncing: Promise<void> | undefined;
  if (remote !== undefined) {
    remote.own.serves = (role === undefined ? Object.keys(workspace.config.agents) : [role])
      .filter((each) => canRun(workspace, each));
  }
  for (let look = 0; !signal.aborted; look++) {
    if (remote !== undefined && look % SYNC_EVERY === 0) {
      syncing ??= trySync(workspace, { signal }).finally(() => syncing = undefined);
    }
    if (look % MONITOR_EVERY === MONITOR_EVERY - 1) said = await monitored(workspace, signal, said);
    if (look % MONITOR_EVERY === 0) {
      await captureSpooled(workspace);
      await notifyOverdue(workspace);
    }
    report(runner.look());
    await sys.wait(POLL_MS, signal).catch(() => {}); // the signal ends the wait
  }
  await runner.end();
  report(runner.look());
  if (remote === undefined) return;
  remote.own.serves = [];
  await syncing;
  await trySync(workspace, { timeoutMs: LAST_SYNC_MS });
}

/** Runs the monitor, and returns its messages. A message of the run before is not repeated. */
async function monitored(
  workspace: Workspace,
  signal: AbortSignal,
  before: ReadonlySet<string>,
): Promise<Set<string>> {
  const said = new Set<string>();
  const notify = (message: string) => {
    said.add(message);
    if (!before.has(message)) workspace.notify(message);
  };
  await runMonitorIfNeeded({ ...workspace, notify }, signal);
  return said;
}

/**
 * Runs open questions beside some work, while no other process does. If the user has not agreed to every agent, it runs
 * no questions: then each asker runs its own.
 */
export async function whileServing<T>(
  workspace: Workspace,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await rolesToServe(workspace);
  } catch (error) {
    if (!hasCode(error, "UNTRUSTED")) throw error;
    return await work();
  }
  const ended = new AbortController();
  const serving = { signal: AbortSignal.any([signal, ended.signal]), report: () => {} };
  const serve = async () => {
    while (!serving.signal.aborted) {
      await workspace.runs.serve(undefined, () => serveQuestions(workspace, serving));
      await pause(POLL_MS, serving.signal); // until the process that serves now ends
    }
  };
  const [result] = await Promise.all([work().finally(() => ended.abort(interrupted())), serve()]);
  return result;
}
