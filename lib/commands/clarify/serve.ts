import { roleOf } from "../../base/agent_names.ts";
import type { ClarificationOutcome } from "../../clarify/outcome.ts";
import { renderOutcome } from "../../clarify/render/outcome.ts";
import { Runner } from "../../clarify/runner.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { agentName } from "../../cli/inputs.ts";
import { knownAgent } from "../../cli/known_agent.ts";
import { note } from "../../cli/note.ts";
import { optional } from "../../cli/spec.ts";
import { stepsOf } from "../../cli/steps.ts";
import { isRunnable, settingsOf } from "../../config/runnable.ts";
import { AgentxError } from "../../base/errors.ts";
import { pause } from "../../sys/clock.ts";
import { captureSpooled } from "../../workspace/capture_spooled.ts";
import { notifyOverdue } from "../../inbox/notifier.ts";
import type { Workspace } from "../../workspace/open.ts";
import { OutboxRunner } from "../../workspace/outbox/outbox_runner.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";

const POLL_MS = 250;

/** Every so many looks: the monitor's work, tidying outboxes, remembering sessions that have ended. */
const MONITOR_EVERY = 40;

export const command = defineCommand({
  kind: "clarification",
  runsMonitor: true,
  examples: ["agentx serve", "agentx serve --as architect"],
  jsonLines: true,
  input: {
    as: optional(agentName("Only the questions to this agent")),
  },
  async *run(context, { as }) {
    const workspace = await context.openWorkspace();
    const role = as && roleOf(knownAgent(context.name, { field: "--as", agent: as }, workspace));
    yield* stepsOf<Result<ClarificationOutcome>>(async (show) => {
      const report = (outcomes: ClarificationOutcome[]) =>
        outcomes.forEach((output) => show({ output }));
      const run = await workspace.runs.serve(
        role,
        () => serve(context, workspace, { role, report }),
      );
      if (run === undefined) throw alreadyServed(workspace, role);
    });
  },
  render: renderOutcome,
});

async function serve(
  { io, signal }: Context,
  workspace: Workspace,
  { role, report }: {
    role: string | undefined;
    report: (outcomes: ClarificationOutcome[]) => void;
  },
): Promise<void> {
  const { agents, config, notify } = workspace;
  const canRun = (role: string) =>
    Object.hasOwn(agents, role) || isRunnable(settingsOf(config.agents, role));
  const roles = (role === undefined ? Object.keys(config.agents) : [role]).filter(canRun);
  const trust = workspace.trust();
  for (const each of roles) await trust.check(each);
  const outbox = new OutboxRunner(workspace, signal, role);
  note(io, `runs ${roles.join(", ") || "nobody, since no agent is configured"}; Ctrl-C ends it`);
  const runner = new Runner({ ...workspace, role, canRun, notify, signal });
  for (let look = 0; !signal.aborted; look++) {
    if (look % MONITOR_EVERY === MONITOR_EVERY - 1) await runMonitorIfNeeded(workspace, signal);
    outbox.look();
    if (look % MONITOR_EVERY === 0) {
      outbox.tidy();
      await captureSpooled(workspace);
      await notifyOverdue(workspace);
    }
    report(runner.look());
    await pause(POLL_MS, signal);
  }
  await Promise.all([runner.end(), outbox.end()]);
  report(runner.look());
}

function alreadyServed(
  { root, runs }: Workspace,
  role: string | undefined,
): AgentxError<"LOCK_TIMEOUT"> {
  const { pid } = runs.runner(role);
  return new AgentxError("LOCK_TIMEOUT", `Cannot serve "${root}": process ${pid ?? "?"} does so`, {
    details: { path: `${root}/.agentx/state/runs`, waitedMs: 0, holder: null },
    next: "One runner is enough; --as starts one for the questions to one agent",
  });
}
