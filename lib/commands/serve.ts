import { roleOf } from "../base/agent_names.ts";
import type { ClarificationOutcome } from "../clarify/hub/outcome.ts";
import { renderOutcome } from "./clarify/render_outcome.ts";
import { defineCommand, type Result } from "../cli/command.ts";
import { agentName } from "../cli/inputs.ts";
import { knownAgent } from "../config/known_agent.ts";
import { note } from "../cli/note.ts";
import { optional } from "../cli/spec.ts";
import { stepsOf } from "../cli/steps.ts";
import { AgentxError } from "../base/errors.ts";
import type { Workspace } from "../workspace/open.ts";
import { rolesToServe, serveQuestions } from "./serve/serving.ts";

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
    const role = as && roleOf(knownAgent(as, { field: "--as", known: workspace.knownAgents() }));
    const { io, signal } = context;
    yield* stepsOf<Result<ClarificationOutcome>>(async (show) => {
      const report = (outcomes: ClarificationOutcome[]) =>
        outcomes.forEach((output) => show({ output }));
      const run = await workspace.runs.serve(role, async () => {
        const roles = (await rolesToServe(workspace, role)).join(", ");
        note(io, `runs ${roles || "nobody, since no agent is configured"}; Ctrl-C ends it`);
        await serveQuestions(workspace, { role, signal, report });
      });
      if (run === undefined) throw alreadyServed(workspace, role);
    });
  },
  render: renderOutcome,
});

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
