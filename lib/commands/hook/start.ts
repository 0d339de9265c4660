import { roleOf } from "../../base/agent_names.ts";
import { agentsOf } from "../../clarify/status/status_file.ts";
import { type Context, defineCommand, type Result } from "../../cli/command.ts";
import { SessionManager } from "../../clarify/status/session_manager.ts";
import { hasMemory } from "../../workspace/find.ts";
import { runMonitorIfNeeded } from "../../workspace/run_monitor.ts";
import type { WorkspaceState } from "../../workspace/state.ts";
import { openWork } from "../../workspace/work.ts";
import { type HookOutput, isOfOther, renderHook, type Who, who, workingAgent } from "./phase.ts";

export const command = defineCommand({
  kind: "hook",
  examples: ["agentx hook start engineer 42", "agentx hook start engineer 42 --json"],
  input: who,
  positional: ["agent", "issue"],
  run: begin,
  render: renderHook,
});

/**
 * Starts the work of an agent. The monitor runs after the start was recorded, so leftovers of the agent show at once.
 */
export async function begin(
  { io, signal, openState }: Context,
  given: Who,
): Promise<Result<HookOutput>> {
  const workspace = await openState();
  const { status, events } = workspace.records();
  const { name: agent, session } = workingAgent("start", io, given.agent);
  const output: HookOutput = { phase: "start", agent, state: null, recall: "", captured: [] };
  if (isOfOther(io, agent, workspace)) return { output };
  const issue = given.issue ?? status.bases().get(agent)?.issue ?? null;
  const remote = await workspace.remote();
  if (remote !== undefined) {
    const { START_SYNC_MS, syncBehind } = await import("../../workspace/machines.ts");
    const { tree } = workspace;
    await syncBehind(remote, io.startAgain, { tree, waitMs: START_SYNC_MS, everyMs: 0 });
  }
  const sessions = new SessionManager(status, events);
  const begun = await sessions.start({ agent, issueNumber: issue, hostSession: session });
  if (issue !== null) {
    await (await openWork(workspace)).ready.renewLease(issue, agent);
  }
  await runMonitorIfNeeded(workspace, signal);
  output.state = agentsOf(await status.current()).get(agent) ?? begun.state;
  if (issue !== null) output.recall = await recallFor(workspace, roleOf(agent), issue);
  return { output };
}

async function recallFor(state: WorkspaceState, agent: string, issue: number): Promise<string> {
  if (state.config.memory.maxTokens === 0 || !hasMemory(`${state.root}/.agentx`)) return "";
  return (await (await state.memory()).recall(agent, issue)).section;
}
