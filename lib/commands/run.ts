// `agentx run`: an agent works on an issue with the tools of the workspace.

import { type Context, defineCommand, type Result } from "../cli/command.ts";
import { agentName, issueNumber, text } from "../cli/inputs.ts";
import { flagName, optional, rule, word } from "../cli/spec.ts";
import { refuseAgents } from "../cli/person.ts";
import { stepsOf } from "../cli/steps.ts";
import { usageError } from "../cli/usage_error.ts";
import { EXIT_CODES, NEEDS_HUMAN } from "../base/errors.ts";
import { MAX_RUN_TURNS, MAX_TOKENS } from "../run/limits.ts";
import { MAX_PROMPT } from "../run/agentic_loop.ts";
import { renderStep } from "../run/render.ts";
import type { LoopReport, LoopStep } from "../run/steps.ts";
import type { LoopExit } from "../run/transcript.ts";
import { resumeLoop, startLoop } from "../workspace/open_loop.ts";
import type { Workspace } from "../workspace/open.ts";
import { agentsHint } from "./agents/check_named.ts";
import { untilEndedHere } from "./ask/until_ended_here.ts";

/** A step of the session, and at the end its report. */
type RunOutput = { step: LoopStep } | { run: LoopReport };

const EXITS: Readonly<Record<LoopExit, number>> = {
  complete: 0,
  paused: NEEDS_HUMAN,
  escalated: NEEDS_HUMAN,
  max_iterations: EXIT_CODES.AGENT_ERROR,
  budget: EXIT_CODES.AGENT_ERROR,
  model_error: EXIT_CODES.AGENT_ERROR,
  stuck: EXIT_CODES.AGENT_ERROR,
  abort: EXIT_CODES.INTERRUPTED,
};

const count = {
  ...rule(/^[1-9][0-9]{0,8}$/, "be a whole number from 1"),
  placeholder: "N",
  read: Number,
};

export const command = defineCommand({
  kind: "run",
  runsMonitor: true,
  examples: [
    'agentx run tester --issue 42 "Check the adapter"',
    "agentx run --resume engineer-1709035100000-x7y8z9",
  ],
  input: {
    agent: optional(agentName("Agent to run; agents.AGENT.http names its model")),
    prompt: optional(text(MAX_PROMPT), "Task for the agent", { placeholder: "PROMPT" }),
    issue: optional(issueNumber, "Issue that the agent works on"),
    resume: optional(word, "Resume this session", { placeholder: "ID" }),
    maxIterations: optional(
      count,
      `Maximum number of turns of the model (default: ${MAX_RUN_TURNS})`,
    ),
    maxTokens: optional(
      count,
      `Maximum number of tokens, sent and received (default: ${MAX_TOKENS})`,
    ),
    contextLimit: optional(count, "Size of the model's context, in tokens (default: 200000)"),
  },
  positional: ["agent", "prompt"],
  async *run(context, { agent, prompt, issue, resume, contextLimit, ...limits }) {
    const required = { AGENT: agent, [flagName("issue")]: issue, PROMPT: prompt };
    const missing = Object.entries(required).find(([, value]) => value === undefined)?.[0];
    if (resume === undefined && missing !== undefined) {
      const hint = missing === "AGENT" ? await agentsHint(context) : undefined;
      const why = `${missing} is required to start a session`;
      throw usageError(context.name, { field: missing, value: null, why, hint });
    }
    checkLimits(context, limits);
    const workspace = await context.openWorkspace();
    yield* stepsOf<Result<RunOutput>>(async (show) => {
      const onStep = (step: LoopStep) => show({ output: { step } });
      const options = { ...limits, contextTokens: contextLimit, onStep, signal: context.signal };
      let run = resume === undefined
        ? await startLoop(
          { agent: agent!, issueNumber: issue!, prompt: prompt! },
          workspace,
          options,
        )
        : await resumeLoop(resume, { prompt, issueNumber: issue, agent }, workspace, options);
      while (run.exit === "paused" && await hasHumanEnded(run, context, workspace)) {
        run = await resumeLoop(run.id, {}, workspace, options);
      }
      show({ output: { run }, exitCode: EXITS[run.exit] });
    });
  },
  render: (output, view) => "step" in output ? renderStep(output.step, view) : "",
});

/** Refuses a higher limit in an agent's session: the limits bound the costs of its runs. */
function checkLimits(
  { io }: Context,
  { maxIterations = 0, maxTokens = 0 }: { maxIterations?: number; maxTokens?: number },
): void {
  const next = "A human raises a limit in their own shell";
  if (maxIterations > MAX_RUN_TURNS) {
    refuseAgents(io, `change the limit of ${MAX_RUN_TURNS} turns`, {
      path: "--max-iterations",
      next,
    });
  }
  if (maxTokens > MAX_TOKENS) {
    refuseAgents(io, `change the limit of ${MAX_TOKENS} tokens`, { path: "--max-tokens", next });
  }
}

/** Waits for the human if the session has asked a question; returns whether the question has ended. */
async function hasHumanEnded(
  { id }: LoopReport,
  context: Context,
  workspace: Workspace,
): Promise<boolean> {
  const gate = await workspace.gate();
  const asked = (await gate.list()).find(({ status, callId }) =>
    status === "pending" && callId?.startsWith(`${id}.`)
  );
  if (asked === undefined) return false;
  const { timeout } = workspace.config.gate;
  const { status } = await untilEndedHere(asked, { context, workspace, gate, timeout });
  return status !== "pending";
}
